// Which symbols of a document a name means.
#include "lsp/symbol_search.h"

#include <doctest/doctest.h>

#include <string>

using namespace symbols::lsp;

namespace {

enum Kind : std::int64_t {
  name_space = 3,
  class_type = 5,
  method = 6,
  constructor = 9,
  interface = 11,
  function = 12,
  variable = 13
};

struct Row {
  const char* name;
  Kind kind;
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

}  // namespace

TEST_CASE("a name is a symbol's own, its last component, or its end with the containers") {
  const SymbolTree cpp = tree_of({{"leveldb", name_space},
                                  {"DBImpl::MakeRoomForWrite", method, 0, 9, "Status (bool)"},
                                  {"DBImpl::Get", method, 0},
                                  {"Table<K, V>::Get", method, 0},
                                  {"operator<", function, 0},
                                  {"Table::operator()", method, 0}});
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

  const SymbolTree go = tree_of({{"Table", class_type}, {"(*Table).Open", method}, {"(T[K]).Open", method}});
  CHECK(places(go, "Table") == "0");
  CHECK(places(go, "Open") == "1,2");
  CHECK(places(go, "Table.Open") == "1");
  CHECK(places(go, "(*Table).Open") == "1");
  CHECK(places(go, "T.Open") == "2");
}

TEST_CASE("of a name the outermost: a class before its constructors") {
  const SymbolTree tree = tree_of({{"Point", class_type, -1, 9},
                                   {"Point", constructor, 0, 1, "()"},
                                   {"Point", constructor, 0, 1, "(int)"},
                                   {"area", variable},
                                   {"size", method, 0},
                                   {"Line", class_type},
                                   {"size", method, 5},
                                   {"DBImpl::Writer", class_type},
                                   {"Writer", constructor, 7}});
  CHECK(places(tree, "Writer") == "7 but 8");
  CHECK(places(tree, "Point") == "0 but 1,2");
  CHECK(places(tree, "Point::Point") == "1 but 2");
  CHECK(places(tree, "size") == "4,6");
  CHECK(places(tree, "Line.size") == "6");
}

TEST_CASE("declarations of one thing are one") {
  const SymbolTree merged =
      tree_of({{"Effect", variable, -1, 90}, {"Effect", interface, -1, 3}, {"Effect", name_space, -1, 5}});
  CHECK(places(merged, "Effect") == "1 but 0,2");
  const SymbolTree typed = tree_of({{"Schema", interface, -1, 3}, {"Schema", variable, -1, 90}});
  CHECK(places(typed, "Schema") == "0 but 1");
  // clangd: a declaration, the definition, an overload.
  const SymbolTree cpp = tree_of({{"C", class_type, -1, 1},
                                  {"C", class_type, -1, 20},
                                  {"f", method, 1, 0, "void (int)"},
                                  {"C::f", method, -1, 5, "void (int)"},
                                  {"g", function, -1, 1, "int ()"},
                                  {"g", function, -1, 2, "int (int)"}});
  CHECK(places(cpp, "C") == "1 but 0");
  CHECK(places(cpp, "f") == "3 but 2");
  CHECK(places(cpp, "g") == "5 but 4");
  // What has no name of its own is never one with another.
  const SymbolTree tests = tree_of({{"test(\"a\") callback", function}, {"test(\"a\") callback", function}});
  CHECK(places(tests, "test(\"a\") callback") == "0,1");
  const SymbolTree templates = tree_of({{"hash<int>", class_type}, {"hash<char>", class_type}});
  CHECK(places(templates, "hash") == "0,1");
  CHECK(places(templates, "hash<int>") == "0");
}

TEST_CASE("names that a wrong one may be a slip of") {
  const SymbolTree tree = tree_of(
      {{"calculateArea", function}, {"calculate", function}, {"Shape::aera", method}, {"x", variable}});
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
