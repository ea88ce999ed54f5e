#include "proxy/servers/trust_boundary.h"

#include <doctest/doctest.h>

#include <vector>

#include "base/text.h"
#include "tests/proxy/temporary_folder.h"

namespace symbols::servers {
namespace trust_boundary_test {

namespace fs = std::filesystem;
using Variables = std::vector<std::string>;

TEST_CASE("trust boundary: the widest root, but never home") {
  struct Case {
    const char* what;
    const char* file;
    std::vector<fs::path> roots;
    const char* boundary;
    const char* home = "/home/a";
  };
  const Case cases[] = {
      {"one root", "/home/a/p/x.py", {"/home/a/p"}, "/home/a/p"},
      {"the widest first", "/home/a/p/s/x.py", {"/home/a/p", "/home/a/p/s"}, "/home/a/p"},
      {"the widest last", "/home/a/p/s/x.py", {"/home/a/p/s", "/home/a/p"}, "/home/a/p"},
      {"a marker in home", "/home/a/p/s/x.py", {"/home/a/p", "/home/a"}, "/home/a/p"},
      {"home first", "/home/a/p/s/x.py", {"/home/a", "/home/a/p/s", "/home/a/p"}, "/home/a/p"},
      {"--root /", "/home/a/p/x.py", {"/home/a/p", "/"}, "/home/a/p"},
      {"a file in home", "/home/a/x.py", {"/home/a"}, ""},
      {"a file in /", "/x.py", {""}, ""},
      {"--root above home", "/home/a/p/x.py", {"/home/a/p", "/home"}, "/home"},
      {"--root elsewhere", "/home/a/p/x.py", {"/home/a/p", "/srv"}, "/home/a/p"},
      {"a name that starts alike", "/home/a/pq/x.py", {"/home/a/pq", "/home/a/p"}, "/home/a/pq"},
      {"somebody else's home", "/home/b/p/x.py", {"/home/b/p", "/home/b"}, "/home/b"},
      {"home unknown", "/home/a/p/x.py", {"/home/a/p", "/home/a"}, "/home/a", ""},
      {"no roots", "/home/a/p/x.py", {}, ""},
  };
  for (const Case& c : cases) {
    CAPTURE(c.what);
    CHECK(trust_boundary(c.file, c.roots, c.home) == fs::path(c.boundary));
  }
}

TEST_CASE("what a server inherits for a project that is not trusted") {
  const TemporaryFolder folder;
  const std::string project = folder.make_folder("project");
  const std::string outside = folder.make_folder("outside");
  folder.make_folder("project/lib");
  const std::string into = folder.link("outside/into", "../project/lib");
  const ProjectBoundary boundary(project, false);

  constexpr std::string_view inherited =
      "LANG=de_DE.UTF-8 LC_ALL=C LC_CTYPE= USER=me GOOS=linux RUSTUP_TOOLCHAIN=nightly TZ=Europe/Berlin "
      "https_proxy=http://proxy:3128 GOPRIVATE=example.com/* GOPROXY=https://proxy.example,direct "
      "SYMBOLS_TEST_RUN=1-2 SYMBOLS_FORMAT=a=b TMPDIR=/ CONDA_PREFIX=/opt/conda JAVA_HOME=/none/such "
      "LD_LIBRARY_PATH=/a:/b";
  constexpr std::string_view others =
      "LC_ALL=../project/locale RUSTUP_TOOLCHAIN=/toolchain GOTOOLCHAIN=./go HOME= CONDA_PREFIX=. "
      "GOROOT=go LD_LIBRARY_PATH= LD_LIBRARY_PATH=: LD_LIBRARY_PATH=/a;. LD_LIBRARY_PATH=/a/$ORIGIN "
      "PYTHONPATH=. LD_PRELOAD=/lib/x.so LD_AUDIT=/lib/x.so NODE_OPTIONS=--require=/x PYTHONHOME=/x "
      "PYTHONSTARTUP=/x PERL5OPT=-Mx PERL5LIB=/x RUBYOPT=-rx JAVA_TOOL_OPTIONS=-javaagent:/x.jar "
      "GOFLAGS=-toolexec=/x GIT_EXTERNAL_DIFF=/x BASH_ENV=/x CLANGD_FLAGS=--query-driver=** CC=/x "
      "PATH=/bin LC=C XLC_ALL=C SYMBOLS=1";
  for (const std::string_view each : split(inherited, ' '))
    CHECK(allowed_environment({std::string(each)}, boundary) == Variables{std::string(each)});
  for (const std::string_view each : split(others, ' '))
    CHECK_MESSAGE(allowed_environment({std::string(each)}, boundary).empty(), each);
  CHECK(allowed_environment({"", "no variable"}, boundary).empty());

  struct Case {
    std::string variable;
    std::string inherited;  // empty: nothing
  };
  const Case cases[] = {
      {"HOME=" + outside, "HOME=" + outside},
      {"GOPATH=" + outside, "GOPATH=" + outside},
      {"GOPROXY=file://" + project + "/proxy", ""},
      {"HOME=" + project, ""},
      {"CONDA_PREFIX=" + project + "/env", ""},
      {"VIRTUAL_ENV=" + project, ""},
      {"VIRTUAL_ENV=" + into, ""},
      {"CARGO_HOME=" + outside + "/../project", ""},
      {"GEM_PATH=" + project, ""},
      {"CPATH=/opt/include:" + project, "CPATH=/opt/include:" + project},
      {"LD_LIBRARY_PATH=:/a", "LD_LIBRARY_PATH=/a"},
      {"LD_LIBRARY_PATH=/a::/b:", "LD_LIBRARY_PATH=/a:/b"},
      {"LD_LIBRARY_PATH=.:/a:lib", "LD_LIBRARY_PATH=/a"},
      {"PYTHONPATH=" + project + ":/a:" + into, "PYTHONPATH=/a"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.variable);
    CHECK(allowed_environment({c.variable}, boundary) ==
          (c.inherited.empty() ? Variables{} : Variables{c.inherited}));
  }
  CHECK(allowed_environment({"TZ=UTC", "X=1", "HOME=/", "TZ=UTC"}, boundary) ==
        Variables{"TZ=UTC", "HOME=/", "TZ=UTC"});
}

}  // namespace trust_boundary_test
}  // namespace symbols::servers
