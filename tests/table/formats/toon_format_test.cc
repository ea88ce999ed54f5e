#include "table/formats/toon_format.h"

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "table/formats/toon_string.h"
#include "tests/table/error_of.h"
#include "tests/table/made_row.h"

namespace symbols::table {
namespace {

using namespace std::string_literals;

const View standard{fields_of(Verbosity::standard), false};
const std::string columns = "{name,kind,range,selection,parent}:";

TEST_CASE("toon: strings, in quotes where the specification asks for them or a decoder might err") {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"countLines", "countLines"},
      {"operator()", "operator()"},
      {"a b", "a b"},
      {"operator|", "operator|"},
      {"it's", "it's"},
      {"日本😀é", "日本😀é"},
      {"", "\"\""},
      {" a", "\" a\""},
      {"a ", "\"a \""},
      {"\u00a0a", "\"\u00a0a\""},
      {"a\u3000", "\"a\u3000\""},
      {"\ufeffa", "\"\ufeffa\""},
      {"a,b", "\"a,b\""},
      {"a:b", "\"a:b\""},
      {"\"a\"", "\"\\\"a\\\"\""},
      {"a\\b", "\"a\\\\b\""},
      {"a[0]", "\"a[0]\""},
      {"{a", "\"{a\""},
      {"-a", "\"-a\""},
      {"a-b", "a-b"},
      {"#a", "\"#a\""},
      {"a#", "a#"},
      {"true", "\"true\""},
      {"false", "\"false\""},
      {"null", "\"null\""},
      {"True", "True"},
      {"42", "\"42\""},
      {"-3.14", "\"-3.14\""},
      {"+1", "\"+1\""},
      {"05", "\"05\""},
      {"1e6", "\"1e6\""},
      {"1E-06", "\"1E-06\""},
      {"1.", "1."},
      {".5", ".5"},
      {"1e", "1e"},
      {"1e+", "1e+"},
      {"53-59", "53-59"},
      {"0x10", "0x10"},
      {"a\nb\r\t", "\"a\\nb\\r\\t\""},
      {"\0\x1b"s, "\"\\u0000\\u001b\""},
      {"\x7f\u0085\u009f", "\"\\u007f\\u0085\\u009f\""},
      {"a\u2028\u2029\u202e\u2066\u061c", "\"a\\u2028\\u2029\\u202e\\u2066\\u061c\""},
      {"a\xff", "a\ufffd"},
      {"a,\xff", "\"a,\ufffd\""},
  };
  for (const auto& [text, written] : cases) {
    const auto& written_shown = written;  // which clang 14 can capture
    CAPTURE(written_shown);
    std::string out;
    append_toon_string(out, text);
    CHECK(out == written);
  }
}

