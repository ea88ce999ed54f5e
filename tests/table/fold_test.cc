
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "table/formats/format.h"
#include "table/selection.h"
#include "tests/table/made_row.h"

namespace symbols::table {
namespace fold_test {

// A symbol of one line, on line `line`, whose selection is its whole range.
lsp::DocumentSymbol symbol(std::string name, std::int64_t kind, std::uint32_t line,
                           std::int32_t parent = -1) {
  const lsp::Range range{{line, 0}, {line, 9}};
  return {.name = std::move(name), .kind = kind, .range = range, .selection_range = range, .parent = parent};
}

std::string shown(const SymbolRows& rows) {
  return write_tree(rows, {fields_of(Verbosity::minimal)});
}

bool has_folded(const SymbolRows& rows) {
  return std::ranges::any_of(rows.all, [](const Row& row) { return row.folded != Folded{}; });
}

TEST_CASE("fold: what lies inside functions, variables and their like is counted") {
  const lsp::SymbolTree tree{{symbol("C", 5, 0), symbol("m", 6, 1, 0), symbol("parameter", 13, 2, 1),
                              symbol("inner", 12, 3, 1), symbol("local", 13, 4, 3), symbol("field", 8, 5, 0),
                              symbol("part", 8, 6, 5), symbol("v", 14, 7), symbol("key", 7, 8, 7)}};
  const SymbolRows folded = fold_locals(numbered(tree));
  CHECK(shown(folded) == "c1 C\n m2 m+3\n F6 field\n  F7 part\nk8 v+1");
  CHECK(numbers_of(folded) == std::vector<std::size_t>{0, 1, 5, 6, 7});
  CHECK_FALSE(has_folded(fold_locals(lsp::SymbolTree{{symbol("C", 5, 0)}})));
}

TEST_CASE("fold: of a long run of constants or enum members the first are left") {
  const auto run = [](std::int64_t kind, std::size_t count) {
    lsp::SymbolTree tree{{symbol("E", 10, 0)}};
    for (std::size_t i = 0; i < count; ++i) {
      tree.symbols.push_back(
          symbol(std::string(1, static_cast<char>('a' + i)), kind, static_cast<std::uint32_t>(i) + 1, 0));
    }
    return tree;
  };
  CHECK(shown(fold_locals(run(22, 15))) == "e1 E\n E2 a b c d e f g h i j k l m n o");
  CHECK(shown(fold_locals(run(22, 16))) == "e1 E\n E2 a b c d e f…+10");
  CHECK(shown(fold_locals(run(14, 20))) == "e1 E\n k2 a b c d e f…+14");
  CHECK_FALSE(has_folded(fold_locals(run(8, 16))));
  CHECK_FALSE(has_folded(fold_locals(run(14, 20), {}, false)));

  // What ends a run: an empty line, another kind or parent, several lines, something inside.
  lsp::SymbolTree gap = run(14, 19);
  for (std::size_t row = 3; row < gap.symbols.size(); ++row)
    gap.symbols[row].range.start.line = gap.symbols[row].range.end.line += 1;
  CHECK(shown(fold_locals(gap)) == "e1 E\n k2 a b k5 c d e f g h…+11");
  lsp::SymbolTree kinds = run(14, 16);
  kinds.symbols[6].kind = 22;
  CHECK_FALSE(has_folded(fold_locals(kinds)));
  lsp::SymbolTree lines = run(14, 16);
  lines.symbols[16].range.end.line += 1;
  CHECK_FALSE(has_folded(fold_locals(lines)));
  lsp::SymbolTree parents = run(14, 16);
  parents.symbols[1].parent = -1;
  CHECK_FALSE(has_folded(fold_locals(parents)));
  lsp::SymbolTree inside = run(22, 16);
  inside.symbols.push_back(symbol("z", 8, 17, 16));
  CHECK(shown(fold_locals(inside)) == "e1 E\n E2 a b c d e f g h i j k l m n o\n E17 p\n  F18 z");

  // What follows a run keeps its parent, and its place in what was asked.
  lsp::SymbolTree after = run(22, 16);
  after.symbols.push_back(symbol("C", 5, 20));
  after.symbols.push_back(symbol("m", 8, 21, 17));
  const SymbolRows folded = fold_locals(numbered(after));
  CHECK(shown(folded) == "e1 E\n E2 a b c d e f…+10\nc21 C\n F22 m");
  CHECK(numbers_of(folded) == std::vector<std::size_t>{0, 1, 2, 3, 4, 5, 6, 17, 18});
}

TEST_CASE("fold: the rows of one macro are one, called as what it declares") {
  const lsp::SymbolTree tree{{symbol("TEST", 21, 0), symbol("Suite_Name_Test", 5, 0, 0),
                              symbol("TestBody", 6, 0, 1), symbol("other", 8, 1, 1), symbol("f", 12, 3),
                              symbol("x", 13, 4, 4)}};
  const SymbolRows folded = fold_locals(numbered(tree));
  CHECK(shown(folded) == "c1 Suite_Name_Test+1\n F2 other\nf4 f+1");
  CHECK(numbers_of(folded) == std::vector<std::size_t>{1, 3, 4});

  const lsp::SymbolTree test{{symbol("TEST", 21, 0), symbol("A_Test", 5, 0, 0),
                              symbol("A_Test::info_", 7, 0, 0), symbol("A_Test::TestBody", 6, 0, 0),
                              symbol("x", 13, 1, 3)}};
  CHECK(shown(fold_locals(test)) == "c1 A_Test+3");

  // A macro that declares two things has a row for each, in the class that it is in.
  const lsp::SymbolTree two{{symbol("Foo", 5, 0), symbol("PROPERTY", 21, 1, 0), symbol("setWidth", 6, 1, 1),
                             symbol("width_", 8, 1, 1), symbol("x", 13, 1, 2), symbol("last", 8, 2, 0)}};
  CHECK(shown(fold_locals(two)) == "c1 Foo\n m2 setWidth+1 F2 width_ last");
  const lsp::SymbolTree nested{
      {symbol("A", 21, 0), symbol("B", 21, 0, 0), symbol("b", 12, 0, 1), symbol("a", 13, 0, 0)}};
  CHECK(shown(fold_locals(nested)) == "f1 b v1 a");
  // A member that is selected as its class is, without a macro, is a member.
  const lsp::SymbolTree member{{symbol("Foo", 5, 0), symbol("bar", 6, 0, 0)}};
  CHECK(shown(fold_locals(member)) == "c1 Foo\n m1 bar");

  // Empty selections are those of a server that does not tell them.
  lsp::SymbolTree empty{{symbol("A", 5, 0), symbol("B", 5, 0, 0)}};
  for (lsp::DocumentSymbol& one : empty.symbols) one.selection_range = {{0, 0}, {0, 0}};
  CHECK(shown(fold_locals(empty)) == "c1 A\n c1 B");
}

TEST_CASE("fold: what follows a row beside a macro's is beside it too: rows are in pre-order") {
  const auto at = [](lsp::DocumentSymbol made, std::uint32_t selected) {
    made.selection_range = {{selected, 0}, {selected, 4}};
    return made;
  };
  const lsp::SymbolTree tree{{symbol("N", 3, 0), at(symbol("TEST(a)", 21, 1, 0), 1),
                              at(symbol("A", 5, 1, 1), 1), at(symbol("f", 6, 2, 2), 2),
                              at(symbol("B", 6, 1, 1), 1), at(symbol("C", 6, 5, 1), 5),
                              at(symbol("D", 8, 6, 0), 6)}};
  const SymbolRows folded = fold_locals(numbered(tree));
  std::vector<std::int32_t> parents;
  for (const lsp::DocumentSymbol& row : folded.all) parents.push_back(row.parent);
  CHECK(numbers_of(folded) == std::vector<std::size_t>{0, 2, 3, 4, 5, 6});
  CHECK(parents == std::vector<std::int32_t>{-1, 0, 1, 0, 0, 0});
}

TEST_CASE("fold: what was folded before still counts") {
  SymbolRows rows = made_rows({{symbol("a", 12, 0), symbol("C", 5, 1), symbol("m", 6, 2, 1),
                                symbol("x", 13, 3, 2), symbol("y", 13, 4, 2)}});
  rows.all[0].folded = {.inside = 3};
  rows.all[4].folded = {.inside = 5};
  Selection selection;
  selection.fold = true;
  CHECK(shown(select(rows, selection)) == "f1 a+3\nc2 C\n m3 m+7");
  selection.fold = false;
  CHECK(shown(select(rows, selection)) == "f1 a+3\nc2 C\n m3 m\n  v4 x y+5");
  selection.kinds = {13};
  CHECK(shown(select(rows, selection)) == "c2 C\n m3 m\n  v4 x y+5");
}

TEST_CASE("fold: what shares a line with an import, and what only looks like one, stays") {
  struct Case {
    const char* text;
    std::size_t rows;  // that are left of one a line
  };
  const Case cases[] = {
      {"import{a}from\"x\";export function foo() {}\nlet b;\n", 2},
      {"import os; X = 1\nY = 2\n", 2},
      {"import os;\nY = 2\n", 1},
      {"import os  # needed :(\nX = 1\nY = 2\n", 2},
      {"import a from 'a' // (\nlet x;\n", 1},
      {"import: 1\nx: 2\n", 2},
      {"import = 1\nx = 2\n", 2},
      {"use it\nx\n", 2},
      {"use a::b; // b\nfn x() {}\n", 1},
      {"import a\nimport b\n", 2},  // nothing else would be left
  };
  for (const Case& one : cases) {
    lsp::SymbolTree tree;
    const std::string_view text = one.text;
    const auto lines = static_cast<std::uint32_t>(std::count(text.begin(), text.end(), '\n'));
    for (std::uint32_t line = 0; line < lines; ++line) tree.symbols.push_back(symbol("s", 13, line));
    CHECK_MESSAGE(fold_locals(tree, text).size() == one.rows, one.text);
  }
}

TEST_CASE("fold: imports at top level go where the text tells them") {
  struct Case {
    const char* text;
    const char* shown;  // of symbols a to e on lines 0 to 4, of which e has a child
  };
  const std::vector<Case> cases{
      {"", "v1 a b c d\nc5 e\n F6 f"},
      {"import a from 'a';\nimport {\n  b,\n} from 'b';\nclass e {}", "c5 e\n F6 f"},
      {"import a\nfrom x import (b,\n c)\nd = 1\nimport e", "v4 d\nc5 e\n F6 f"},
      {"use a::b;\n  import b\nimport(c)\nimport.meta\n", "v3 c d\nc5 e\n F6 f"},
      {"from a\nimporting\nuseful b\n\n", "v1 a b c d\nc5 e\n F6 f"},
      {"import { // never closed\n\n\n\n\n", "v1 a b c d\nc5 e\n F6 f"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    const lsp::SymbolTree tree{{symbol("a", 13, 0), symbol("b", 13, 1), symbol("c", 13, 2),
                                symbol("d", 13, 3), symbol("e", 5, 4), symbol("f", 8, 5, 4)}};
    CHECK(shown(fold_locals(tree, c.text)) == c.shown);
  }
}

TEST_CASE("fold: selecting folds what the filter has left, before levels are counted") {
  const lsp::SymbolTree tree{{symbol("f", 12, 0), symbol("a", 13, 1, 0), symbol("b", 13, 2, 0),
                              symbol("C", 5, 3), symbol("m", 6, 4, 3), symbol("x", 13, 5, 4)}};
  Selection selection;
  selection.fold = true;
  selection.levels = {Levels::Rule::top_level, 0};
  CHECK(shown(select(tree, selection)) == "f1 f+2 c4 C");
  selection.levels = {};
  selection.kinds = {13};
  selection.sort = {{Field::kind, false}};
  const SymbolRows selected = select(numbered(tree), selection);
  CHECK(shown(selected) == "c4 C\n m5 m+1\nf1 f+2");
  CHECK(numbers_of(selected) == std::vector<std::size_t>{3, 4, 0});
}

TEST_CASE("levels: a lone namespace is gone through where only the top level is asked for") {
  const lsp::SymbolTree tree{{symbol("MACRO", 21, 0), symbol("n", 3, 0, 0), symbol("a", 5, 1, 1),
                              symbol("x", 8, 2, 2), symbol("b", 5, 3, 1)}};
  CHECK(shown(limit_levels(tree, {Levels::Rule::top_level, 0})) == "Z1 MACRO\n n1 n\n  c2 a c4 b");
  CHECK(shown(limit_levels(tree, {Levels::Rule::count, 1})) == "Z1 MACRO");
  const lsp::SymbolTree two{
      {symbol("n", 3, 0), symbol("a", 5, 1, 0), symbol("o", 3, 2), symbol("b", 5, 3, 2)}};
  CHECK(shown(limit_levels(two, {Levels::Rule::top_level, 0})) == "n1 n n3 o");
  const lsp::SymbolTree lone_class{{symbol("C", 5, 0), symbol("a", 8, 1, 0)}};
  CHECK(shown(limit_levels(lone_class, {Levels::Rule::top_level, 0})) == "c1 C");
  const lsp::SymbolTree empty_namespace{{symbol("n", 3, 0)}};
  CHECK(shown(limit_levels(empty_namespace, {Levels::Rule::top_level, 0})) == "n1 n");
}

}  // namespace fold_test
}  // namespace symbols::table
