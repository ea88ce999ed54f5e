#include "table/fold.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "table/formats/tree_format.h"
#include "table/selection.h"

namespace symbols::table {
namespace {

// A symbol of one line, on line `line`, whose selection is its whole range.
lsp::DocumentSymbol symbol(std::string name, std::int64_t kind, std::uint32_t line,
                           std::int32_t parent = -1) {
  lsp::DocumentSymbol made;
  made.name = std::move(name);
  made.kind = kind;
  made.range = {{line, 0}, {line, 9}};
  made.selection_range = made.range;
  made.parent = parent;
  return made;
}

std::string shown(const LimitedTree& folded) {
  SymbolRows rows{folded.tree, {}, false};
  rows.folded = folded.folded;
  return write_tree(rows, {fields_of(Verbosity::minimal)});
}

TEST_CASE("fold: what lies inside functions, variables and their like is counted") {
  const lsp::SymbolTree tree{{symbol("C", 5, 0), symbol("m", 6, 1, 0), symbol("parameter", 13, 2, 1),
                              symbol("inner", 12, 3, 1), symbol("local", 13, 4, 3), symbol("field", 8, 5, 0),
                              symbol("part", 8, 6, 5), symbol("v", 14, 7), symbol("key", 7, 8, 7)}};
  const LimitedTree folded = fold_locals(tree);
  CHECK(shown(folded) == "c1 C\n m2 m+3\n F6 field\n  F7 part\nk8 v+1");
  CHECK(folded.kept == std::vector<std::size_t>{0, 1, 5, 6, 7});
  CHECK(fold_locals({{symbol("C", 5, 0)}}).folded.empty());
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
  CHECK(fold_locals(run(8, 16)).folded.empty());
  CHECK(fold_locals(run(14, 20), {}, false).folded.empty());

  // What ends a run: an empty line, another kind or parent, several lines, something inside.
  lsp::SymbolTree gap = run(14, 19);
  for (std::size_t row = 3; row < gap.symbols.size(); ++row)
    gap.symbols[row].range.start.line = gap.symbols[row].range.end.line += 1;
  CHECK(shown(fold_locals(gap)) == "e1 E\n k2 a b k5 c d e f g h…+11");
  lsp::SymbolTree kinds = run(14, 16);
  kinds.symbols[6].kind = 22;
  CHECK(fold_locals(kinds).folded.empty());
  lsp::SymbolTree lines = run(14, 16);
  lines.symbols[16].range.end.line += 1;
  CHECK(fold_locals(lines).folded.empty());
  lsp::SymbolTree parents = run(14, 16);
  parents.symbols[1].parent = -1;
  CHECK(fold_locals(parents).folded.empty());
  lsp::SymbolTree inside = run(22, 16);
  inside.symbols.push_back(symbol("z", 8, 17, 16));
  CHECK(shown(fold_locals(inside)) == "e1 E\n E2 a b c d e f g h i j k l m n o\n E17 p\n  F18 z");

  // What follows a run keeps its parent, and its place in what was asked.
  lsp::SymbolTree after = run(22, 16);
  after.symbols.push_back(symbol("C", 5, 20));
  after.symbols.push_back(symbol("m", 8, 21, 17));
  const LimitedTree folded = fold_locals(after);
  CHECK(shown(folded) == "e1 E\n E2 a b c d e f…+10\nc21 C\n F22 m");
  CHECK(folded.kept == std::vector<std::size_t>{0, 1, 2, 3, 4, 5, 6, 17, 18});
}

TEST_CASE("fold: the rows of one macro are one, called as what it declares") {
  const lsp::SymbolTree tree{{symbol("TEST", 21, 0), symbol("Suite_Name_Test", 5, 0, 0),
                              symbol("TestBody", 6, 0, 1), symbol("other", 8, 1, 1), symbol("f", 12, 3),
                              symbol("x", 13, 4, 4)}};
  const LimitedTree folded = fold_locals(tree);
  CHECK(shown(folded) == "c1 Suite_Name_Test\n F2 other\nf4 f+1");
  CHECK(folded.kept == std::vector<std::size_t>{1, 3, 4});

  // Empty selections are those of a server that does not tell them.
  lsp::SymbolTree empty{{symbol("A", 5, 0), symbol("B", 5, 0, 0)}};
  for (lsp::DocumentSymbol& one : empty.symbols) one.selection_range = {{0, 0}, {0, 0}};
  CHECK(shown(fold_locals(empty)) == "c1 A\n c1 B");
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
  const LimitedTree selected = select(tree, selection);
  CHECK(shown(selected) == "c4 C\n m5 m+1\nf1 f+2");
  CHECK(selected.kept == std::vector<std::size_t>{3, 4, 0});
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

}  // namespace
}  // namespace symbols::table