TEST_CASE("toon: rows both ways") {
  const lsp::Range wide{{1, 0}, {9, 0}};
  const lsp::Range inner{{2, 0}, {2, 5}};
  struct Case {
    const char* what;
    std::vector<lsp::DocumentSymbol> symbols;
    std::string lines;
  };
  const std::vector<Case> cases{
      {"no symbols", {}, ""},
      {"parent by name",
       {row("a", 5, wide, -1), row("b", 6, inner, 0)},
       "\n  a,5,\"1:0-9:0\",\"1:0-0\",\"\"\n  b,6,\"2:0-5\",\"2:0-0\",a"},
      {"names in quotes",
       {row("a, \"b\"", 5, wide, -1), row(" ", 6, inner, 0)},
       "\n  \"a, \\\"b\\\"\",5,\"1:0-9:0\",\"1:0-0\",\"\"\n  \" \",6,\"2:0-5\",\"2:0-0\",\"a, \\\"b\\\"\""},
      {"a parent that the name alone would not find",
       {row("C", 5, wide, -1), row("C", 9, inner, 0), row("m", 6, inner, 0)},
       "\n  C,5,\"1:0-9:0\",\"1:0-0\",\"\"\n  C,9,\"2:0-5\",\"2:0-0\",C\n  "
       "m,6,\"2:0-5\",\"2:0-0\",\"C\\\\^0\""},
      {"a parent without a name",
       {row("", 5, wide, -1), row("b", 6, inner, 0)},
       "\n  \"\",5,\"1:0-9:0\",\"1:0-0\",\"\"\n  b,6,\"2:0-5\",\"2:0-0\",\"\\\\^0\""},
      {"a parent whose name ends like a mark",
       {row("C\\^7", 5, wide, -1), row("b", 6, inner, 0)},
       "\n  \"C\\\\^7\",5,\"1:0-9:0\",\"1:0-0\",\"\"\n  b,6,\"2:0-5\",\"2:0-0\",\"C\\\\^7\\\\^0\""},
      {"a container that names no row", {row("b", 6, inner, -1, "std")}, "\n  b,6,\"2:0-5\",\"2:0-0\",std"},
      {"a container that names no row though one is found",
       {row("a", 5, wide, -1), row("b", 6, inner, -1, "a")},
       "\n  a,5,\"1:0-9:0\",\"1:0-0\",\"\"\n  b,6,\"2:0-5\",\"2:0-0\",\"a\\\\^\""},
      {"a container that ends like a mark",
       {row("b", 6, inner, -1, "x\\^3")},
       "\n  b,6,\"2:0-5\",\"2:0-0\",\"x\\\\^3\\\\^\""},
      {"kinds that JavaScript would round",
       {row("a", 9007199254740993, wide, -1), row("b", -999999999999999, wide, -1)},
       "\n  a,\"9007199254740993\",\"1:0-9:0\",\"1:0-0\",\"\"\n  "
       "b,\"-999999999999999\",\"1:0-9:0\",\"1:0-0\",\"\""},
      {"negative kinds", {row("a", -3, wide, -1)}, "\n  a,-3,\"1:0-9:0\",\"1:0-0\",\"\""},
  };
  for (const Case& c : cases) {
    CAPTURE(c.what);
    const SymbolRows rows{{c.symbols}, {}, false};
    const std::string text = "symbols[" + std::to_string(c.symbols.size()) + "]" + columns + c.lines;
    CHECK(write_toon(rows, standard) == text);
    for (const std::string end :
         {"", "\n", "\ntruncated: \"35 -> 9 tokens; dropped: hover\"", "\n\ntruncated: x\n\n"}) {
      const Result<SymbolRows> back = read_toon(text + end);
      REQUIRE(error_of(back) == "");
      CHECK(*back == rows);
    }
  }
}

TEST_CASE("toon: other fields, kinds by name") {
  using enum Field;
  SymbolRows rows{{{row("a", 5, {{1, 0}, {9, 0}}, -1), row("b", 255, {{2, 0}, {2, 5}}, 0)}}, {}, false};
  rows.tree.symbols[0].tags = {1};
  rows.hover_parts = {{"class a", "One. Two."}, {}};
  CHECK(write_toon(rows, {{kind, name, depth, children, lines, tags, doc, hover}, true}) ==
        "symbols[2]{kind,name,depth,children,lines,tags,doc,hover}:\n"
        "  Class,a,0,1,2-10,\"1\",One.,\"\"\n"
        "  255,b,1,0,\"3\",\"\",\"\",\"\"");
}

TEST_CASE("toon: what other encoders write, and people") {
  const SymbolRows rows{{{row("a b", 5, {{1, 0}, {9, 0}}, -1), row("c", 6, {{2, 0}, {2, 5}}, 0)}}, {}, false};
  const std::vector<std::pair<const char*, std::string>> cases{
      {"tabs", "symbols[2\t]{name\tkind\trange\tparent}:\n  a b\t5\t\"1:0-9:0\"\t\"\"\n  c\t6\t2:0-5\ta b"},
      {"pipes", "symbols[2|]{name|kind|range|parent}:\n  a b|5|\"1:0-9:0\"|\"\"\n  c|6|2:0-5|a b"},
      {"blanks around cells, none in an empty one",
       "symbols[2]{name, kind ,range,parent}:\n  a b , 5,\"1:0-9:0\" ,\n  \"c\",\"6\",2:0-5,a b"},
      {"four blanks, comments, blank lines around, CR LF",
       "# symbols\r\n\r\nsymbols[2]{name,kind,range,parent}:\r\n    a b,5,\"1:0-9:0\",\"\"\r\n # c\r\n    "
       "c,6,\"2:0-5\",a b\r\n\r\n"},
      {"escapes for letters, names of columns in quotes, words for kinds",
       "symbols[2]{\"name\",kind,range,parent}:\n  \"\\u0061 b\",Class,\"1:0-9:0\",\"\"\n  "
       "c,method,\"2:0-5\",a b"},
  };
  for (const auto& [what, text] : cases) {
    const auto& what_shown = what;
    CAPTURE(what_shown);
    Result<SymbolRows> back = read_toon(text);
    REQUIRE(error_of(back) == "");
    CHECK(back->lacking == std::vector<Field>{Field::selection});
    back->lacking.clear();
    CHECK(*back == rows);
  }
  CHECK(*read_toon("symbols: []") == SymbolRows{});
  CHECK(*read_toon("symbols[0]{name,kind,range,depth,hover}:") == SymbolRows{{}, {}, true});
}

