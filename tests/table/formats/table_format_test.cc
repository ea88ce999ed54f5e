#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "table/formats/format.h"
#include "tests/table/error_of.h"
#include "tests/table/made_row.h"

namespace symbols::table {
namespace table_format_test {

constexpr std::int32_t top = -1;

SymbolRows without_hover(std::vector<lsp::DocumentSymbol> symbols) {
  return made_rows({std::move(symbols)});
}

const std::string header = "NAME | KIND | RANGE | SELECTION | PARENT";
const std::string header_with_hover = header + " | HOVER_INFO | EOL";

TEST_CASE("table: no symbols are the header alone") {
  CHECK(write_table({}) == header);
  CHECK(write_table(made_rows({}, {})) == header_with_hover);
  for (const std::string& text : {header, header + "\n", header + "\r\n"}) {
    const Result<SymbolRows> rows = read_table(text);
    REQUIRE(error_of(rows) == "");
    CHECK(*rows == SymbolRows());
  }
  CHECK(*read_table(header_with_hover) == made_rows({}, {}));
}

TEST_CASE("table: rows both ways") {
  const lsp::Range wide{{1, 0}, {9, 0}};
  const lsp::Range inner{{2, 0}, {2, 5}};
  const lsp::Range outside{{20, 0}, {20, 5}};
  struct Case {
    const char* what;
    std::vector<lsp::DocumentSymbol> symbols;
    std::string lines;  // after the header's newline
  };
  const std::vector<Case> cases{
      {"a top-level row ends in a blank", {row("a", 12, inner, top)}, "a | 12 | 2:0-5 | 2:0-0 | "},
      {"an empty name", {row("", 12, inner, top)}, " | 12 | 2:0-5 | 2:0-0 | "},
      {"blanks in a name stay", {row("  a ", 12, inner, top)}, "  a  | 12 | 2:0-5 | 2:0-0 | "},
      {"kinds that LSP does not know",
       {row("a", 255, inner, top), row("b", 0, inner, top), row("c", -3, inner, top)},
       "a | 255 | 2:0-5 | 2:0-0 | \nb | 0 | 2:0-5 | 2:0-0 | \nc | -3 | 2:0-5 | 2:0-0 | "},
      {"a name that would forge a row",
       {row("x | 5 | 0:0-1 | 0:0-1 | \ny", 12, inner, top)},
       "x \\| 5 \\| 0:0-1 \\| 0:0-1 \\| \\ny | 12 | 2:0-5 | 2:0-0 | "},
      {"the parent's name is escaped too",
       {row("operator||", 12, wide, top), row("p", 13, inner, 0)},
       "operator\\|\\| | 12 | 1:0-9:0 | 1:0-0 | \np | 13 | 2:0-5 | 2:0-0 | operator\\|\\|"},
      {"of two of a name the deeper one that contains the row",
       {row("n", 3, wide, top), row("n", 5, wide, 0), row("m", 6, inner, 1)},
       "n | 3 | 1:0-9:0 | 1:0-0 | \nn | 5 | 1:0-9:0 | 1:0-0 | n\nm | 6 | 2:0-5 | 2:0-0 | n"},
      {"the higher one where only that contains the row: a class and its constructor",
       {row("C", 5, wide, top), row("C", 9, inner, 0), row("m", 6, {{3, 0}, {3, 5}}, 0)},
       "C | 5 | 1:0-9:0 | 1:0-0 | \nC | 9 | 2:0-5 | 2:0-0 | C\nm | 6 | 3:0-5 | 3:0-0 | C"},
      {"the deepest where none contains the row",
       {row("C", 5, wide, top), row("C", 9, inner, 0), row("m", 6, outside, 1)},
       "C | 5 | 1:0-9:0 | 1:0-0 | \nC | 9 | 2:0-5 | 2:0-0 | C\nm | 6 | 20:0-5 | 20:0-0 | C"},
      {"marked: the higher one though the deeper one contains the row",
       {row("C", 5, wide, top), row("C", 9, inner, 0), row("m", 6, inner, 0)},
       "C | 5 | 1:0-9:0 | 1:0-0 | \nC | 9 | 2:0-5 | 2:0-0 | C\nm | 6 | 2:0-5 | 2:0-0 | C\\^0"},
      {"marked: the deeper one though only the higher one contains the row",
       {row("C", 5, wide, top), row("C", 9, inner, 0), row("m", 6, {{3, 0}, {3, 5}}, 1)},
       "C | 5 | 1:0-9:0 | 1:0-0 | \nC | 9 | 2:0-5 | 2:0-0 | C\nm | 6 | 3:0-5 | 3:0-0 | C\\^1"},
      {"marked: a parent without a name",
       {row("a", 5, wide, top), row("", 5, wide, 0), row("m", 6, inner, 1)},
       "a | 5 | 1:0-9:0 | 1:0-0 | \n | 5 | 1:0-9:0 | 1:0-0 | a\nm | 6 | 2:0-5 | 2:0-0 | \\^1"},
      {"a parent whose name ends as a mark does",
       {row("a\\^0", 5, wide, top), row("m", 6, inner, 0)},
       "a\\\\^0 | 5 | 1:0-9:0 | 1:0-0 | \nm | 6 | 2:0-5 | 2:0-0 | a\\\\^0"},
      {"a parent whose name ends in a backslash, marked",
       {row("a\\", 5, wide, top), row("a\\", 5, inner, 0), row("m", 6, inner, 0)},
       "a\\\\ | 5 | 1:0-9:0 | 1:0-0 | \na\\\\ | 5 | 2:0-5 | 2:0-0 | a\\\\\n"
       "m | 6 | 2:0-5 | 2:0-0 | a\\\\\\^0"},
      {"a flat symbol whose container names no row",
       {row("a", 12, wide, top), row("b", 12, inner, top, "elsewhere")},
       "a | 12 | 1:0-9:0 | 1:0-0 | \nb | 12 | 2:0-5 | 2:0-0 | elsewhere"},
      {"a flat symbol whose container names a row that has left the path",
       {row("a", 12, wide, top), row("b", 12, inner, top), row("c", 12, inner, top, "a")},
       "a | 12 | 1:0-9:0 | 1:0-0 | \nb | 12 | 2:0-5 | 2:0-0 | \nc | 12 | 2:0-5 | 2:0-0 | a"},
      {"marked: a flat symbol whose container the rule would find",
       {row("a", 12, wide, top), row("b", 12, inner, top, "a")},
       "a | 12 | 1:0-9:0 | 1:0-0 | \nb | 12 | 2:0-5 | 2:0-0 | a\\^"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.what);
    const SymbolRows rows = without_hover(c.symbols);
    CHECK(write_table(rows) == header + "\n" + c.lines);
    const Result<SymbolRows> back = read_table(header + "\n" + c.lines);
    REQUIRE(error_of(back) == "");
    CHECK(*back == rows);
  }
}

TEST_CASE("table: what editors and mail make of one") {
  const SymbolRows rows = without_hover({row("a", 12, {}, top), row("b", 12, {}, 0), row("c", 12, {}, top)});
  const std::string table = write_table(rows);
  std::string crlf;
  for (const char c : table) crlf += c == '\n' ? "\r\n" : std::string(1, c);
  const std::string trimmed =
      header + "\na | 12 | 0:0-0 | 0:0-0 |\nb | 12 | 0:0-0 | 0:0-0 | a\nc | 12 | 0:0-0 | 0:0-0 |";
  const std::vector<std::pair<const char*, std::string>> cases{
      {"a newline at the end", table + "\n"},
      {"CR LF", crlf},
      {"CR LF at the end too", crlf + "\r\n"},
      {"blanks at the end of lines lost", trimmed},
      {"the same with CR LF", trimmed + "\r\n"},
      {"the columns in another order, kinds by name in any case",
       "PARENT | KIND | SELECTION | RANGE | NAME\n | Function | 0:0-0 | 0:0-0 | a\na | function | 0:0-0 | "
       "0:0-0 | b\n | 12 | 0:0-0 | 0:0-0 | c"},
      {"what a budget left out", table + "\n# truncated: 35 -> 9 tokens"},
  };
  for (const auto& [what, text] : cases) {
    CAPTURE(what);
    const Result<SymbolRows> back = read_table(text);
    REQUIRE(error_of(back) == "");
    CHECK(*back == rows);
  }
  CHECK(read_table("NAME | KIND | RANGE | DEPTH\na | 5 | 1:0-9:0 | 0")->lacking ==
        std::vector<Field>{Field::selection});
}

TEST_CASE("table: errors say line, column and what was expected") {
  const std::string header_advice =
      "; a table starts with a line such as \"" + header + "\" or \"" + header_with_hover + "\"";
  const std::string pipe =
      "a | without a space on each side; cells are joined by \" | \", and a | inside a cell is written \\|";
  const std::string cells = "expected 5 cells, one for each column of the header, found ";
  const std::string kind = "KIND: expected a symbol kind's number or name, as in 12 or Function, found ";
  const std::string range =
      ": expected a range, as in 52:6-61 or 24:8-28:3, numbers up to 4294967295, found ";
  const std::string depth =
      "PARENT: expected the depth of a row named \"é\" on the path to the row before, after \\^, found ";
  const std::string escape = "this is not an escape; the escapes are \\\\ \\n \\r \\t \\xHH \\u{HHHH} \\|";
  const std::string start = header + "\n";
  const std::string good = start + "é | 5 | 1:0-9:0 | 1:0-5 | \n";
  const std::string further = "NAME | KIND | RANGE | DEPTH";
  struct Case {
    std::string text;
    std::string error;  // after "cannot read the table at "
  };
  const Case cases[] = {
      {"", "line 1, column 1: expected the header" + header_advice},
      {"[{\"name\":\"a\"}]",
       "line 1, column 1: unknown column \"[{\\\"name\\\":\\\"a\\\"}]\"" + header_advice},
      {"NAME | KIND | RANGE | SELECTION",
       "line 1, column 32: missing column PARENT or DEPTH" + header_advice},
      {"NAME | RANGE | PARENT", "line 1, column 22: missing column KIND" + header_advice},
      {header + " | HOVER_INFO", "line 1, column 54: missing column EOL" + header_advice},
      {header + " | NAME", "line 1, column 44: column NAME appears twice"},
      {"NAME|KIND", "line 1, column 5: " + pipe},
      {good + "a | 5 | 1:0-5 | 1:0-5", "line 3, column 22: " + cells + "4"},
      {start + "# truncated: 3500 -> 998 tokens\n\n", "line 2, column 32: " + cells + "1"},
      {start + "a | | 5 | 1:0-5 | 1:0-5 | ", "line 2, column 5: " + pipe},
      {start + "é\\q | 5 | 1:0-5 | 1:0-5 | ", "line 2, column 2: NAME: " + escape},
      {start + "a | Klass | 1:0-5 | 1:0-5 | ", "line 2, column 5: " + kind + "\"Klass\""},
      {start + "a | 05 | 1:0-5 | 1:0-5 | ", "line 2, column 5: " + kind + "\"05\""},
      {start + "é | 5 | 1:0 | 1:0-5 | ", "line 2, column 9: RANGE" + range + "\"1:0\""},
      {start + "é | 5 | 1:0-5 | 1:0-4294967296 | ",
       "line 2, column 17: SELECTION" + range + "\"1:0-4294967296\""},
      {good + "m | 6 | 2:0-5 | 2:0-5 | é\\x", "line 3, column 26: PARENT: " + escape},
      {good + "m | 6 | 2:0-5 | 2:0-5 | é\\^1", "line 3, column 25: " + depth + "1"},
      {good + "m | 6 | 2:0-5 | 2:0-5 | \\^",
       "line 3, column 25: PARENT: expected a name before \\^, or an empty cell for a row at top level"},
      {header_with_hover + "\na | 5 | 1:0-5 | 1:0-5 |  | a \\| <<< | <<",
       "line 2, column 39: expected <<< in EOL, found \"<<\""},
      {further + "\na | 5 | 0:0-1 | 1",
       "line 2, column 17: DEPTH: expected at most 0, one more than the depth of the row before, found 1"},
      {further + "\na | 5 | 0:0-1 | -1",
       "line 2, column 17: DEPTH: expected a number from 0 on, found \"-1\""},
      {further + " | CHILDREN\na | 5 | 0:0-1 | 0 | x",
       "line 2, column 21: CHILDREN: expected a number from 0 on, found \"x\""},
      {further + " | LINES\na | 5 | 0:0-1 | 0 | 1-",
       "line 2, column 21: LINES: expected lines, as in 53 or 53-59, found \"1-\""},
      {further + " | TAGS\na | 5 | 0:0-1 | 0 | 1 ",
       "line 2, column 21: TAGS: expected numbers separated by a space, found \"1 \""},
  };
  for (const Case& c : cases) CHECK(error_of(read_table(c.text)) == "cannot read the table at " + c.error);
}

// Rows with something in every field.
SymbolRows full_rows() {
  SymbolRows rows = made_rows({{symbol("C", 5, {{52, 6}, {58, 1}}, {{52, 12}, {52, 13}}, top),
                                symbol("# truncated: x", 255, {{53, 2}, {53, 9}}, {{53, 2}, {53, 3}}, 0)}},
                              {"class C - One.", ""}, {{"class C", "One, e.g. this. Two."}, {"", ""}});
  rows.all[0].detail = "a | b";
  rows.all[0].tags = {1, 2};
  return rows;
}

TEST_CASE("table: any fields in any order") {
  using enum Field;
  struct Case {
    View view;
    std::string table;
  };
  const std::vector<Case> cases{
      {{{name}, false}, "NAME\nC\n\\x23 truncated: x"},
      {{{kind, name}, true}, "KIND | NAME\nClass | C\n255 | # truncated: x"},
      {{{hover, range}, false},
       "HOVER_INFO | RANGE | EOL\nclass C - One. | 52:6-58:1 | <<<\n | 53:2-9 | <<<"},
      {{{lines, depth, children, tags, detail}, false},
       "LINES | DEPTH | CHILDREN | TAGS | DETAIL\n53-59 | 0 | 1 | 1 2 | a \\| b\n54 | 1 | 0 |  | "},
      {{{parent, doc, signature}, false}, "PARENT | DOC | SIGNATURE\n | One, e.g. this. | class C\nC |  | "},
  };
  for (const Case& c : cases) CHECK(write_table(full_rows(), c.view) == c.table);
}

TEST_CASE("tsv: rows") {
  const lsp::Range wide{{1, 0}, {9, 0}};
  struct Case {
    const char* what;
    std::vector<lsp::DocumentSymbol> symbols;
    std::string lines;  // after the header
  };
  const std::vector<Case> cases{
      {"no symbols", {}, ""},
      {"a name that would forge a row", {row("x\t5\ny", 12, wide, top)}, "\nx\\t5\\ny\t12\t1:0-9:0\t1:0-0\t"},
      {"blanks, quotes, pipes and commas stand",
       {row(" \"a\", b|c ", 12, wide, top)},
       "\n \"a\", b|c \t12\t1:0-9:0\t1:0-0\t"},
      {"what a budget left out can be a name, and so can another file",
       {row("# truncated: x", 5, wide, top), row("==> a <==", 5, wide, top)},
       "\n\\x23 truncated: x\t5\t1:0-9:0\t1:0-0\t\n\\x3D=> a <==\t5\t1:0-9:0\t1:0-0\t"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.what);
    CHECK(write_tsv(without_hover(c.symbols), {fields_of(Verbosity::standard)}) ==
          "name\tkind\trange\tselection\tparent" + c.lines);
  }
}

TEST_CASE("hover row: what stands in the cells") {
  constexpr lsp::Range range{{24, 8}, {28, 3}};
  constexpr lsp::Range selection{{24, 8}, {24, 18}};
  struct Case {
    const char* what;
    HoverRow row;
    std::string text;
  };
  const Case cases[] = {
      {"all",
       {"countLines", 12, range, selection, "present", "const countLines: () => number"},
       "countLines | 12 | 24:8-28:3 | 24:8-18 | present | const countLines: () => number | <<<"},
      {"no symbol: the hover's range",
       {"a", {}, selection, selection, "f", "int a"},
       "a |  | 24:8-18 | 24:8-18 | f | int a | <<<"},
      {"the name's place alone", {"a", {}, {}, selection, "", "h"}, "a |  |  | 24:8-18 |  | h | <<<"},
      {"nothing", {"", {}, {}, {}, "", ""}, " |  |  |  |  |  | <<<"},
      {"delimiters, line ends, the marker",
       {"operator|", 12, range, selection, "a | b", "x\n<<<\r\t\\^2"},
       "operator\\| | 12 | 24:8-28:3 | 24:8-18 | a \\| b | x\\n<<<\\r\\t\\\\^2 | <<<"},
      {"invalid bytes",
       {"\xE9", {}, {}, {}, "\xFF", "\xC0\xAF"},
       "\uFFFD |  |  |  | \uFFFD | \uFFFD\uFFFD | <<<"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.what);
    CHECK(write_hover_row(c.row) == header_with_hover + "\n" + c.text);
  }
}

}  // namespace table_format_test
}  // namespace symbols::table
