#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include "table/hover/prose.h"
#include "table/one_line.h"

namespace symbols::table {
namespace markdown_text_test {

struct TextCase {
  std::string_view input;
  std::string_view expected;
};

std::string prose_of(std::string_view markdown) {
  return fold_whitespace(prose_text(parse_markdown(markdown)));
}

// Blocks as `kind:text`, the text folded, so that a case fits a line.
std::string blocks_of(std::string_view markdown) {
  constexpr std::string_view letters = "phrc";  // in the order of MarkdownBlock::Kind
  std::string out;
  for (const MarkdownBlock& block : parse_markdown(markdown)) {
    if (!out.empty()) out += " | ";
    out += letters[static_cast<std::size_t>(block.kind)];
    if (!block.language.empty()) out += '(' + block.language + ')';
    out += ':' + fold_whitespace(block.text);
  }
  return out;
}

template <class Of, std::size_t count>
void check(const Of& of, const TextCase (&cases)[count]) {
  for (const TextCase& c : cases) CHECK(of(c.input) == c.expected);
}

TEST_CASE("markdown: a mark in a link's target begins no emphasis") {
  const TextCase cases[] = {
      {"x [a](b*c) d*", "x a d*"},
      {"[a](b**c) d** e", "a d** e"},
      {"[a](b**c) *d e**f* g", "a *d e**f* g"},
      {"[a](ba**7Co)s *b a**c", "as *b a**c"},
      {"x [a](b*c) *d* e", "x a d e"},
      {"see [here](https://h/_x) for value_ and", "see here for value_ and"},
      {"[a](__b) d__", "a d__"},
      {"x [a](b~~c) d~~ **e**", "x a d~~ e"},
      {"x [a](b*c) d*\n\n**e** f", "x a d* e f"},
  };
  check(prose_of, cases);
}

TEST_CASE("markdown: emphasis is dropped, and what only looks like it stays") {
  const TextCase cases[] = {
      {"a *b* _c_ **d** __e__ ***f*** ~~g~~", "a b c d e f g"},
      {"**bold *and italic* text**", "bold and italic text"},
      {"*a **b** c*", "a b c"},
      {"snake_case_name and _private_name", "snake_case_name and _private_name"},
      {"a * b * c", "a * b * c"},
      {"2*3*4 and a*b*c", "2*3*4 and a*b*c"},
      {"f(*args, **kwargs)", "f(*args, **kwargs)"},
      {"char *p, char **q", "char *p, char **q"},
      {"src/**/*.ts and lib/**/*.js", "src/**/*.ts and lib/**/*.js"},
      {"a ~ b, ~~~~, ~Box()", "a ~ b, ~~~~, ~Box()"},
      {"*unclosed and **also", "*unclosed and **also"},
      {"这是**重点**内容", "这是重点内容"},
      {"**`code`**, (*x*) \"_y_\"", "code, (x) \"y\""},
      {"*a*b", "*a*b"},
      {"a***b***c, a**b*c*d**e", "a***b***c, a**b*c*d**e"},
      {"~a~ b, /~~c~~/", "~a~ b, /c/"},
  };
  check(prose_of, cases);
}

TEST_CASE("markdown: inline code is verbatim") {
  const TextCase cases[] = {
      {"`a*b*c` and `x_y_`", "a*b*c and x_y_"},
      {"`` a`b ``", "a`b"},
      {"`&lt;` `\\*` `[a](b)`", "&lt; \\* [a](b)"},
      {"`unclosed *a*", "`unclosed a"},
      {"\\`a*b\\`", "`a*b`"},
      {"``a` *b*", "``a` b"},
      {"`a``b`", "a``b"},
      {"*a `*` b*", "a * b"},
      {"`a\nb`", "a b"},
  };
  check(prose_of, cases);
}

TEST_CASE("markdown: escapes and entities are undone") {
  const TextCase cases[] = {
      {R"(\*a\* \_b\_ \[c\] \<d> \# \\)", R"(*a* _b_ [c] <d> # \)"},
      {R"(C:\dir \alpha \1)", R"(C:\dir \alpha \1)"},
      {"line\\\nbreak", "line break"},
      {R"(\)", R"(\)"},
      {R"(\&lt;)", "&lt;"},
      {"&lt;b&gt; &amp;amp; &quot;&#39;&#x27;&apos;", "<b> &amp; \"'''"},
      {"a&nbsp;b &mdash; &hellip;", "a b \u2014 \u2026"},
      {"&unknown; &; & &# &#; &#x; &#xZZ; &lt", "&unknown; &; & &# &#; &#x; &#xZZ; &lt"},
      {"&#0; &#xD800; &#x110000; &#99999999999;", "\uFFFD \uFFFD \uFFFD &#99999999999;"},
      {"&#42;not emphasis&#42;", "*not emphasis*"},
  };
  check(prose_of, cases);
}

TEST_CASE("markdown: links, images and tags") {
  const TextCase cases[] = {
      {"[Observer](file:///a/types.ts#192,18-192,26) interface", "Observer interface"},
      {"[a](<b c> \"title\"), [b](c 'd'), [c](d (e))", "a, b, c"},
      {"[x](http://h/a_(b)_c) end", "x end"},
      {"[`(T).M` on pkg.go.dev](https://pkg.go.dev/strings#Builder)", "(T).M on pkg.go.dev"},
      {"![alt *text*](image.png)", "alt text"},
      {"[![badge](b.svg)](https://h/)", "badge"},
      {"[a [b](c/d) e](f/g)", "[a b e](f/g)"},
      {"[*a*](b/c)", "a"},
      {"[not a link] (b) [x]", "[not a link] (b) [x]"},
      {"a[i][j], f[0](x), operator[](int)", "a[i][j], f[0](x), operator[](int)"},
      {"word[1](#note)", "word1"},
      {"<https://h/a_b_c> <me@h.org> <mailto:x>", "https://h/a_b_c me@h.org mailto:x"},
      {"vector<std::string> Map<K, V> <T>", "vector<std::string> Map<K, V> <T>"},
      {"<span class=\"a_b_c\">in_form_al</span> a<br/>b<br>c", "in_form_al a b c"},
      {"<a class=\"a_b_c\">in_form_al</a>, <T> Box<span>",
       "<a class=\"a_b_c\">in_form_al</a>, <T> Box<span>"},
      {"the <code>a_b</code> of a <em>set</em>", "the a_b of a set"},
      {"a <!-- hidden *x* --> b <!-- open", "a b <!-- open"},
      {"a <b and *c* > d", "a <b and c > d"},
      {"]( [ ![", "]( [ !["},
  };
  check(prose_of, cases);
}

TEST_CASE("markdown: reference links need their definition") {
  const TextCase cases[] = {
      {"See [the Guide][g], [G][] and [g].\n\n[g]: https://h/ \"t\"", "See the Guide, G and g."},
      {"[a][b] [c]", "[a][b] [c]"},
      {"[Two  Words]: h/x\n\n[two words][]", "two words"},
      {"[note]: that is a sentence", "[note]: that is a sentence"},
  };
  check(prose_of, cases);
}

TEST_CASE("markdown: blocks") {
  const TextCase cases[] = {
      {"```ts\nlet a\n```\ntext", "c(ts):let a | p:text"},
      {"````md\n```\nx\n```\n````\ny", "c(md):``` x ``` | p:y"},
      {"~~~ python title\na\n```\n~~~~\nb", "c(python):a ``` | p:b"},
      {"```\nunclosed\n\nrest", "c:unclosed rest"},
      {"```c\r\nint a;\r\n```\r\nb\r\n", "c(c):int a; | p:b"},
      {"```c\rint a;\r```\rb", "c(c):int a; | p:b"},
      {"``` a `b`", "p:``` a b"},
      {"  ```c\n  a\n  ```", "c(c):a"},
      {"- ```c\n  a\n  ```\n- b", "c(c):a | p:- b"},
      {"1. one\n\n    ```c\n    a\n    ```", "p:1. one | c(c):a"},
      {"> ```c\n> a\nb", "c(c):a | p:b"},
      {"```", "c:"},
      {"# One\n## Two ##\n### C#\n#\n#no\n####### seven", "h:One | h:Two | h:C# | h: | p:#no ####### seven"},
      {"Title\n=====\ntext\n\n====", "h:Title | p:text | p:===="},
      {"a\n\n---\n***\n_ _ _\n--", "p:a | r: | r: | r: | p:--"},
      {"- a\n- b\n1. c\n2) d", "p:- a | p:- b | p:1. c | p:2) d"},
      {"a\nb\n\nc", "p:a b | p:c"},
      {"> quoted\n> > twice\n\n>>> prompt\n>= 0", "p:quoted | p:twice | p:>>> prompt >= 0"},
      {"a\n\n    code *x*\n\n    more\n\nb", "p:a | c:code *x* more | p:b"},
      {"a\n    continued", "p:a continued"},
      {"- a\n\n    of the item\n\nb\n\n    code", "p:- a | p:of the item | p:b | c:code"},
      {"| a | b |\n|---|:-:|\n| `c` | d\\|e |\n\nf | g", "p:a b | p:c d|e | p:f | g"},
      {"", ""},
      {"\n \n\t\n", ""},
  };
  check(blocks_of, cases);
}

TEST_CASE("markdown: what is longer than any documentation is cut") {
  CHECK(prose_of(std::string(max_markdown, 'a') + "b") == std::string(max_markdown, 'a'));
}

TEST_CASE("markdown: marks do not reach from one block into the next") {
  CHECK(prose_of("- a *b\n- c* d") == "- a *b - c* d");
  CHECK(prose_of("a `b\n\nc` d") == "a `b c` d");
  CHECK(prose_of("**a\nb**") == "a b");
}

TEST_CASE("doc tags: the dash after a name goes, the tag stays") {
  const TextCase cases[] = {
      {"@param width - The width", "@param width The width"},
      {"@param `width` \u2014 The width", "@param `width` The width"},
      {"@param {number} [w=1] - a - b", "@param {number} [w=1] a - b"},
      {"@param {{a: b}} w - see {a} b - c", "@param {{a: b}} w see {a} b - c"},
      {"@param width The - width", "@param width The - width"},
      {"@param a-b", "@param a-b"},
      {"@param", "@param"},
      {"@param -", "@param -"},
      {"  \\param[in] w - x", "  \\param[in] w x"},
      {"\\tparam T \u2013 x", "\\tparam T x"},
      {"@returns \u2014 The area", "@returns The area"},
      {"@returns - The area", "@returns - The area"},
      {"@default \u2014 2\n@see \u2014 x", "@default 2\n@see x"},
      {"A metric.\n@since \u2014 2.0.0\n@category \u2014 metrics\n@see y", "A metric.\n\n\n@see y"},
      {"@brief a type\n\\rst\nA view.\n\\endrst\n\\briefly x", "a type\n\nA view.\n\n\\briefly x"},
      {"@sa https://h/a\n@see http://h/ \n@see https://h/ for more", "\n\n@see https://h/ for more"},
      {"@param w \u2014\nThe width", "@param w \nThe width"},
      {"see @param w - x", "see @param w - x"},
      {"@ - x", "@ - x"},
  };
  check(tidy_tags, cases);
}

TEST_CASE("white space of every kind folds") {
  CHECK(fold_whitespace(" a\r\n\tb\u00A0\u2003 c\u2028d\u3000 ") == "a b c d");
  CHECK(fold_whitespace("a\u200Bb \u00C2 \xE2\x80") == "a\u200Bb \u00C2 \xE2\x80");
  CHECK(fold_whitespace("\v\f\x85") == "\x85");  // a byte that is no UTF-8 is left to others
  CHECK(fold_whitespace("").empty());
}

TEST_CASE("prose starts with neither bullet nor dash, a macro's line ends are white space") {
  CHECK(prose_line("- item\n- b") == "item - b");
  CHECK(prose_line("\u2014 x") == "x");
  CHECK(prose_line("- * +").empty());
  CHECK(prose_line("-5 is negative") == "-5 is negative");
  CHECK(code_line("#define A(x) \\\n  x; \\\r\n  y") == "#define A(x) x; y");
  CHECK(code_line("a \\\n b") == "a \\ b");
}

TEST_CASE("first sentence") {
  const TextCase cases[] = {
      {"", ""},
      {"  ", ""},
      {"No end", "No end"},
      {"One.", "One."},
      {" One. Two.", "One."},
      {"Really? Yes.", "Really?"},
      {"Stop! Now.", "Stop!"},
      {"Wait... Now.", "Wait..."},
      {"Cut off… Two.", "Cut off…"},
      {"He said \"no.\" Then he left.", "He said \"no.\""},
      {"(In brackets.) Two.", "(In brackets.)"},
      {"**Bold.** Two.", "**Bold.**"},
      {"Uses e.g. Foo or i.e. Bar. Two.", "Uses e.g. Foo or i.e. Bar."},
      {"Made in the U.S. By hand.", "Made in the U.S. By hand."},
      {"Ask Dr. No. Two.", "Ask Dr. No."},
      {"See no. 5 of them. Two.", "See no. 5 of them."},
      {"The answer is no. Then it ends.", "The answer is no."},
      {"Foos, bars, etc. are kept. Two.", "Foos, bars, etc. are kept."},
      {"Foos, bars, etc. All are kept.", "Foos, bars, etc."},
      {"Pi is 3.14. Two.", "Pi is 3.14."},
      {"See foo.bar and Foo.Bar(). Two.", "See foo.bar and Foo.Bar()."},
      {"Since version 1.2. Deprecated.", "Since version 1.2."},
      {"1. First. 2. Second.", "1. First."},
      {"Of type T. Two.", "Of type T."},
      {"Use `a. B` here. Two.", "Use `a. B` here."},
      {"One ` only. Two.", "One ` only."},
      {"Is it? no, it goes on. Two.", "Is it? no, it goes on."},
      {"Calculates the area @param width The width.", "Calculates the area"},
      {"Mail a@b.c now. Two.", "Mail a@b.c now."},
      {"@deprecated use Foo. Two.", "@deprecated use Foo."},
      {"面積を計算する。二番目。", "面積を計算する。"},
      {"本当？はい。", "本当？"},
      {"Größe. Zwei.", "Größe."},
      {"One. Éa.", "One."},
      {"One.  ", "One."},
      {".", "."},
      {". . .", "."},
  };
  check(first_sentence, cases);
  for (const TextCase& c : cases) CHECK(first_sentence(c.expected) == c.expected);
}

}  // namespace markdown_text_test
}  // namespace symbols::table
