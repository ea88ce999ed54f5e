#include "table/hover/hover_text.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "lsp/replies.h"
#include "lsp/unicode.h"
#include "table/one_line.h"

namespace symbols::table {
namespace hover_text_test {

struct HoverCase {
  std::string_view what;
  std::string_view json;  // the result of textDocument/hover
  std::string_view name;  // of the row
  std::string_view expected;
};

std::string flatten(std::string_view json, std::string_view name, std::size_t limit = 0) {
  const Result<lsp::Hover> hover = lsp::decode_hover(json);
  REQUIRE(hover.has_value());
  return join_hover(split_hover(*hover, name), limit);
}

// Recorded from the servers named, in their newest versions (TypeScript 7.0.2,
// typescript-language-server 5.3.0, pyright 1.1.414), or after their sources.
const HoverCase cases[] = {
    {"TypeScript 7",
     R"json({"contents":{"kind":"markdown","value":"```typescript\nfunction calculateArea(width: number, height: number): number\n```\nCalculates the area of a rectangle\n\n*@param* `width` — The width of the rectangle\n\n*@param* `height` - The height, in `mm`\n\n*@returns* — the *area* of a_b_c, see [Shape](file:///a.ts#21,18-21,23)\n\n*@example*\n```ts\ncalculateArea(1, 2)\n```\n\n\n*@throws* — {Error} if a < b && c > d"}})json",
     "calculateArea",
     "function calculateArea(width: number, height: number): number - Calculates the area of a rectangle "
     "@param width The width of the rectangle @param height The height, in mm @returns the area of a_b_c, "
     "see Shape @example calculateArea(1, 2) @throws {Error} if a < b && c > d"},
    {"typescript-language-server, with line ends of Windows",
     R"json({"contents":{"kind":"markdown","value":"\r\n```typescript\r\n(method) C.over(a: string): void (+1 overload)\r\n```\r\nover 1  \r\n\r\n*@since* — 2.0.0  \r\n"}})json",
     "over", "(method) C.over(a: string): void (+1 overload) - over 1"},
    {"documentation that starts with an example is not part of the signature",
     R"json({"contents":{"kind":"markdown","value":"```typescript\nconst a: 1\n```\n```ts\na + 1\n```"}})json",
     "a", "const a: 1 - a + 1"},
    {"a signature of several lines",
     R"json({"contents":{"kind":"markdown","value":"```typescript\nlet v: {\n    a: number;\n}\n```\n"}})json",
     "v", "let v: { a: number; }"},
    {"pyright",
     R"json({"contents":{"kind":"markdown","value":"```python\n(method) def f(\n    self: Self@Foo,\n    a_b: int = 1\n) -> None\n```\n---\nUses \\_\\_init\\_\\_ and get\\_type\\_hints(); \\*stars\\* &lt;b&gt;.\n\nArgs:  \n&nbsp;&nbsp;&nbsp;&nbsp;a\\_b: the `a_b` &amp; more\n\nUsage:\n\n```\n    x = &lt;Foo&gt;\n```"}})json",
     "f",
     "(method) def f(self: Self@Foo, a_b: int = 1) -> None - Uses __init__ and get_type_hints(); *stars* "
     "<b>. Args: a_b: the a_b & more Usage: x = &lt;Foo&gt;"},
    {"pyright's headings and tables of reStructuredText",
     R"json({"contents":{"kind":"markdown","value":"```python\n(function) def p() -> None\n```\n---\nReturns\n-------\nFoo  \n&nbsp;&nbsp;&nbsp;&nbsp;the foo\n\n|col1   |col2 |\n|-----|----|\n|1     |2|\n\n<br/>"}})json",
     "p", "(function) def p() -> None - Returns Foo the foo col1 col2 1 2"},
    {"gopls",
     R"json({"contents":{"kind":"markdown","value":"```go\nfunc (*Builder).Write(p []byte) (int, error)\n```\n\nWrite appends p \\*to\\* 1\\<\\<n.\n\n\n[`(strings.Builder).Write` on pkg.go.dev](https://pkg.go.dev/strings#Builder.Write)"}})json",
     "(*Builder).Write", "func (*Builder).Write(p []byte) (int, error) - Write appends p *to* 1<<n."},
    {"pyright: the name before what is said of a parameter",
     R"json({"contents":{"kind":"markdown","value":"```python\n(parameter) width: int\n```\n---\nwidth: how wide it is"}})json",
     "width", "(parameter) width: int - how wide it is"},
    {"rust-analyzer: the module's path is the signature's",
     R"json({"contents":{"kind":"markdown","value":"\n```rust\nmy_crate::shapes\n```\n\n```rust\npub fn area(w: u32) -> u32\n```\n\n---\n\n# Examples\n\n```rust\nassert_eq!(area(1), 1);\n```"}})json",
     "area", "my_crate::shapes pub fn area(w: u32) -> u32 - Examples assert_eq!(area(1), 1);"},
    {"code after a ruler is no signature",
     R"json({"contents":{"kind":"markdown","value":"```rust\nfn a()\n```\n---\n```rust\na();\n```"}})json",
     "a", "fn a() - a();"},
    {"gopls: no methods behind a type, which have rows, and no link to the documentation",
     R"json({"contents":{"kind":"markdown","value":"```go\ntype B struct {\n\tbuf []byte\n}\n\nfunc (*B).Cap() int\nfunc (*B).Len() int\n```\n\nA B is one.\n\n\n[`a.B` on pkg.go.dev](https://pkg.go.dev/a#B)"}})json",
     "B", "type B struct { buf []byte } - A B is one."},
    {"a link that tells more stays",
     R"json({"contents":{"kind":"markdown","value":"```go\nfunc f()\n```\n\n[f on Go](https://pkg.go.dev/a#B)"}})json",
     "f", "func f() - f on Go"},
    {"yaml-language-server: no link to the schema",
     R"json({"contents":{"kind":"markdown","value":"#### The name\n\nName of \\`it\\`\n\nSource: [s\\.json](file:///a/s.json)"}})json",
     "name", "The name Name of `it`"},
    {"a source that is no link stays",
     R"json({"contents":{"kind":"markdown","value":"```go\nfunc f()\n```\n\nSource: the manual"}})json", "f",
     "func f() - Source: the manual"},
    {"css: a rule, whose row has the selector",
     R"json({"contents":[{"language":"html","value":"<button :hover>"},"[Selector Specificity](https://developer.mozilla.org/docs/Web/CSS/Specificity): (0, 1, 1)"]})json",
     "button:hover", ""},
    {"css: a nested rule, whose name is half of its selector",
     R"json({"contents":[{"language":"html","value":"<a :hover>"},"[Selector Specificity](https://developer.mozilla.org/docs/Web/CSS/Specificity): (0, 1, 1)"]})json",
     "&:hover", "<a :hover> - Selector Specificity: (0, 1, 1)"},
    {"clangd: a namespace, whose row says it all",
     R"json({"contents":{"kind":"markdown","value":"### namespace `geo`  \n\n---\nShapes.\n\n---\n```cpp\nnamespace geo {}\n```"}})json",
     "geo", "Shapes."},
    {"a namespace that is not the row's",
     R"json({"contents":{"kind":"markdown","value":"### namespace `geo`  \n\n---\n```cpp\nnamespace geo {}\n```"}})json",
     "BEGIN_GEO", "namespace geo {}"},
    {"a title that repeats the name",
     R"json({"contents":{"kind":"markdown","value":"__strlen__\n\n```php\nfunction strlen(string $s): int\n```\nLength."}})json",
     "strlen", "function strlen(string $s): int - Length."},
    {"MarkedString[] of the css server",
     R"json({"contents":[{"language":"html","value":"<a>\n  <b class=\"c\">"},"[Selector Specificity](https://developer.mozilla.org/docs/Web/CSS/Specificity): (0, 1, 2)"]})json",
     "& > b.c", "<a> <b class=\"c\"> - Selector Specificity: (0, 1, 2)"},
    {"the comment before the code, as ccls sends it",
     R"json({"contents":["Computes *it*.",{"language":"cpp","value":"int f(int *a)"}]})json", "f",
     "int f(int *a) - Computes it."},
    {"several pieces of code, the later ones apart",
     R"json({"contents":[{"language":"go","value":"a"},{"language":"go","value":"b"},"text",{"language":"go","value":"c"}]})json",
     "x", "a b - text c"},
    {"empty pieces", R"json({"contents":["",{"language":"go","value":"  "},"text"]})json", "x", "text"},
    {"a fence in the first of several strings",
     R"json({"contents":["```java\nvoid f()\n```","Does *it*.\n```java\nf();\n```"]})json", "f",
     "void f() - Does it. f();"},
    {"{language, value}: verbatim",
     R"json({"contents":{"language":"go","value":"func f(a *T, b &lt; c)\n\t\\n"}})json", "f",
     "func f(a *T, b &lt; c) \\n"},
    {"a bare string of the html server",
     R"json({"contents":"The **div** element.\n\n[MDN](https://h/)"})json", "div", "The div element. MDN"},
    {"prose alone starts with no bullet", R"json({"contents":"- one\n- two"})json", "x", "one - two"},
    {"signature and a list",
     R"json({"contents":{"kind":"markdown","value":"```x\nf()\n```\n* one\n* two"}})json", "f",
     "f() - one * two"},
    {"prose that only repeats the signature",
     R"json({"contents":{"kind":"markdown","value":"```x\nf()\n```\n`f()`"}})json", "f", "f()"},
    {"pyright, of a type that it does not know",
     R"json({"contents":{"kind":"markdown","value":"```python\n(parameter) name: Unknown\n```"}})json",
     "name", ""},
    {"pyright, of a type that it knows in part",
     R"json({"contents":{"kind":"markdown","value":"```python\n(variable) name: Unknown | None\n```"}})json",
     "name", "(variable) name: Unknown | None"},
    {"pyright, of parameters, a result and a list without known types",
     R"json({"contents":{"kind":"markdown","value":"```python\n(function) def un(\n    x: Unknown,\n    y: Unknown | None = None,\n    *z: UnknownName\n) -> Unknown\n```\n---\nbits: list[Unknown]"}})json",
     "un", "(function) def un(x, y: Unknown | None = None, *z: UnknownName) - bits: list[Unknown]"},
    {"a type called Unknown in another language",
     R"json({"contents":{"kind":"markdown","value":"```typescript\n(property) x: Unknown\n```"}})json", "x",
     "(property) x: Unknown"},
    {"pyright: overloads",
     R"json({"contents":{"kind":"markdown","value":"```python\n(variable)\ndef f(a: int) -> int: ...\ndef f(a: str) -> str: ...\n```"}})json",
     "g", "(variable) def f(a: int) -> int (+1 overload)"},
    {"pyright: constructors",
     R"json({"contents":{"kind":"markdown","value":"```python\nclass A(\n    a: int\n)\n\nclass A(\n    a: str,\n    b: int\n)\n\nclass A()\n```\n---\nDoc."}})json",
     "A", "class A(a: int) (+2 overloads) - Doc."},
    {"TypeScript 7: overloads of what an import names",
     R"json({"contents":{"kind":"markdown","value":"```typescript\n(alias) function over<T>(a: T): T\n(alias) function over(a: number): number\n```\n"}})json",
     "over", "(alias) function over<T>(a: T): T (+1 overload)"},
    {"TypeScript 7: a type and a value are no overloads",
     R"json({"contents":{"kind":"markdown","value":"```typescript\n(alias) interface Predicate<A>\n(alias) namespace Predicate\n```\n"}})json",
     "Predicate", "(alias) interface Predicate<A> (alias) namespace Predicate"},
    {"TypeScript: the parameter at the start of a callback",
     R"json({"contents":{"kind":"markdown","value":"```typescript\n(parameter) test: string\n```\n"}})json",
     "files.forEach() callback", ""},
    {"TypeScript: a parameter",
     R"json({"contents":{"kind":"markdown","value":"```typescript\n(parameter) test?: string\n```\n"}})json",
     "test", "(parameter) test?: string"},
    {"TypeScript: the object that a member is spread from",
     R"json({"contents":{"kind":"markdown","value":"```typescript\n(parameter) query: Query\n```\n"}})json",
     "query.state", ""},
    {"TypeScript: a callback's own type",
     R"json({"contents":{"kind":"markdown","value":"\n```typescript\n(local function)(test: string): void\n```\n"}})json",
     "files.forEach() callback", "(local function)(test: string): void"},
    {"clangd: a function that a macro declares",
     R"json({"contents":{"kind":"markdown","value":"### macro `TEST`  \n\n---\nA test.\n\n---\n```cpp\n#define TEST(a, b) void a##_##b()\n\n// Expands to\nvoid RE2_HexTests()\n```"}})json",
     "RE2_HexTests", ""},
    {"clangd: a macro",
     R"json({"contents":{"kind":"markdown","value":"### macro `TEST`  \n\n---\n```cpp\n#define TEST(a, b) void a##_##b()\n\n// Expands to\nvoid RE2_HexTests()\n```"}})json",
     "TEST", "#define TEST(a, b) void a##_##b()"},
    {"intelephense: the declaration before the documentation",
     R"json({"contents":{"kind":"markdown","value":"__Monolog\\\\Utils::canonicalizePath__\n\nMakes the path absolute.\n\n```php\n<?php\npublic static function canonicalizePath(string $streamUrl): string { }\n```\n\n_@param_ `string $streamUrl` stream URL\n\n_@return_ `string`"}})json",
     "canonicalizePath",
     "public static function canonicalizePath(string $streamUrl): string - Makes the path absolute. @param "
     "string $streamUrl stream URL @return string"},
    {"intelephense: a class",
     R"json({"contents":{"kind":"markdown","value":"__Monolog\\\\Utils__\n\n```php\n<?php\nfinal class Utils { }\n```"}})json",
     "Utils", "final class Utils"},
    {"intelephense: a constant",
     R"json({"contents":{"kind":"markdown","value":"__A::LIMIT__\n\n```php\n<?php\npublic const LIMIT = 3;\n```\n\n_@var_ `int`"}})json",
     "LIMIT", "public const LIMIT = 3 - @var int"},
    {"a title that is a sentence",
     R"json({"contents":{"kind":"markdown","value":"See A::f\n\n```php\nfunction f()\n```"}})json", "f",
     "See A::f function f()"},
    {"Doxygen's mark of the first sentence, and an address alone",
     R"json({"contents":{"kind":"plaintext","value":"int at(int)\n\n@brief access specified element\n@sa https://json.nlohmann.me/api/at/\n@see the other one"}})json",
     "at", "int at(int) - access specified element @see the other one"},
    {"no hover", "null", "x", ""},
    {"nothing in it", R"json({"contents":{"kind":"markdown","value":""}})json", "x", ""},
    {"no contents", R"json({"contents":[]})json", "x", ""},
    {"only marks", R"json({"contents":"---\n```\n```\n#\n"})json", "x", ""},
};

TEST_CASE("hover text: every shape, from every server") {
  for (const HoverCase& example : cases) {
    CAPTURE(example.what);
    CHECK(flatten(example.json, example.name) == example.expected);
  }
}

TEST_CASE("hover text: rows of imports and of uses of macros have none") {
  struct RowCase {
    std::int64_t kind;
    HoverText hover, expected;
  };
  const HoverText alias{"(alias) function f(): void", "What f does."};
  const HoverText macro{"#define TEST(a, b) void a##_##b()", "A test."};
  const HoverText function{"function f(): void", "What f does."};
  const RowCase rows[] = {{13, alias, {}}, {21, macro, {}}, {255, macro, macro}, {12, function, function}};
  for (const RowCase& row : rows) {
    CAPTURE(row.hover.signature);
    lsp::DocumentSymbol symbol;
    symbol.kind = row.kind;
    CHECK(row_hover(symbol, row.hover) == row.expected);
  }
}

TEST_CASE("a long signature is cut within its parameters, so that the result stays") {
  struct CutCase {
    std::size_t characters;
    std::string_view signature, expected;
  };
  const CutCase cuts[] = {
      {0, "f(a: A, b: B): R", "f(a: A, b: B): R"},
      {16, "f(a: A, b: B): R", "f(a: A, b: B): R"},
      {15, "f(a: A, b: B): R", "f(a: A, \u2026): R"},
      {12, "f(a: A, b: B): R", "f(\u2026): R"},
      {7, "f(a: A, b: B): R", "f(a: A\u2026"},  // as long as what would stand around the mark
      {17, "f(\u00e4: A, \u00f6: \u00d6\u00d6\u00d6, c): R", "f(\u00e4: A, \u2026): R"},
      {23, "(method) f(a: A, b: Map<K, V>): R", "(method) f(a: A, \u2026): R"},
      {30, "func (*B).Write(p []byte, n int) (int, error)", "\u2026 Write(\u2026) (int, error)"},
      {35, "func (*B).Write(p []byte, n int) (int, error)", "func (*B).Write(\u2026) (int, error)"},
      {43, "template <class A, class B> auto f(A a, B b) -> C",
       "template <class A, class B> auto f(\u2026) -> C"},
      {30, "const f: <A, B>(a: Map<A, B>, b: B) => A", "const f: <A, B>(\u2026) => A"},
      // the name stays, rather than what is before it
      {24, "template <typename T> std::vector<int> add(T a, T b)", "\u2026 add(T a, T b)"},
      {20, "template <typename T> std::vector<int> add(T a, T b) const", "\u2026 add(T a, \u2026) const"},
      {30, "(method) Map<Key = any, Value = any>.add<K>(a: A, b: B): R", "\u2026 add<K>(a: A, b: B): R"},
      {10, "f(a: A, b: B)", "f(a: A, b\u2026"},      // nothing behind it
      {10, "f(a: A], b: B): R", "f(a: A], \u2026"},  // brackets that are not in pairs
      {10, "some words alone", "some word\u2026"},
      // an alias keeps what it stands for
      {30, "type X<A extends string = string, B = number> = (a: A) => B", "type X<\u2026> = (a: A) => B"},
      {20, "type X<A extends string = string, B = number> = (a: A) => B", "type X<\u2026> = (a: A) \u2026"},
      {30, "type X<A, B> = (first: A, second: B) => Map<A, B>", "type X<A, B> = (first: A, sec\u2026"},
  };
  for (const CutCase& c : cuts) {
    CAPTURE(c.signature);
    CAPTURE(c.characters);
    const std::string cut = cut_signature(c.signature, c.characters);
    CHECK(cut == c.expected);
    CHECK((c.characters == 0 || std::ranges::count_if(cut, [](char b) {
                                  return !lsp::is_utf8_continuation(b);
                                }) <= static_cast<std::ptrdiff_t>(c.characters)));
    CHECK(cut_signature(cut, c.characters) == cut);
  }
  CHECK(join_hover({"f(a: A, b: B): R", "What f does."}, 16) == "f(a: A, b: B): \u2026");
  CHECK(join_hover({"f(a: A, b: B): R", "What f does."}, 15) == "f(a: A, \u2026): R \u2026");
}

TEST_CASE("hover text: the first line of plain text is the signature") {
  struct PlainCase {
    std::string_view text;
    HoverText expected;
  };
  const PlainCase plain_cases[] = {
      {"func (*Builder).Write(p []byte) (int, error)\nWrite appends p.",
       {"func (*Builder).Write(p []byte) (int, error)", "Write appends p."}},
      {"\nint *f(int a_b)\r\n\r\n*a* &lt; \\_ `b` [c](d)", {"int *f(int a_b)", "*a* &lt; \\_ `b` [c](d)"}},
      {"f(w: number): number\n@param `w` \u2014 The width", {"f(w: number): number", "@param `w` The width"}},
      {"One line.", {"One line.", ""}},
      {"", {"", ""}},
  };
  for (const PlainCase& example : plain_cases) {
    CAPTURE(example.text);
    const lsp::Hover hover{{{lsp::HoverPart::Form::plaintext, std::string(example.text)}}, {}};
    CHECK(split_hover(hover, "f") == example.expected);
  }
}

TEST_CASE("hover text: joined and cut at Unicode scalar values") {
  struct CutCase {
    HoverText hover;
    std::size_t limit;
    std::string_view expected;
  };
  const CutCase cut_cases[] = {
      {{"abc", "def"}, 0, "abc - def"},
      {{"abc", "def"}, 9, "abc - def"},
      {{"abc", "def"}, 8, "abc - d\u2026"},
      {{"abc", "def"}, 5, "abc \u2026"},
      {{"abc", ""}, 3, "abc"},
      {{"", "def"}, 2, "d\u2026"},
      {{"abc", ""}, 1, "\u2026"},
      {{"", ""}, 1, ""},
      {{"\u00E4\u00F6\U0001F600x", ""}, 4, "\u00E4\u00F6\U0001F600x"},
      {{"\u00E4\u00F6\U0001F600xy", ""}, 4, "\u00E4\u00F6\U0001F600\u2026"},
  };
  for (const CutCase& example : cut_cases)
    CHECK(join_hover(example.hover, example.limit) == example.expected);
  const lsp::Hover longest{{{lsp::HoverPart::Form::code, std::string(201, 'x')}}, {}};
  CHECK(join_hover(split_hover(longest), default_hover_characters) == std::string(199, 'x') + "\u2026");
}

}  // namespace hover_text_test
}  // namespace symbols::table
