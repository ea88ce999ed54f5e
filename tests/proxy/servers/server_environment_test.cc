#include "proxy/servers/server_environment.h"

#include <doctest/doctest.h>

#include "tests/proxy/temporary_folder.h"

namespace symbols::servers {
namespace {

using Variables = std::vector<std::string>;

TEST_CASE("what a server inherits for a project that is not trusted") {
  const TemporaryFolder folder;
  const std::string project = folder.make_folder("project");
  const std::string outside = folder.make_folder("outside");
  folder.make_folder("project/lib");
  const std::string into = folder.link("outside/into", "../project/lib");
  const ProjectBoundary boundary(project, false);

  struct Case {
    std::string variable;
    std::string inherited;  // empty: nothing
  };
  const auto same = [](const std::string& variable) { return Case{variable, variable}; };
  const auto none = [](const std::string& variable) { return Case{variable, ""}; };
  const Case cases[] = {
      // A word.
      same("LANG=de_DE.UTF-8"),
      same("LC_ALL=C"),
      same("LC_CTYPE="),
      same("USER=me"),
      same("GOOS=linux"),
      same("RUSTUP_TOOLCHAIN=nightly"),
      none("LC_ALL=../project/locale"),
      none("RUSTUP_TOOLCHAIN=/toolchain"),
      none("GOTOOLCHAIN=./go"),
      // A text.
      same("TZ=Europe/Berlin"),
      same("https_proxy=http://proxy:3128"),
      same("GOPRIVATE=example.com/*"),
      same("GOPROXY=https://proxy.example,direct"),
      none("GOPROXY=file://" + project + "/proxy"),
      same("CPATH=/opt/include:" + project),
      same("SYMBOLS_TEST_RUN=1-2"),
      same("SYMBOLS_FORMAT=a=b"),
      // A path.
      same("HOME=" + outside),
      same("TMPDIR=/"),
      same("CONDA_PREFIX=/opt/conda"),
      same("JAVA_HOME=/none/such"),
      none("HOME=" + project),
      none("HOME="),
      none("CONDA_PREFIX=."),
      none("CONDA_PREFIX=" + project + "/env"),
      none("VIRTUAL_ENV=" + project),
      none("VIRTUAL_ENV=" + into),
      none("CARGO_HOME=" + outside + "/../project"),
      none("GOROOT=go"),
      // Folders.
      same("GOPATH=" + outside),
      same("LD_LIBRARY_PATH=/a:/b"),
      {"LD_LIBRARY_PATH=:/a", "LD_LIBRARY_PATH=/a"},
      {"LD_LIBRARY_PATH=/a::/b:", "LD_LIBRARY_PATH=/a:/b"},
      {"LD_LIBRARY_PATH=.:/a:lib", "LD_LIBRARY_PATH=/a"},
      none("LD_LIBRARY_PATH="),
      none("LD_LIBRARY_PATH=:"),
      none("LD_LIBRARY_PATH=/a;."),
      none("LD_LIBRARY_PATH=/a/$ORIGIN"),
      {"PYTHONPATH=" + project + ":/a:" + into, "PYTHONPATH=/a"},
      none("PYTHONPATH=."),
      none("GEM_PATH=" + project),
      // Not listed.
      none("LD_PRELOAD=/lib/x.so"),
      none("LD_AUDIT=/lib/x.so"),
      none("NODE_OPTIONS=--require=/x"),
      none("PYTHONHOME=/x"),
      none("PYTHONSTARTUP=/x"),
      none("PERL5OPT=-Mx"),
      none("PERL5LIB=/x"),
      none("RUBYOPT=-rx"),
      none("JAVA_TOOL_OPTIONS=-javaagent:/x.jar"),
      none("GOFLAGS=-toolexec=/x"),
      none("GIT_EXTERNAL_DIFF=/x"),
      none("BASH_ENV=/x"),
      none("CLANGD_FLAGS=--query-driver=**"),
      none("CC=/x"),
      none("PATH=/bin"),
      none("LC=C"),
      none("XLC_ALL=C"),
      none("SYMBOLS=1"),
      none("no variable"),
      none(""),
  };
  for (const Case& c : cases) {
    CAPTURE(c.variable);
    CHECK(allowed_environment({c.variable}, boundary) ==
          (c.inherited.empty() ? Variables{} : Variables{c.inherited}));
  }
  CHECK(allowed_environment({"TZ=UTC", "X=1", "HOME=/", "TZ=UTC"}, boundary) ==
        Variables{"TZ=UTC", "HOME=/", "TZ=UTC"});
}

}  // namespace
}  // namespace symbols::servers
