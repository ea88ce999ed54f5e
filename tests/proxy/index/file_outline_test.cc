#include "proxy/index/file_outline.h"

#include <algorithm>

#include "tests/proxy/index/source_rows.h"

namespace symbols::index {
namespace {

// `Name`, `-private`, ` member`, `=definition`.
std::string outline(std::string_view path, std::string_view text, std::initializer_list<SourceRow> rows) {
  const FileOutline made = outline_of(path, tree_of(text, rows), text);
  std::string lines;
  for (const OutlineName& name : names_of(made)) {
    if (name.role == NameRole::member) lines += ' ';
    if (name.role == NameRole::definition) lines += '=';
    if (!name.is_exported) lines += '-';
    lines += std::string(name.name) + '\n';
  }
  return lines;
}

TEST_CASE("outline: top level and one level of members, no imports, locals, repetitions, callbacks") {
  CHECK(outline("a.ts",
                "import { x } from 'x'\nexport interface A { b: { c: 1 } }\nexport const A = 1\nfunction f() "
                "{ const g = 1 }\n"
                "describe('x', () => {})\n",
                {{"x", 13},
                 {"A", 11},
                 {"b", 7, 1, "b:"},
                 {"c", 7, 2, "c:"},
                 {"A", 13},
                 {"f", 12, -1, "f()"},
                 {"g", 13, 5},
                 {"describe('x') callback", 12, -1, "describe"}}) == "A\n b\n-f\n");
}

TEST_CASE("outline: namespaces are no level in C++, and members' definitions are told from names") {
  CHECK(outline("a.cc", "namespace n { class A {}; void A::f() {}\nvoid B::g() {} }",
                {{"n", 3}, {"A", 5, 0}, {"A::f", 6, 0}, {"B::g", 6, 0}}) == "A\n f\n=B::g\n");
  CHECK(outline("a.ts", "export namespace n { export const a = 1 }", {{"n", 3}, {"a", 13, 0, "a ="}}) ==
        "n\n a\n");
}

TEST_CASE("outline: methods of Go belong to their type") {
  CHECK(outline("a.go", "type T struct{}\nfunc (t *T) M() {}\nfunc (u U) N() {}",
                {{"T", 23}, {"(*T).M", 6, -1, "M"}, {"(U).N", 6, -1, "N"}}) == "T\n M\n=U.N\n");
}

TEST_CASE("outline: a forward declaration is no name of C++") {
  const std::string_view text = "class A;\nclass B {};\nusing C = B;";
  lsp::SymbolTree tree = tree_of(text, {{"A", 5}, {"B", 5}, {"C", 5}});
  for (lsp::DocumentSymbol& symbol : tree.symbols) symbol.detail = "class";
  tree.symbols[1].range.end.character += 3;
  tree.symbols[2].detail = "type alias";
  const FileOutline made = outline_of("a.h", tree, text);
  REQUIRE(names_of(made).size() == 2);
  CHECK(names_of(made)[0].name == "B");
  CHECK(names_of(made)[1].name == "C");
}

TEST_CASE("outline: the words of the code, each once") {
  const std::vector<std::uint32_t> words =
      words_of(outline_of("a.x", {}, "one one return /* two */ größe 12 x\n  // three\n# four\n * five"));
  const auto has = [&](std::string_view word) { return std::ranges::count(words, word_number(word)) == 1; };
  CHECK(words.size() == 3);
  CHECK(has("one"));
  CHECK(has("two"));
  CHECK(has("größe"));
}

TEST_CASE("outline: a damaged one gives what can be read of it") {
  FileOutline made = outline_of("a.py", tree_of("a b", {{"a"}, {"b"}}), "a b");
  made.names.pop_back();
  CHECK(names_of(made).size() == 1);
  made.names.back() = '\x60';
  CHECK(names_of(made).size() <= 2);
  CHECK(words_of({.names = {}, .words = "12345", .signatures = {}}).size() == 1);
}

}  // namespace
}  // namespace symbols::index
