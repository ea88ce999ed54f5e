#include "proxy/index/name_match.h"

#include <doctest/doctest.h>

#include <string>

namespace symbols::index {
namespace {

TEST_CASE("index: how well a name fits") {
  CHECK(name_fit("Cache", "Cache") == NameFit::exact_case);
  CHECK(name_fit("cache", "Cache") == NameFit::exact);
  CHECK(name_fit("CacheLine", "Cache") == NameFit::prefix_case);
  CHECK(name_fit("CacheLine", "cache") == NameFit::prefix);
  CHECK(name_fit("hover_cache", "cache") == NameFit::word_start);
  CHECK(name_fit("uncached_cache", "cache") == NameFit::word_start);
  CHECK(name_fit("uncached", "cache") == NameFit::inside);
  CHECK(name_fit("HoverCache", "hc") == NameFit::words);
  CHECK(name_fit("HoverCache", "hovca") == NameFit::words);
  CHECK(name_fit("HTTPServer", "hs") == NameFit::words);
  CHECK(name_fit("vector_v2", "v2") == NameFit::word_start);
  CHECK_FALSE(name_fit("HoverCache", "oc"));
  CHECK_FALSE(name_fit("Hover", "hovers"));
  CHECK_FALSE(name_fit("Hover", ""));
  CHECK_FALSE(name_fit("", "a"));
}

TEST_CASE("index: a name that is made to be slow is given up on") {
  CHECK_FALSE(name_fit(std::string(50'000, 'a') + "_a", std::string(40, 'a') + "b"));
}

TEST_CASE("index: a name and its qualifier") {
  const auto is = [](std::string_view text, std::string_view qualifier, std::string_view name) {
    const QualifiedName parts = split_name(text);
    CHECK(parts.qualifier == qualifier);
    CHECK(parts.name == name);
  };
  is("open", "", "open");
  is("Table::open", "Table", "open");
  is("a::Table::open", "a::Table", "open");
  is("Table.open", "Table", "open");
  is("a::B.c", "a::B", "c");
  is("a.B::c", "a.B", "c");
  is("Table::", "", "Table::");
  is(".", "", ".");
  CHECK(ends_in_qualifier("leveldb::Table", "table"));
  CHECK(ends_in_qualifier("Table", "Table"));
  CHECK_FALSE(ends_in_qualifier("MyTable", "Table"));
  CHECK_FALSE(ends_in_qualifier("", "Table"));
}

}  // namespace
}  // namespace symbols::index
