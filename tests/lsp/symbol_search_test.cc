// Which symbols of a document a name means.
#include "lsp/symbol_search.h"

#include <doctest/doctest.h>

#include <string>

namespace symbol_search_test {
using namespace symbols::lsp;

struct Row {
  const char* name;
  std::int64_t kind;
  std::int32_t parent = -1;
  std::uint32_t lines = 1;
  const char* detail = "";
};

// One after the other; a symbol's selection is its line.
SymbolTree tree_of(std::initializer_list<Row> rows) {
  SymbolTree tree;
  std::uint32_t line = 0;
  for (const Row& row : rows) {
    DocumentSymbol& symbol = tree.symbols.emplace_back();
    symbol.name = row.name;
    symbol.kind = row.kind;
    symbol.parent = row.parent;
    symbol.detail = row.detail;
    symbol.range = {{line, 0}, {line + row.lines, 0}};
    symbol.selection_range = {{line, 0}, {line, 1}};
    ++line;
  }
  return tree;
}

// Their places in the tree: `2`, `1,3`, and what was passed over, `2 but 0`.
std::string places(const SymbolTree& tree, const char* name) {
  const NamedSymbols named = symbols_named(tree, name);
  std::string text;
  const auto append = [&](const std::vector<const DocumentSymbol*>& symbols) {
    for (const DocumentSymbol* symbol : symbols) {
      if (!text.empty() && text.back() != ' ') text += ',';
      text += std::to_string(symbol - tree.symbols.data());
    }
  };
  append(named.found);
  if (!named.others.empty()) text += " but ";
  append(named.others);
  return text;
}

DocumentSymbol placed(const char* name, Range range, Range selection, std::int32_t parent) {
  DocumentSymbol made;
  made.name = name;
  made.range = range;
  made.selection_range = selection;
  made.parent = parent;
  return made;
}

TEST_CASE("a name is a symbol's own, its last component, or its end with the containers") {
  const SymbolTree cpp = tree_of({{"leveldb", SymbolKind::namespace_},
                                  {"DBImpl::MakeRoomForWrite", SymbolKind::method, 0, 9, "Status (bool)"},
                                  {"DBImpl::Get", SymbolKind::method, 0},
                                  {"Table<K, V>::Get", SymbolKind::method, 0},
                                  {"operator<", SymbolKind::function, 0},
                                  {"Table::operator()", SymbolKind::method, 0}});
  CHECK(places(cpp, "MakeRoomForWrite") == "1");
  CHECK(places(cpp, "DBImpl::MakeRoomForWrite") == "1");
  CHECK(places(cpp, "leveldb::DBImpl::MakeRoomForWrite") == "1");
  CHECK(places(cpp, "RoomForWrite") == "");
  CHECK(places(cpp, "Get") == "2,3");
  CHECK(places(cpp, "Table::Get") == "3");
  CHECK(places(cpp, "Table.Get") == "3");
  CHECK(places(cpp, "operator<") == "4");
  CHECK(places(cpp, "operator()") == "5");
  CHECK(places(cpp, "Other::Get") == "");

  const SymbolTree go = tree_of({{"Table", SymbolKind::class_},
                                 {"(*Table).Open", SymbolKind::method},
                                 {"(T[K]).Open", SymbolKind::method}});
  CHECK(places(go, "Table") == "0");
  CHECK(places(go, "Open") == "1,2");
  CHECK(places(go, "Table.Open") == "1");
  CHECK(places(go, "(*Table).Open") == "1");
  CHECK(places(go, "T.Open") == "2");
}

TEST_CASE("of a name the outermost: a class before its constructors") {
  const SymbolTree tree = tree_of({{"Point", SymbolKind::class_, -1, 9},
                                   {"Point", SymbolKind::constructor, 0, 1, "()"},
                                   {"Point", SymbolKind::constructor, 0, 1, "(int)"},
                                   {"area", SymbolKind::variable},
                                   {"size", SymbolKind::method, 0},
                                   {"Line", SymbolKind::class_},
                                   {"size", SymbolKind::method, 5},
                                   {"DBImpl::Writer", SymbolKind::class_},
                                   {"Writer", SymbolKind::constructor, 7}});
  CHECK(places(tree, "Writer") == "7 but 8");
  CHECK(places(tree, "Point") == "0 but 1,2");
  CHECK(places(tree, "Point::Point") == "1 but 2");
  CHECK(places(tree, "size") == "4,6");
  CHECK(places(tree, "Line.size") == "6");
}

TEST_CASE("declarations of one thing are one") {
  const SymbolTree merged = tree_of({{"Effect", SymbolKind::variable, -1, 90},
                                     {"Effect", SymbolKind::interface, -1, 3},
                                     {"Effect", SymbolKind::namespace_, -1, 5}});
  CHECK(places(merged, "Effect") == "1 but 0,2");
  const SymbolTree typed =
      tree_of({{"Schema", SymbolKind::interface, -1, 3}, {"Schema", SymbolKind::variable, -1, 90}});
  CHECK(places(typed, "Schema") == "0 but 1");
  // clangd: a declaration, the definition, an overload.
  const SymbolTree cpp = tree_of({{"C", SymbolKind::class_, -1, 1},
                                  {"C", SymbolKind::class_, -1, 20},
                                  {"f", SymbolKind::method, 1, 0, "void (int)"},
                                  {"C::f", SymbolKind::method, -1, 5, "void (int)"},
                                  {"g", SymbolKind::function, -1, 1, "int ()"},
                                  {"g", SymbolKind::function, -1, 2, "int (int)"}});
  CHECK(places(cpp, "C") == "1 but 0");
  CHECK(places(cpp, "f") == "3 but 2");
  CHECK(places(cpp, "g") == "5 but 4");
  // What has no name of its own is never one with another.
  const SymbolTree tests = tree_of(
      {{"test(\"a\") callback", SymbolKind::function}, {"test(\"a\") callback", SymbolKind::function}});
  CHECK(places(tests, "test(\"a\") callback") == "0,1");
  const SymbolTree templates =
      tree_of({{"hash<int>", SymbolKind::class_}, {"hash<char>", SymbolKind::class_}});
  CHECK(places(templates, "hash") == "0,1");
  CHECK(places(templates, "hash<int>") == "0");
}

TEST_CASE("names that a wrong one may be a slip of") {
  const SymbolTree tree = tree_of({{"calculateArea", SymbolKind::function},
                                   {"calculate", SymbolKind::function},
                                   {"Shape::aera", SymbolKind::method},
                                   {"x", SymbolKind::variable}});
  const auto near = [&](const char* name) {
    std::string text;
    for (const DocumentSymbol* symbol : symbols_nearly_named(tree, name, 2))
      text += (text.empty() ? "" : ",") + symbol->name;
    return text;
  };
  CHECK(near("calculateaera") == "calculateArea");
  CHECK(near("area") == "");
  CHECK(near("aerae") == "Shape::aera");
  CHECK(near("unlike") == "");
  CHECK(near("y") == "");
}

TEST_CASE("the symbol that a position or a name means") {
  SymbolTree tree;
  tree.symbols = {placed("outer", {{0, 0}, {9, 0}}, {{0, 6}, {0, 11}}, -1),
                  placed("f", {{1, 0}, {3, 1}}, {{1, 4}, {1, 5}}, 0),
                  placed("f", {{4, 0}, {6, 1}}, {{4, 4}, {4, 5}}, 0)};
  CHECK(symbol_at(tree, {0, 8}) == &tree.symbols[0]);
  CHECK(symbol_at(tree, {1, 5}) == &tree.symbols[1]);
  CHECK(symbol_at(tree, {2, 0}) == nullptr);
  CHECK(innermost_around(tree, {2, 0}) == &tree.symbols[1]);
  CHECK(innermost_around(tree, {8, 0}) == &tree.symbols[0]);
  CHECK(innermost_around(tree, {10, 0}) == nullptr);
  CHECK(symbols_named(tree, "f").found == std::vector<const DocumentSymbol*>{&tree.symbols[1]});
  CHECK(symbols_named(tree, "F").found.empty());
}

TEST_CASE("which symbol is meant by a line") {
  const auto at = [](std::uint32_t line, std::uint32_t character) {
    return Range{{line, character}, {line, character}};
  };
  SymbolTree tree;
  tree.symbols = {placed("outer", {{0, 0}, {9, 1}}, at(0, 10), -1),  // namespace outer { class C {
                  placed("C", {{0, 18}, {8, 1}}, at(0, 24), 0),
                  placed("E", {{2, 0}, {2, 20}}, at(2, 5), 1),  // enum E { a, b };
                  placed("a", {{2, 9}, {2, 10}}, at(2, 9), 2),
                  placed("x", {{3, 0}, {3, 5}}, at(3, 4), 1),  // int x, y;
                  placed("y", {{3, 7}, {3, 8}}, at(3, 7), 1),
                  placed("f", {{4, 0}, {6, 1}}, at(5, 4), 1)};  // its type on the line before
  const char* const meant[] = {"C", nullptr, "E", "x", nullptr, "f", nullptr};
  for (std::uint32_t line = 0; line < std::size(meant); ++line) {
    CAPTURE(line);
    const DocumentSymbol* found = symbol_on_line(tree, line);
    CHECK((found == nullptr ? "" : found->name) == (meant[line] == nullptr ? "" : meant[line]));
  }
}

}  // namespace symbol_search_test
