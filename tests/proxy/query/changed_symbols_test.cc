// Which symbols differ between two texts. The symbols of the texts here are their lines `kind name`, nested
// by two blanks; what follows a colon, and lines without a name, are other text. The range of a `var` is its
// name, and that of others ends before a comment, ` # …`, on their last line.
#include "proxy/query/changed_symbols.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "base/text.h"

namespace symbols::query {
namespace changed_symbols_test {

lsp::SymbolTree symbols_of(std::string_view text) {
  lsp::SymbolTree tree;
  std::vector<std::int32_t> open;  // the symbol of each depth
  const std::vector<std::string_view> lines = split(text, '\n');
  const auto end_of = [&](std::size_t first, std::size_t depth) {
    std::size_t last = first;
    for (std::size_t i = first + 1; i < lines.size(); ++i) {
      if (lines[i].find_first_not_of(' ') <= depth * 2) break;
      last = i;
    }
    const std::size_t end = std::min(lines[last].find(" # "), lines[last].size());
    return lsp::Position{static_cast<std::uint32_t>(last), static_cast<std::uint32_t>(end)};
  };
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::size_t blanks = std::min(lines[i].find_first_not_of(' '), lines[i].size());
    const std::string_view line = lines[i].substr(blanks);
    const bool is_class = line.starts_with("class ");
    const bool is_variable = line.starts_with("var ");
    if (!is_class && !is_variable && !line.starts_with("fn ")) continue;
    const std::size_t name_at = is_class ? 6 : is_variable ? 4 : 3;
    const std::string name(word_at(line, name_at));
    open.resize(blanks / 2);
    const auto row = static_cast<std::uint32_t>(i);
    const auto column = static_cast<std::uint32_t>(blanks + name_at);
    tree.symbols.push_back(
        {.name = name,
         .kind = is_class ? lsp::SymbolKind::class_ : lsp::SymbolKind::function,
         .range = {{row, static_cast<std::uint32_t>(blanks)}, end_of(i, blanks / 2)},
         .selection_range = {{row, column}, {row, column + static_cast<std::uint32_t>(name.size())}},
         .parent = open.empty() ? -1 : open.back()});
    if (is_variable) {
      tree.symbols.back().kind = lsp::SymbolKind::variable;
      tree.symbols.back().range = tree.symbols.back().selection_range;
    }
    open.push_back(static_cast<std::int32_t>(tree.symbols.size() - 1));
  }
  return tree;
}

// "body f, added g, outside"
std::string changes(const std::string& before, const std::string& after) {
  const lsp::SymbolTree old_tree = symbols_of(before);
  const lsp::SymbolTree new_tree = symbols_of(after);
  const DocumentChange change = changed_symbols({old_tree, before}, {new_tree, after});
  std::string out;
  for (const ChangedSymbol& one : change.symbols) {
    const bool is_gone = one.change == Change::removed;
    out += (out.empty() ? "" : ", ") + std::string(change_word(one.change)) + ' ' +
           (is_gone ? old_tree.symbols[one.before] : new_tree.symbols[one.after]).name;
    if (one.change == Change::renamed) out += " from " + old_tree.symbols[one.before].name;
  }
  if (change.outside) out += out.empty() ? "outside" : ", outside";
  return out;
}

TEST_CASE("changed symbols: what moved has not changed") {
  const std::string text = "class C {\n  fn f() {\n    one\n  fn g() {\n    two\nfn h() {\n  three\n";
  CHECK(changes(text, text) == "");
  CHECK(changes("fn f() {\n  one\nfn g() {\n  two\n", "fn g() {\n  two\nfn f() {\n  one\n") == "");
  CHECK(changes("fn f() {\n  one  \r\n", "fn f() {\n  one\n") == "");
}

TEST_CASE("changed symbols: the declaration, the body, and what is inside of a class") {
  CHECK(changes("fn f(a) {\n  one\n", "fn f(a, b) {\n  two\n") == "declaration f");
  CHECK(changes("fn f(a,\n  b) {\n  one\n", "fn f(a,\n  c) {\n  one\n") == "declaration f");
  CHECK(changes("fn f(a) {\n  one\n", "fn f(a) {\n  two\n") == "body f");
  CHECK(changes("fn f = (a) => one\n", "fn f = (a) => two\n") == "body f");
  CHECK(changes("class C {\n  fn f() {\n    one\n", "class C {\n  fn f() {\n    two\n") == "body f");
  CHECK(changes("class C {\n  x\n  fn f() {\n", "class C {\n  y\n  fn f() {\n") == "body C");
  CHECK(changes("class C {\n  fn f() {\n", "class C : D {\n  fn f() {\n    x\n") == "declaration C, body f");
  CHECK(changes("class C\n  fn f # one\n  fn g\n", "class C\n  fn f # two\n  fn g\n") == "declaration f");
  CHECK(changes("class C\n  fn f\n    x # one\n", "class C\n  fn f\n    x # two\n") == "body f");
  // What is inside of a function is its body.
  CHECK(changes("fn f() {\n  fn g() {\n    one\n", "fn f() {\n  fn g() {\n    two\n") == "body f");
}

TEST_CASE("changed symbols: added, removed, renamed; not also what is inside of them") {
  CHECK(changes("fn f() {\n", "fn f() {\nclass C {\n  fn g() {\n") == "added C");
  CHECK(changes("class C {\n  fn g() {\nfn f() {\n", "fn f() {\n") == "removed C");
  CHECK(changes("fn f() {\n  f one\nfn g() {\n  x\n", "fn h() {\n  h one\nfn g() {\n  x\n") ==
        "renamed h from f");
  CHECK(changes("fn f() {\n  one\n", "fn h() {\n  two\n") == "added h, removed f");
  // Names that are none, as Go's, and none at all.
  CHECK(changes("fn () {\n  x\n", "fn () {\n  y\n") == "body ");
  CHECK(changes("fn f() {\n  x\n", "class f {\n  x\n") == "declaration f");
  // Overloads: the same text first.
  CHECK(changes("fn f(a) {\nfn f(b) {\n", "fn f(x) {\nfn f(a) {\nfn f(b) {\n") == "added f");
  CHECK(changes("fn f(a) {\nfn f(b) {\n", "fn f(b) {\n") == "removed f");
}

TEST_CASE("changed symbols: a variable whose range is its name has its whole statement") {
  CHECK(changes("var X = 1\nfn f\n", "var X = 2\nfn f\n") == "declaration X");
  CHECK(changes("var X = [\n1,\n]\n", "var X = [\n2,\n]\n") == "declaration X");
  CHECK(changes("var X = [\nvar Y = 1\n", "var X = [\nvar Y = 2\n") == "declaration Y");
  CHECK(changes("var X = '['\nother\n", "var X = '['\nothers\n") == "outside");
  CHECK(changes("var X = 1 # (\nother\n", "var X = 1 # (\nothers\n") == "outside");
  CHECK(changes("var X = '''\none'\n'''\n", "var X = '''\ntwo'\n'''\n") == "body X");
  CHECK(changes("var X = \\\n1\n", "var X = \\\n2\n") == "body X");
  CHECK(changes("var X = '\nother\n", "var X = '\nothers\n") == "outside");
  CHECK(changes("var X, Y = 1, 2\n", "var X, Y = 1, 3\n") == "declaration X");
  // An import, an enumerator: what stands behind is not theirs.
  CHECK(changes("var A, B } from x\n", "var A, B, C } from x\n") == "outside");
  CHECK(changes("var A == 1\n", "var A == 2\n") == "outside");
  CHECK(changes("class A\n  var x: 1\n  fn f\n", "class A\n  var x: 2\n  fn f\n") == "declaration x");
  CHECK(changes("var X = 1\n", "var Y = 1\n") == "renamed Y from X");
  CHECK(changes("var X = 1\n", "var Y = 2\n") == "added Y, removed X");
  CHECK(changes("var X = 1\nother\n", "var X = 1\nothers\n") == "outside");
}

TEST_CASE("changed symbols: outside of all of them") {
  CHECK(changes("import a\nfn f() {\n  x\n", "import b\nfn f() {\n  x\n") == "outside");
  CHECK(changes("", "import b\nfn f() {\n") == "added f, outside");
}

}  // namespace changed_symbols_test
}  // namespace symbols::query
