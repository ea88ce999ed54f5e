#include "proxy/index/exported.h"

#include "tests/growth.h"
#include "tests/proxy/index/source_rows.h"

namespace symbols::index {
namespace {

// The names that are exported, with blanks between.
std::string exported(std::string_view path, std::string_view text, std::initializer_list<SourceRow> rows) {
  const lsp::SymbolTree tree = tree_of(text, rows);
  const std::vector<bool> found = exported_rows(path, tree, text);
  std::string names;
  for (std::size_t row = 0; row < found.size(); ++row) {
    if (found[row]) names += (names.empty() ? "" : " ") + tree.symbols[row].name;
  }
  return names;
}

TEST_CASE("exported: languages by the end of the path") {
  CHECK(language_of("src/a.d.ts") == Language::script);
  CHECK(language_of("a.h") == Language::c_header);
  CHECK(language_of("a.c++") == Language::c_source);
  CHECK(language_of("a.py") == Language::python);
  CHECK(language_of("a.b/Makefile") == Language::other);
  CHECK(language_of("ts") == Language::other);
}

TEST_CASE("exported: TypeScript's export, before the name or in a list") {
  CHECK(exported("a.ts",
                 "export const one = 1, two = 2\nconst hidden = 1\nexport default class Foo { run() {}\n"
                 " private no() {}\n #never = 1 }\nfunction late() {}\nfunction kept() {}\n"
                 "export {\n  late, other as named,\n}\nconst ex = 'export'; const exporter = 1\n",
                 {{"one"},
                  {"two"},
                  {"hidden"},
                  {"Foo", 5},
                  {"run", 6, 3},
                  {"no", 6, 3},
                  {"#never", 7, 3},
                  {"late"},
                  {"kept"},
                  {"named"},
                  {"exporter"}}) == "one two Foo run late named");
  CHECK(exported(
            "a.ts",
            "namespace N { export const a = 1 }\nexport namespace M {\n export const b = 1\n const c = 1 }",
            {{"N", 3}, {"a", 13, 0}, {"M", 3}, {"b", 13, 2}, {"c", 13, 2}}) == "M b");
}

TEST_CASE("exported: lists that never end are read once") {
  CHECK(grows_linearly(3000, [](std::size_t lists) {
    std::string text = "const a = 1\n";
    for (std::size_t list = 0; list < lists; ++list) text += "export { a, some, other, names, of, it,\n";
    exported("a.ts", text, {{"a"}});
  }));
}

TEST_CASE("exported: CommonJS") {
  CHECK(exported(
            "a.js",
            "function f() {}\nfunction g() {}\nclass C {}\nexports.f = f;\nmodule.exports = { C, h: 1 };\n",
            {{"f", 12, -1, "f()"}, {"g", 12, -1, "g()"}, {"C", 5}, {"h", 7}}) == "f C h");
  CHECK(exported("a.cjs", "class C {}\nclass D {}\nmodule.exports = C", {{"C", 5, -1, "C {"}, {"D", 5}}) ==
        "C");
}

TEST_CASE("exported: a declaration file without imports and exports is global") {
  CHECK(exported("a.d.ts", "declare const a: 1;\ndeclare module \"m\" {\n const b: 1 }",
                 {{"a", 13, -1, "a:"}, {"\"m\"", 3}, {"b"}}) == "a \"m\" b");
  CHECK(exported("a.d.ts", "declare const a: 1;\nexport {};", {{"a", 13, -1, "a:"}}).empty());
}

TEST_CASE("exported: C++, headers but for anonymous namespaces, sources but for static, public members") {
  const std::string_view text =
      "namespace n {\nnamespace {\nint anon; }\nstruct S {\n int a;\n private:\n int b;\n public:\n int c; "
      "};\n"
      "class K {\n int d;\n protected:\n int e;\npublic:\n int f; };\nstatic int g();\nint h(); }";
  const std::initializer_list<SourceRow> rows = {{"n", 3},           {"(anonymous namespace)", 3, 0, "{\n"},
                                                 {"anon", 13, 1},    {"S", 23, 0},
                                                 {"a", 8, 3, "a;"},  {"b", 8, 3, "b;"},
                                                 {"c", 8, 3, "c;"},  {"K", 5, 0},
                                                 {"d", 8, 7, "d;"},  {"e", 8, 7, "e;"},
                                                 {"f", 8, 7, "f;"},  {"g", 12, 0, "g()"},
                                                 {"h", 12, 0, "h()"}};
  lsp::SymbolTree tree = tree_of(text, rows);
  tree.symbols[7].detail = "class";
  const auto names = [&](std::string_view path) {
    const std::vector<bool> found = exported_rows(path, tree, text);
    std::string all;
    for (std::size_t row = 0; row < found.size(); ++row) {
      if (found[row]) all += tree.symbols[row].name;
    }
    return all;
  };
  CHECK(names("a.h") == "nSacKfgh");
  CHECK(names("a.cc") == "nSacKfh");
}

TEST_CASE("exported: Python's underscore and __all__") {
  CHECK(exported("a.py", "def a(): pass\ndef _b(): pass\nclass C:\n  def d(self): pass\n  def _e(self): pass",
                 {{"a", 12, -1, "a()"}, {"_b"}, {"C", 5}, {"d", 6, 2, "d("}, {"_e", 6, 2}}) == "a C d");
  CHECK(exported(
            "a.py",
            "__all__: list[str] = [\n 'a']\n__all__ += ('_b',)\ndef a(): pass\ndef _b(): pass\ndef c(): pass",
            {{"a", 12, -1, "a()"}, {"_b", 12, -1, "_b()"}, {"c", 12, -1, "c()"}}) == "a _b");
}

TEST_CASE("exported: __all__ without brackets ends with its line") {
  CHECK(exported("a.py", "__all__ = 'a', 'b'\n\ndef a(): pass\ndef b(): pass\ndef c(): pass",
                 {{"a", 12, -1, "a()"}, {"b", 12, -1, "b()"}, {"c", 12, -1, "c()"}}) == "a b");
}

TEST_CASE("exported: Go's capitals, Rust's pub, and what others call private") {
  CHECK(exported("a.go", "func F() {}\nfunc g() {}\nfunc (t *T) M() {}\nfunc (t *u) N() {}",
                 {{"F"}, {"g", 12, -1, "g()"}, {"(*T).M", 6, -1, "M"}, {"(*u).N", 6, -1, "N"}}) ==
        "F (*T).M");
  CHECK(exported(
            "a.rs",
            "pub fn a() {}\nfn b() {}\nimpl S {\n pub fn c() {}\n fn d() {} }\nimpl T for S {\n fn e() {} }",
            {{"a", 12, -1, "a()"},
             {"b", 12, -1, "b()"},
             {"impl S", 19},
             {"c", 6, 2, "c()"},
             {"d", 6, 2, "d()"},
             {"impl T for S", 19},
             {"e", 6, 5, "e()"}}) == "a impl S c impl T for S e");
  CHECK(exported("a.java", "class A {\n private int b;\n int c; protected int d; }",
                 {{"A", 5}, {"b", 8, 0, "b;"}, {"c", 8, 0, "c;"}, {"d", 8, 0, "d;"}}) == "A c");
}

}  // namespace
}  // namespace symbols::index
