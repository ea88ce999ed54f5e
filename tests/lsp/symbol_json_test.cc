#include "lsp/symbol_json.h"

#include <doctest/doctest.h>

#include <string>

#include "lsp/json/json_document.h"
#include "lsp/unicode.h"

namespace symbols::lsp {
namespace {

DocumentSymbol symbol(std::string name, std::int32_t parent, Range range) {
  DocumentSymbol symbol;
  symbol.name = std::move(name);
  symbol.kind = 5;
  symbol.parent = parent;
  symbol.range = range;
  symbol.selection_range = {range.start, range.start};
  return symbol;
}

TEST_CASE("symbol information: its members") {
  struct Case {
    const char* what;
    SymbolTree tree;
    std::string json;
  };
  const Range range{{1, 2}, {3, 4}};
  const std::string location =
      R"("location":{"uri":"file:///a%20b/\u00e9.ts",)"
      R"("range":{"start":{"line":1,"character":2},"end":{"line":3,"character":4}}})";
  DocumentSymbol full = symbol("f\"\n😀", -1, range);
  full.kind = -255;
  full.tags = {1, 2};
  full.deprecated = true;
  full.detail = "not in it";
  full.selection_range = {{9, 9}, {9, 9}};
  DocumentSymbol flat = symbol("f", -1, range);
  flat.container_name = "else\\where";
  const Case cases[] = {
      {"none", {}, "[]"},
      {"one", {{symbol("f", -1, range)}}, R"([{"name":"f","kind":5,)" + location + "}]"},
      {"all members",
       {{full}},
       R"([{"name":"f\"\n\ud83d\ude00","kind":-255,"tags":[1,2],"deprecated":true,)" + location + "}]"},
      {"a container that is no symbol",
       {{flat}},
       R"([{"name":"f","kind":5,)" + location + R"(,"containerName":"else\\where"}])"},
      {"a parent",
       {{symbol("é", -1, range), symbol("m", 0, range)}},
       R"([{"name":"\u00e9","kind":5,)" + location + R"(},{"name":"m","kind":5,)" + location +
           R"(,"containerName":"\u00e9"}])"},
      {"a parent without a name",
       {{symbol("", -1, range), symbol("m", 0, range)}},
       R"([{"name":"","kind":5,)" + location + R"(},{"name":"m","kind":5,)" + location + "}]"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.what);
    CHECK(write_symbol_information_json(c.tree, "file:///a%20b/é.ts") == c.json);
  }
}

TEST_CASE("symbol information: a tree of distinct names can be read back from it") {
  SymbolTree tree;
  // Four levels, three children each; the children within their parents.
  const auto grow = [&](auto& self, std::int32_t parent, Range range, std::size_t depth) -> void {
    const auto index = static_cast<std::int32_t>(tree.symbols.size());
    tree.symbols.push_back(symbol("s" + std::to_string(index), parent, range));
    tree.symbols.back().kind = 1 + index % 26;
    tree.symbols.back().deprecated = index % 5 == 0;
    if (index % 7 == 0) tree.symbols.back().tags = {1};
    const std::uint32_t third = (range.end.line - range.start.line) / 3;
    for (std::uint32_t i = 0; i < 3 && depth > 1; ++i) {
      const std::uint32_t first = range.start.line + i * third;
      self(self, index, {{first, i + 1}, {first + third, 0}}, depth - 1);
    }
  };
  grow(grow, -1, {{0, 0}, {81, 0}}, 4);
  grow(grow, -1, {{81, 0}, {4294967295, 4294967295}}, 4);
  REQUIRE(tree.symbols.size() == 80);
  const Result<SymbolTree> read = decode_document_symbols(write_symbol_information_json(tree, "file:///a"));
  REQUIRE(read.has_value());
  CHECK(*read == tree);
}

TEST_CASE("symbol information: a chain of any depth costs no stack") {
  SymbolTree tree;
  for (std::int32_t i = 0; i < 200'000; ++i) tree.symbols.push_back(symbol("\xFF", i - 1, {}));
  const std::string json = write_symbol_information_json(tree, "file:///\xFF");
  CHECK(find_non_ascii(json) == std::string_view::npos);
  const Result<rapidjson::Document> document = parse_json(json);
  REQUIRE(document.has_value());
  REQUIRE(document->Size() == tree.symbols.size());
  CHECK(std::string_view((*document)[199'999]["containerName"].GetString()) == "\xEF\xBF\xBD");
}

}  // namespace
}  // namespace symbols::lsp
