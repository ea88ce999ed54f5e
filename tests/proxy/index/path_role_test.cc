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

TEST_CASE("paths: which files are sources, support them, or are built from them") {
  const auto are = [](FileRole role) {
    return [role](const std::string& path) { return file_role(path) == role; };
  };
  const std::string sources =
      "src/a.ts attest.py latest.py contest/a.py test.d/a.cc build/a.py build/a.cc template/a.py a.js "
      "Makefile .a src/testing.cc contest_data/a.py";
  CHECK(those(sources, are(FileRole::source)) == sources);
  const std::string support =
      "tests/a.py src/Test/a.java src/__tests__/a.ts a_test.go a.test.tsx a.test-spec.ts test_a.py "
      "src/conftest.py src/build_log_test.cc fixtures/a.ts templates/a.js a.css admin/a.html package.json "
      "README.md vendor/a.go third_party/a.h pip/_vendor/a.py api_pb2.py api.pb.go routes.gen.ts "
      "examples/a/b.ts locale/de/formats.py";
  CHECK(those(support, are(FileRole::support)) == support);
  const std::string built = "dist/a.js a.min.js a.d.ts lib/a.cjs build/lib/a.py a.pyi tests/a.d.ts";
  CHECK(those(built, are(FileRole::built)) == built);
}

}  // namespace
}  // namespace symbols::index
