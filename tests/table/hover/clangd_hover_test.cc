#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include "table/hover/prose.h"

namespace symbols::table {
namespace clangd_hover_test {

struct ClangdCase {
  std::string_view what;
  std::string_view markdown;
  HoverText expected;
  std::string_view plain{};  // the same hover for a client without Markdown
};

// Recorded from clangd 19.1.7.
const ClangdCase cases[] = {
    {"a function: return type and parameters repeat the definition; the scope is the row's parent",
     "### function `area`  \n\n---\n\u2192 `int`  \nParameters:  \n- `int width`\n- `int height`\n\n"
     "\\\\brief Computes the area.  \n\\\\param width The width of the \\*rectangle\\*, `w`  \n"
     "\\\\return the area \\<int>  \n\n---\n```cpp\n// In namespace geo\nint area(int width, int "
     "height)\n```",
     {"int area(int width, int height)",
      "Computes the area. \\param width The width of the *rectangle*, w \\return the area <int>"},
     "function area\n\n\u2192 int\nParameters:\n- int width\n- int height\n\\brief Computes the area.\n"
     "\\param width The width of the *rectangle*, w\n\\return the area <int>\n\n"
     "// In namespace geo\nint area(int width, int height)"},
    {"no documentation",
     "### namespace `geo`  \n\n---\n```cpp\nnamespace geo {}\n```",
     {"namespace geo {}", ""},
     "namespace geo\n\nnamespace geo {}"},
    {"a documentation of one parameter without the dash",
     "### function `f`  \n\n---\n\u2192 `void`  \nParameters:  \n- `int q`\n\n@param q - the q thing  "
     "\n\n---\n"
     "```cpp\nvoid f(int q)\n```",
     {"void f(int q)", "@param q the q thing"}},
    {"a field: its place in memory is left out",
     "### field `w`  \n\n---\nType: `int`  \nOffset: 8 bytes  \nSize: 4 bytes, alignment 4 bytes  \nwidth  "
     "\n\n---\n"
     "```cpp\n// In Box\npublic: int w = 3\n```",
     {"public: int w = 3", "width"}},
    {"a bit field",
     "### field `bit`  \n\n---\nType: `unsigned int`  \nOffset: 48 bytes  \n"
     "Size: 3 bits (+61 bits padding), alignment 4 bytes  \n\n---\n```cpp\n// In Box\npublic: unsigned int "
     "bit : 3\n```",
     {"public: unsigned int bit : 3", ""}},
    {"a value that is computed",
     "### variable `kMax`  \n\n---\nType: `const int`  \nValue = `40 (0x28)`  \n"
     "A constant at top level.  \n\n---\n```cpp\nconstexpr int kMax = 5 * 8\n```",
     {"constexpr int kMax = 5 * 8", "A constant at top level. Value = 40 (0x28)"},
     "variable kMax\n\nType: const int\nValue = 40 (0x28)\nA constant at top level.\n\nconstexpr int kMax = "
     "5 * 8"},
    {"a value that the definition ends in",
     "### variable `k`  \n\n---\nType: `const int`  \nValue = `40 (0x28)`  \n\n---\n```cpp\nconstexpr int k "
     "= 40\n```",
     {"constexpr int k = 40", ""}},
    {"not a value that only ends alike",
     "### variable `k`  \n\n---\nType: `const int`  \nValue = `5`  \n\n---\n```cpp\nconstexpr int k = 40 + "
     "15 % 25\n```",
     {"constexpr int k = 40 + 15 % 25", "Value = 5"}},
    {"an enumerator: its type is its parent",
     "### enumerator `red`  \n\n---\nType: `enum Colour`  \nValue = `0`  \nthe first one  \n\n---\n"
     "```cpp\n// In Colour\nred\n```",
     {"red", "the first one Value = 0"}},
    {"a type behind an alias",
     "### variable `vv`  \n\n---\nType: `V (aka unsigned long)`  \n\n---\n```cpp\nV vv\n```",
     {"V vv", "Type: V (aka unsigned long)"}},
    {"aliases of return type and parameters are not told",
     "### function `d`  \n\n---\n\u2192 `R (aka int)`  \nParameters:  \n- `V a = 3 (aka unsigned "
     "long)`\n\n---\n"
     "```cpp\nR d(V a = 3)\n```",
     {"R d(V a = 3)", ""}},
    {"a deduced type",
     "### variable `n`  \n\n---\nType: `int`  \nValue = `5`  \nDoc of n.  \n\n---\n```cpp\nauto n = 5\n```",
     {"auto n = 5", "Doc of n. Type: int"}},
    {"a lambda: the definition does not say what it returns",
     "### variable `lambda`  \n\n---\n\u2192 `int`  \nParameters:  \n- `int x`\n\n---\n"
     "```cpp\n// In namespace geo\nauto lambda = [](int x) {}\n```",
     {"auto lambda = [](int x) {}", "\u2192 int"},
     "variable lambda\n\n\u2192 int\nParameters:\n- int x\n\n// In namespace geo\nauto lambda = [](int x) "
     "{}"},
    {"auto that is no return type",
     "### function `nt`  \n\n---\n\u2192 `int`  \n\n---\n```cpp\ntemplate <auto N> int nt()\n```",
     {"template <auto N> int nt()", ""}},
    {"a trailing return type",
     "### instance-method `get_id`  \n\n---\n\u2192 `int`  \nParameters:  \n- `basic_string_view<Char> "
     "name`\n\n---\n"
     "```cpp\n// In basic_format_args<Context>\npublic: template <typename Char> auto "
     "get_id(basic_string_view<Char> name) const -> int\n```",
     {"public: template <typename Char> auto get_id(basic_string_view<Char> name) const -> int", ""}},
    {"a macro, whose definition has a blank line",
     "### macro `OBJ`  \n\n---\n```cpp\n#define OBJ(x) \\\n  void x();\n\n// Expands to\nvoid made();\n```",
     {"#define OBJ(x) void x();", ""},
     "macro OBJ\n\n#define OBJ(x) \\\n  void x();\n\n// Expands to\nvoid made();"},
    {"anonymous",
     "### enum `(anonymous enum)`  \n\n---\n```cpp\n// In S\npublic: enum {}\n```",
     {"public: enum {}", ""},
     "enum (anonymous enum)\n\n// In S\npublic: enum {}"},
    {"operators",
     "### instance-method `operator==`  \n\n---\n\u2192 `bool`  \nParameters:  \n- `const Box &`\n\n---\n"
     "```cpp\n// In Box\npublic: bool operator==(const Box &) const\n```",
     {"public: bool operator==(const Box &) const", ""}},
    {"documentation of marks and lists, which clangd escapes",
     "### struct `Box`  \n\n---\nSize: 56 bytes  \nA box.  \n\\- first item  \n1\\. one  \n\\_\\_\\_\\_  "
     "\n\\# Heading  \n\n---\n"
     "```cpp\nstruct Box {}\n```",
     {"struct Box {}", "A box. - first item 1. one ____ # Heading"},
     "struct Box\n\nSize: 56 bytes\nA box.\n- first item\n1. one\n____\n# Heading\n\nstruct Box {}"},
    {"documentation that looks like a line of clangd's own, later",
     "### function `f`  \n\n---\n\u2192 `void`  \nDoc.  \nType: `x`  \n\n---\n```cpp\nvoid f()\n```",
     {"void f()", "Doc. Type: x"},
     "function f\n\n\u2192 void\nDoc.\nType: x\n\nvoid f()"},
    {"the header that it is from is left out",
     "### function `f`  \nprovided by `<f.h>`  \n\n---\n\u2192 `void`  \n\n---\n```c\nvoid f()\n```",
     {"void f()", ""}},
    {"a parameter of which something is said",
     "### function `f`  \n\n---\n\u2192 `void`  \nParameters:  \n- `int a` - the a\n- `int "
     "b`\n\n---\n```c\nvoid f(int a, int b)\n```",
     {"void f(int a, int b)", "Parameters: - int a - the a"}},
    {"no definition",
     "### variable `x`  \n\n---\nType: `int`  \nSome words.",
     {"variable x", "Some words. Type: int"}},
    {"code in the documentation, definition last",
     "### function `f`  \n\n---\n\u2192 `void`  \nDoc:\n\n```cpp\nf();\n```\n\n---\n```cpp\nvoid f()\n```",
     {"void f()", "Doc: f();"}},
    {"the definition first, as newer versions have it",
     "### function `f`\n\n---\n```cpp\n// In namespace n\nvoid f()\n```\n\n---\nDoc.",
     {"void f()", "Doc."}},
};

void check(const std::optional<HoverText>& hover, const HoverText& expected) {
  REQUIRE(hover.has_value());
  CHECK(hover->signature == expected.signature);
  CHECK(hover->prose == expected.prose);
}

TEST_CASE("clangd: the parts, from Markdown and from plain text") {
  for (const ClangdCase& example : cases) {
    CAPTURE(example.what);
    check(split_clangd_hover(parse_markdown(example.markdown)), example.expected);
    if (!example.plain.empty()) check(split_clangd_plain_hover(example.plain), example.expected);
  }
}

TEST_CASE("clangd: line ends of Windows") {
  std::string text = "function f\n\n\u2192 int\nDoc.\n\n// In Foo\nint f()";
  std::string crlf;
  for (const char c : text) crlf += c == '\n' ? "\r\n" : std::string(1, c);
  check(split_clangd_plain_hover(crlf), {"int f()", "Doc."});
}

TEST_CASE("clangd: other servers' hovers are not taken for its own") {
  const std::string_view markdown[] = {"### Examples\n\n---\n```ts\na\n```",
                                       "```cpp\nint a\n```",
                                       "function `f`",
                                       "",
                                       "### about `f`",
                                       "### function f\n\n---\n```cpp\nvoid f()\n```"};
  for (const std::string_view text : markdown) {
    CAPTURE(text);
    CHECK_FALSE(split_clangd_hover(parse_markdown(text)).has_value());
  }
  const std::string_view plain[] = {"class Foo()\n\nA foo.",
                                    "class Foo()\n\nUsage:\n\n>>> Foo()",
                                    "class C",
                                    "namespace N\n\n@see \u2014 f",
                                    "a sentence\n\nanother",
                                    "function f(): void\n\nDoc.",
                                    "enum Colour\n\nThe Colour.",
                                    "variable\n\nx",
                                    ""};
  for (const std::string_view text : plain) {
    CAPTURE(text);
    CHECK_FALSE(split_clangd_plain_hover(text).has_value());
  }
}

// Found by the fuzz target hover: without a definition the heading's blanks came through.
TEST_CASE("clangd hover: a name with blanks in it is folded too") {
  const lsp::Hover hover{.parts = {{lsp::HoverPart::Form::markdown, "### class `a    b`  \n\n---\ntext"}},
                         .range = {}};
  CHECK(split_hover(hover) == HoverText{"class a b", "text"});
}

}  // namespace clangd_hover_test
}  // namespace symbols::table
