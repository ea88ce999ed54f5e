// Paths that settings leave out.
#include "proxy/files/ignored_paths.h"

#include <doctest/doctest.h>

using namespace symbols::files;

TEST_CASE("ignored paths: patterns hold below their folder, at any depth, and add up") {
  IgnoredPaths ignored;
  CHECK(ignored.empty());
  ignored.add("/p", {"/vendor/", "*.min.js", "!keep.min.js"});
  ignored.add("/p/sub", {"only-here.c"});
  ignored.add("/p", {"/vendor/", "*.min.js", "!keep.min.js"});
  struct Case {
    const char* path;
    bool left_out;
  };
  const Case cases[] = {
      {"/p/a.c", false},         {"/p/vendor/a.c", true},         {"/p/sub/vendor/a.c", false},
      {"/p/x/y/b.min.js", true}, {"/p/x/keep.min.js", false},     {"/p/sub/only-here.c", true},
      {"/p/only-here.c", false}, {"/q/vendor/a.c", false},        {"/pq/b.min.js", false},
      {"/p/vendor", false},      {"/p/vendor/keep.min.js", true},
  };
  for (const Case& c : cases) {
    CAPTURE(c.path);
    CHECK(ignored.leaves_out(c.path) == c.left_out);
  }
  CHECK(ignored.ignores("/p/vendor", true));
  CHECK(!ignored.ignores("/p/vendor/a.c", false));
  IgnoredPaths others;
  others.add(ignored);
  CHECK(others.leaves_out("/p/sub/only-here.c"));
  CHECK(!IgnoredPaths().leaves_out("/p/a.c"));
}
