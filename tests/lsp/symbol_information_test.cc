#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
#include <vector>

#include "lsp/document_symbol.h"

namespace symbols::lsp {
namespace symbol_information_test {

DocumentSymbol symbol(std::string name, std::string container, Range range) {
  DocumentSymbol symbol;
  symbol.name = std::move(name);
  symbol.kind = 5;
  symbol.container_name = std::move(container);
  symbol.range = range;
  symbol.selection_range = {range.start, range.start};
  return symbol;
}

DocumentSymbol child(std::string name, std::int32_t parent, Range range) {
  DocumentSymbol made = symbol(std::move(name), "", range);
  made.parent = parent;
  return made;
}

// Within the first line.
Range columns(std::uint32_t from, std::uint32_t to) {
  return {{0, from}, {0, to}};
}

TEST_CASE("of containers with one name the smallest around a symbol is its parent") {
  struct Case {
    std::string what;
    std::vector<Range> named;
    Range inner;
    int parent;  // which of `named`, also where none contains it
  };
  const Case cases[] = {
      {"one beside", {columns(0, 5), columns(5, 9)}, columns(1, 2), 0},
      {"one within the other", {columns(0, 9), columns(1, 8), columns(2, 3)}, columns(4, 5), 1},
      {"the order does not matter", {columns(1, 8), columns(0, 9), columns(2, 3)}, columns(4, 5), 0},
      {"one start", {columns(0, 9), columns(0, 5), columns(0, 7)}, columns(0, 4), 1},
      {"one end", {columns(0, 9), columns(3, 9), columns(1, 9)}, columns(4, 9), 1},
      {"one range: the last before it", {columns(0, 9), columns(2, 4), columns(2, 4)}, columns(2, 4), 2},
      {"an empty one", {columns(0, 9), columns(3, 3), columns(2, 3)}, columns(3, 3), 1},
      {"at the start", {columns(0, 0), columns(0, 9), columns(4, 5)}, columns(0, 0), 0},
      {"crossing: the one that starts last", {columns(0, 6), columns(2, 9)}, columns(3, 5), 1},
      {"three of five in the way",
       {columns(0, 9), columns(1, 2), columns(2, 3), columns(3, 4), columns(4, 5)},
       columns(6, 7),
       0},
      {"none around", {columns(0, 2), columns(3, 4), columns(4, 5)}, columns(7, 8), 2},
      {"none around, in another order than they start", {columns(4, 5), columns(0, 2)}, columns(7, 8), 0},
  };
  for (const Case& c : cases) {
    CAPTURE(c.what);
    std::vector<DocumentSymbol> symbols;
    for (std::size_t i = 0; i < c.named.size(); ++i) {
      symbols.push_back(symbol("N", "", c.named[i]));
      symbols.back().kind = static_cast<std::int32_t>(i);
    }
    symbols.push_back(symbol("apart", "", columns(100, 101)));  // ends the path: all are elsewhere now
    symbols.push_back(symbol("inner", "N", c.inner));
    const SymbolTree tree = nest_flat_symbols(std::move(symbols), "");
    for (const DocumentSymbol& row : tree.symbols) {
      if (row.name != "inner") continue;
      REQUIRE(row.parent >= 0);
      CHECK(tree.symbols[static_cast<std::size_t>(row.parent)].kind == c.parent);
    }
  }
}

TEST_CASE("a hundred thousand symbols of one name nest as few do") {
  constexpr std::uint32_t count = 100'000;
  struct Case {
    std::string what;
    DocumentSymbol (*make)(std::uint32_t);
    std::int32_t (*parent)(std::int32_t);
  };
  const Case cases[] = {
      {"each in the one before it in name alone",
       [](std::uint32_t i) { return symbol("a", i == 0 ? "" : "a", columns(i, i + 1)); },
       [](std::int32_t i) { return i - 1; }},
      {"containers first, then what is in them",
       [](std::uint32_t i) {
         return i < count / 2 ? symbol("N", "", columns(4 * i, 4 * i + 4))
                              : symbol("x", "N", columns(4 * (i - count / 2) + 1, 4 * (i - count / 2) + 2));
       },
       [](std::int32_t i) { return i % 2 == 0 ? -1 : i - 1; }},
      {"in a first one, all beside each other, as elements of HTML",
       [](std::uint32_t i) {
         return i == 0 ? symbol("div", "", columns(0, 4 * count))
                       : symbol("div", "div", columns(4 * i, 4 * i + 2));
       },
       [](std::int32_t i) { return i == 0 ? -1 : 0; }},
      {"all around one another, two chains in turn",
       [](std::uint32_t i) {
         const std::uint32_t from = i % 2 * 10 * count + i;
         const char* const name = i % 2 == 0 ? "a" : "b";
         return symbol(name, i < 2 ? "" : name, columns(from, 5 * count + from - 2 * i));
       },
       [](std::int32_t i) { return i == 0 || i == static_cast<std::int32_t>(count) / 2 ? -1 : i - 1; }},
  };
  for (const Case& c : cases) {
    CAPTURE(c.what);
    std::vector<DocumentSymbol> symbols;
    for (std::uint32_t i = 0; i < count; ++i) symbols.push_back(c.make(i));
    const SymbolTree tree = nest_flat_symbols(std::move(symbols), "");
    REQUIRE(tree.symbols.size() == count);
    std::int32_t wrong = 0;
    for (std::int32_t i = 0; i < static_cast<std::int32_t>(count); ++i)
      wrong += tree.symbols[static_cast<std::size_t>(i)].parent != c.parent(i);
    CHECK(wrong == 0);
  }
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
  DocumentSymbol full = symbol("f\"\n😀", "", range);
  full.kind = -255;
  full.tags = {1, 2};
  full.deprecated = true;
  full.detail = "not in it";
  full.selection_range = {{9, 9}, {9, 9}};
  const DocumentSymbol flat = symbol("f", "else\\where", range);
  const Case cases[] = {
      {"none", {}, "[]"},
      {"one", {{symbol("f", "", range)}}, R"([{"name":"f","kind":5,)" + location + "}]"},
      {"all members",
       {{full}},
       R"([{"name":"f\"\n\ud83d\ude00","kind":-255,"tags":[1,2],"deprecated":true,)" + location + "}]"},
      {"a container that is no symbol",
       {{flat}},
       R"([{"name":"f","kind":5,)" + location + R"(,"containerName":"else\\where"}])"},
      {"a parent",
       {{symbol("é", "", range), child("m", 0, range)}},
       R"([{"name":"\u00e9","kind":5,)" + location + R"(},{"name":"m","kind":5,)" + location +
           R"(,"containerName":"\u00e9"}])"},
      {"a parent without a name",
       {{symbol("", "", range), child("m", 0, range)}},
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
    tree.symbols.push_back(child("s" + std::to_string(index), parent, range));
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

}  // namespace symbol_information_test
}  // namespace symbols::lsp
