#include "proxy/index/name_match.h"

#include <doctest/doctest.h>

#include <sstream>
#include <string>
#include <tuple>

namespace symbols::index {
namespace name_match_test {

TEST_CASE("index: how well a name fits") {
  using enum NameFit;
  struct Case {
    const char* name;
    const char* query;
    std::optional<NameFit> fit;
  };
  for (const Case& c : {Case{"Cache", "Cache", exact_case}, Case{"cache", "Cache", exact},
                        Case{"CacheLine", "Cache", prefix_case}, Case{"CacheLine", "cache", prefix},
                        Case{"hover_cache", "cache", word_start}, Case{"uncached_cache", "cache", word_start},
                        Case{"uncached", "cache", inside}, Case{"HoverCache", "hc", words},
                        Case{"HoverCache", "hovca", words}, Case{"HTTPServer", "hs", words},
                        Case{"vector_v2", "v2", word_start}, Case{"HoverCache", "oc", {}},
                        Case{"Hover", "hovers", {}}, Case{"Hover", "", {}}, Case{"", "a", {}}})
    CHECK_MESSAGE(name_fit(c.name, c.query) == c.fit, c.name, " ", c.query);
  // One that is made to be slow.
  CHECK_FALSE(name_fit(std::string(50'000, 'a') + "_a", std::string(40, 'a') + "b"));
}

TEST_CASE("index: a name and its qualifier") {
  for (const auto& [text, qualifier, name] : {std::tuple{"open", "", "open"},
                                              {"Table::open", "Table", "open"},
                                              {"a::Table::open", "a::Table", "open"},
                                              {"Table.open", "Table", "open"},
                                              {"a::B.c", "a::B", "c"},
                                              {"a.B::c", "a.B", "c"},
                                              {"Table::", "", "Table::"},
                                              {".", "", "."}}) {
    const QualifiedName parts = split_name(text);
    CHECK(parts.qualifier == qualifier);
    CHECK(parts.name == name);
  }
}

TEST_CASE("index: the scope of a name") {
  CHECK(scope_of("ns", "open") == "ns");
  CHECK(scope_of("ns", "Table::open") == "ns::Table");
  CHECK(scope_of("", "(*Table).Open") == "Table");
  CHECK(scope_of("", "Table<K, V<int>>::open") == "Table");
  CHECK(scope_of("", "open").empty());
  CHECK(may_be_one_scope("leveldb::Table", "table"));
  CHECK(may_be_one_scope("Table", "leveldb::Table"));
  CHECK(may_be_one_scope("Table", "Table"));
  CHECK(may_be_one_scope("", ""));
  CHECK_FALSE(may_be_one_scope("MyTable", "Table"));
  CHECK_FALSE(may_be_one_scope("", "Table"));
}

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

}  // namespace name_match_test
}  // namespace symbols::index
