#include "proxy/servers/trust_boundary.h"

#include <doctest/doctest.h>

#include <vector>

namespace symbols::servers {
namespace {

namespace fs = std::filesystem;

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

}  // namespace
}  // namespace symbols::servers