TEST_CASE("toon: errors say line, column and what was expected") {
  const std::string advice =
      "; the rows start with a line such as \"symbols[2]{name,kind,range,selection,parent}:\"";
  const std::string one = "symbols[1]" + columns + "\n";
  const std::string good = "  a,5,\"1:0-9:0\",\"1:0-0\",\"\"";
  struct Case {
    std::string text;
    std::string error;  // after "cannot read the TOON at "
  };
  const std::vector<Case> cases{
      {"", "line 1, column 1: expected the header" + advice},
      {"\n# x\n", "line 2, column 4: expected the header, found the end of the text" + advice},
      {"name: a", "line 1, column 1: expected the header" + advice},
      {"symbols: x", "line 1, column 8: expected [ and the number of rows" + advice},
      {"symbols[x]{name}:", "line 1, column 9: expected the number of rows" + advice},
      {"symbols[01]{name}:", "line 1, column 9: expected the number of rows" + advice},
      {"symbols[99999999999999999999]{name}:", "line 1, column 9: expected the number of rows" + advice},
      {"symbols[1] {name}:", "line 1, column 10: expected ]{ and the names of the columns" + advice},
      {"symbols[1]{name", "line 1, column 16: expected }: at the end of the header" + advice},
      {"symbols[1]{name}: a", "line 1, column 16: expected }: at the end of the header" + advice},
      {"symbols[1]{}:", "line 1, column 12: unknown column \"\""},
      {"symbols[1]{name,nom}:", "line 1, column 17: unknown column \"nom\""},
      {"symbols[1]{name,name}:", "line 1, column 17: column name appears twice"},
      {"symbols[1]{name,kind}:", "line 1, column 21: missing column range, parent or depth"},
      {"symbols[2]" + columns + "\n" + good,
       "line 2, column 27: expected 2 rows, as the header says, found 1"},
      {"symbols[2]" + columns + "\n" + good + "\ntruncated: x",
       "line 3, column 1: expected 2 rows, as the header says, found 1"},
      {"symbols[2]" + columns + "\n" + good + "\n\n" + good,
       "line 3, column 1: an empty line among the rows"},
      {one + good + "\n" + good, "line 3, column 1: expected 1 rows, as the header says, found more"},
      {one + good + "\nmore: x", "line 3, column 1: expected the end of the text"},
      {one + good + "\ntruncated: x\ntruncated: x", "line 4, column 1: expected the end of the text"},
      {one + good + "\ntruncated: \"x",
       "line 3, column 12: a string without its closing quote at the line's end"},
      {one + "  é,5", "line 2, column 6: expected 5 cells, one for each column of the header, found 2"},
      {one + "  é,\"a", "line 2, column 5: a string without its closing quote"},
      {one + "  é,\"a\"b,",
       "line 2, column 8: text after a string's closing quote; a quote inside a string is written \\\""},
      {one + "  42,5,\"1:0-9:0\",\"1:0-0\",\"\"",
       "line 2, column 3: name: expected a string, found 42, which needs quotes to be one"},
      {one + "  a,5,\"1:0-9:0\",\"1:0-0\",null",
       "line 2, column 25: parent: expected a string, found null, which needs quotes to be one"},
      {one + "  \"é\\x\",5,\"1:0-9:0\",\"1:0-0\",\"\"",
       "line 2, column 5: name: a backslash before \"x\" is not an escape; the escapes are \\\\ \\\" \\n \\r "
       "\\t "
       "\\uHHHH"},
      {one + "  \"\\u12g4\",5,\"1:0-9:0\",\"1:0-0\",\"\"",
       "line 2, column 4: name: \\u needs four hexadecimal digits, as in \\u001b"},
      {one + "  \"\\ud83d\\ude00\",5,\"1:0-9:0\",\"1:0-0\",\"\"",
       "line 2, column 4: name: \\ud83d is half of a character; write the whole character itself"},
      {one + "  a,Klass,\"1:0-9:0\",\"1:0-0\",\"\"",
       "line 2, column 5: kind: expected a symbol kind's number or name, as in 12 or Function, found "
       "\"Klass\""},
      {one + "  a,5,\"1:0-9:0\",\"1:0-0\",\"b\\\\^0\"",
       "line 2, column 25: parent: expected the depth of a row named \"b\" on the path to the row before, "
       "after \\^, found 0"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    CHECK(error_of(read_toon(c.text)) == "cannot read the TOON at " + c.error);
  }
}

}  // namespace
}  // namespace symbols::table
