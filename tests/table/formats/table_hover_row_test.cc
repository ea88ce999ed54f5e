// A hover's row, byte by byte, and read back by the reader of tables.
#include <doctest/doctest.h>

#include <string>

#include "lsp/unicode.h"
#include "table/formats/table_format.h"
#include "tests/table/error_of.h"
#include "tests/table/generated_rows.h"
#include "tests/table/made_row.h"
#include "tests/table/written_table.h"

namespace symbols::table {
namespace {

constexpr lsp::Range range{{24, 8}, {28, 3}};
constexpr lsp::Range selection{{24, 8}, {24, 18}};

TEST_CASE("hover row: what stands in the cells") {
  const std::string header = "NAME | KIND | RANGE | SELECTION | PARENT | HOVER_INFO | EOL\n";
  struct Case {
    const char* what;
    HoverRow row;
    std::string text;
  };
  const Case cases[] = {
      {"all",
       {"countLines", 12, range, selection, "present", "const countLines: () => number"},
       "countLines | 12 | 24:8-28:3 | 24:8-18 | present | const countLines: () => number | <<<"},
      {"top level, no hover",
       {"a", 13, range, selection, "", ""},
       "a | 13 | 24:8-28:3 | 24:8-18 |  |  | <<<"},
      {"no symbol: the hover's range",
       {"a", {}, selection, selection, "f", "int a"},
       "a |  | 24:8-18 | 24:8-18 | f | int a | <<<"},
      {"the name's place alone", {"a", {}, {}, selection, "", "h"}, "a |  |  | 24:8-18 |  | h | <<<"},
      {"nothing", {"", {}, {}, {}, "", ""}, " |  |  |  |  |  | <<<"},
      {"a kind of no version of LSP",
       {"M", 255, range, selection, "", ""},
       "M | 255 | 24:8-28:3 | 24:8-18 |  |  | <<<"},
      {"an empty range", {"a", 1, lsp::Range{}, lsp::Range{}, "", ""}, "a | 1 | 0:0-0 | 0:0-0 |  |  | <<<"},
      {"delimiters, line ends, the marker",
       {"operator|", 12, range, selection, "a | b", "x\n<<<\r\t\\^2"},
       "operator\\| | 12 | 24:8-28:3 | 24:8-18 | a \\| b | x\\n<<<\\r\\t\\\\^2 | <<<"},
      {"controls and what reorders",
       {"\x1b[31m", {}, {}, {}, "\u202e", "\u2028\u0085\x7f"},
       "\\x1B[31m |  |  |  | \\u{202E} | \\u{2028}\\x85\\x7F | <<<"},
      {"blanks stay, other scripts too", {" a ", {}, {}, {}, "é", "漢 😀"}, " a  |  |  |  | é | 漢 😀 | <<<"},
      {"invalid bytes",
       {"\xE9", {}, {}, {}, "\xFF", "\xC0\xAF"},
       "\uFFFD |  |  |  | \uFFFD | \uFFFD\uFFFD | <<<"},
      {"a hover that is not cut",
       {"a", {}, {}, {}, "", std::string_view("0123456789012345678901234567890123456789")},
       "a |  |  |  |  | 0123456789012345678901234567890123456789 | <<<"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.what);
    CHECK(write_hover_row(c.row) == header + c.text);
  }
}

TEST_CASE("hover row: 10,000 hostile rows read back as a table of one row") {
  Dice dice(11);
  for (int i = 0; i < 10000; ++i) {
    CAPTURE(i);
    const std::string name = hostile_text(dice);
    const std::string parent = hostile_text(dice);
    const std::string hover = hostile_text(dice);
    const auto kind = static_cast<std::int64_t>(dice.below(300)) - 20;
    const std::string text = write_hover_row({name, kind, range, selection, parent, hover});
    REQUIRE(lsp::find_invalid_utf8(text) == std::string_view::npos);
    const Result<SymbolRows> back = read_table(text);
    REQUIRE(error_of(back) == "");
    REQUIRE(back->all.size() == 1);
    const lsp::DocumentSymbol& symbol = back->all.front();
    REQUIRE(symbol.name == lsp::to_valid_utf8(name));
    REQUIRE(symbol.kind == kind);
    REQUIRE(symbol.range == range);
    REQUIRE(symbol.selection_range == selection);
    REQUIRE(symbol.parent < 0);
    REQUIRE(symbol.container_name == lsp::to_valid_utf8(parent));
    REQUIRE(back->all.front().hover == lsp::to_valid_utf8(hover));
  }
}

TEST_CASE("hover row: as write_table has the same row") {
  lsp::DocumentSymbol symbol;
  symbol.name = "a|b";
  symbol.kind = 12;
  symbol.range = range;
  symbol.selection_range = selection;
  const SymbolRows rows = made_rows({{symbol}}, {"h\n"});
  CHECK(write_hover_row({"a|b", 12, range, selection, "", "h\n"}) == write_table(rows));
}

}  // namespace
}  // namespace symbols::table
