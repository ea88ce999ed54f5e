#include "proxy/index/path_role.h"

#include <doctest/doctest.h>

#include <sstream>
#include <string>

namespace symbols::index {
namespace {

// Those of the paths, with blanks between, for which `is` holds.
template <class Is>
std::string those(const std::string& paths, Is is) {
  std::istringstream rest(paths);
  std::string found;
  for (std::string path; rest >> path;) {
    if (is(path)) found += (found.empty() ? "" : " ") + path;
  }
  return found;
}

TEST_CASE(
    "paths: tests, fixtures, templates, styles, what is built, generated or somebody else's come last") {
  const std::string last =
      "tests/a.py src/__tests__/a.ts a_test.go a.test.tsx a.test-spec.ts test_a.py conftest.py "
      "src/build_log_test.cc "
      "fixtures/a.ts templates/a.js a.css admin/a.html package.json README.md vendor/a.go third_party/a.h "
      "dist/a.js a.min.js a.d.ts api_pb2.py api.pb.go routes.gen.ts examples/a.rs locale/de/formats.py";
  const auto is_last = [](const std::string& path) { return file_role(path) != FileRole::source; };
  CHECK(those(last, is_last) == last);
  CHECK(
      those("src/a.ts attest.py latest.py contest/a.py test.d/a.cc build/a.py template/a.py a.js Makefile .a",
            is_last)
          .empty());
}

TEST_CASE("paths: files that are not a project's sources") {
  const auto roles = [](std::initializer_list<const char*> paths) {
    std::string all;
    for (const char* const path : paths) all += "s-b"[static_cast<std::size_t>(file_role(path))];
    return all;
  };
  CHECK(roles({"a.ts", "src/testing.cc", "src/latest.go", "build/a.cc", "contest_data/a.py"}) == "sssss");
  CHECK(roles({"tests/a.py", "src/Test/a.java", "pkg/a_test.go", "a.test.tsx", "test_a.py",
               "pip/_vendor/a.py", "examples/a/b.ts", "third_party/a.c", "src/conftest.py"}) == "---------");
  CHECK(roles({"a.d.ts", "lib/a.cjs", "dist/a.js", "build/lib/a.py", "a.pyi", "tests/a.d.ts"}) == "bbbbbb");
}

TEST_CASE("paths: of files that restate each other one is the source") {
  const auto is_of_a = [](const std::string& path) { return source_key(path) == source_key("p/src/a.ts"); };
  const std::string same =
      "p/src/a.ts p/a.js p/a.cjs p/a.d.cts p/dist/esm/a.js p/types/a.d.ts p/lib/a.min.js p/a.pyi";
  CHECK(those(same, is_of_a) == same);
  CHECK(those("a.ts p/b.ts p/a.test.ts q/a.ts p/a p/a.h", is_of_a).empty());
  CHECK(source_key("p/a.h").empty());
  CHECK(those(same, [](const std::string& path) { return distance_from_source(path) == 0; }) == "p/src/a.ts");
  CHECK(those(same, [](const std::string& path) { return distance_from_source(path) == 1; }) == "p/a.js");
}

}  // namespace
}  // namespace symbols::index
