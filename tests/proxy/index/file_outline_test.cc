#include "proxy/index/file_outline.h"

#include <algorithm>

#include "tests/proxy/index/source_rows.h"

namespace symbols::index {
namespace file_outline_test {

// A line for each name, with a blank before members.
std::string outline(std::string_view path, std::string_view text, const std::vector<SourceRow>& rows) {
  const lsp::SymbolTree tree = tree_of(text, rows);
  const FileOutline made = outline_of(path, tree, row_forms(path, tree, text), text);
  std::string lines;
  for (const OutlineName& name : names_of(made))
    lines += (name.is_member ? " " : "") + std::string(name.name) + '\n';
  return lines;
}

TEST_CASE("outline: top level and one level of members, no imports, locals, repetitions, callbacks") {
  struct Case {
    const char* path;
    const char* text;
    std::vector<SourceRow> rows;
    const char* outline;
  };
  for (const Case& c : {
           Case{"a.ts",
                "import { x } from 'x'\nexport interface A { b: { c: 1 } }\nexport const A = 1\n"
                "function f() { const g = 1 }\ndescribe('x', () => {})\n",
                {{"x", 13},
                 {"A", 11},
                 {"b", 7, 1, "b:"},
                 {"c", 7, 2, "c:"},
                 {"A", 13},
                 {"f", 12, -1, "f()"},
                 {"g", 13, 5},
                 {"describe('x') callback", 12, -1, "describe"}},
                "A\n b\nf\n"},
           // Namespaces are no level, and a definition is of its class where that is there.
           Case{"a.cc",
                "namespace n { class A {}; void A::f() {}\nvoid B::g() {} }",
                {{"n", 3}, {"A", 5, 0, "class A {}"}, {"A::f", 6, 0}, {"B::g", 6, 0}},
                "A\n f\n"},
           Case{"a.ts",
                "export namespace n { export const a = 1 }",
                {{"n", 3}, {"a", 13, 0, "a ="}},
                "n\n a\n"},
           Case{"a.go",
                "type T struct{}\nfunc (t *T) M() {}\nfunc (u U) N() {}",
                {{"T", 23}, {"(*T).M", 6, -1, "M"}, {"(U).N", 6, -1, "N"}},
                "T\n M\n(U).N\n"},
           Case{"a.h",
                "class A;\nclass B {};\nint f();",
                {{"A", 5}, {"B", 5, -1, "class B {}"}, {"f", 12}},
                "B\nf\n"},
       }) {
    CAPTURE(c.text);
    CHECK(outline(c.path, c.text, c.rows) == c.outline);
  }
}

TEST_CASE("outline: the words of the code, each once, and whether they are declared") {
  const std::string_view text = "one one return /* two */ größe 12 x = 1\n  // three\n# four\n * five";
  const lsp::SymbolTree tree = tree_of(text, {{"x", 13}});
  const std::vector<OutlineWord> words = words_of(outline_of("a.x", tree, {RowForm::definition}, text));
  const auto has = [&](std::string_view word, bool is_declared) {
    return std::ranges::count_if(words, [&](const OutlineWord& one) {
             return one.number == word_number(word) && one.is_declared == is_declared;
           }) == 1;
  };
  CHECK(words.size() == 4);
  CHECK(has("one", false));
  CHECK(has("two", false));
  CHECK(has("größe", false));
  CHECK(has("x", true));
  CHECK(std::ranges::none_of(words_of(outline_of("a.x", tree, {RowForm::import}, text)),
                             &OutlineWord::is_declared));
}

TEST_CASE("outline: a damaged one gives what can be read of it") {
  FileOutline made = outline_of("a.py", tree_of("a b", {{"a"}, {"b"}}), {}, "a b");
  made.names.pop_back();
  CHECK(names_of(made).size() == 1);
  made.names.back() = '\x60';
  CHECK(names_of(made).size() <= 2);
  CHECK(words_of({.names = {}, .words = "12345"}).size() == 1);
}

// A letter for each row: d(efinition), (decla)r(ation), i(mport).
std::string forms(std::string_view path, std::string_view text, const std::vector<SourceRow>& rows) {
  lsp::SymbolTree tree = tree_of(text, rows);
  std::string all;
  for (const RowForm form : row_forms(path, tree, text)) all += "dri"[static_cast<std::size_t>(form)];
  return all;
}

TEST_CASE("index: imports and lists of exports are no definitions") {
  CHECK(forms("a.ts",
              "import { a,\n  b as c,\n} from './x';import d from 'y'\nexport { e } from './z'\nexport type "
              "{\n  f\n};\n"
              "import g = require('g');\nimport('h').then((h) => h);\nconst { i } = require('i');\n"
              "const j = require('j').k;\nexport const k = 1;\n",
              {{"a"}, {"c"}, {"d"}, {"e"}, {"f"}, {"g"}, {"h"}, {"i", 13}, {"j", 13}, {"k", 13}}) ==
        "iiiiiididd");
  CHECK(forms("a.py",
              "import a, b as c  # (\nfrom x import (\n    d,\n)\ntry:\n    from y import \\\n      "
              "e\nexcept: e = 1\n"
              "def f(): pass\n",
              {{"a"}, {"c"}, {"d"}, {"e"}, {"e"}, {"f"}}) == "iiiidd");
}

}  // namespace file_outline_test
}  // namespace symbols::index
