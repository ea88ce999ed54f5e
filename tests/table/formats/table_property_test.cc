// What must hold of the table for any rows and any text, tried on generated ones.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "lsp/unicode.h"
#include "table/formats/table_format.h"
#include "tests/growth.h"
#include "tests/table/damaged_text.h"
#include "tests/table/error_of.h"
#include "tests/table/generated_rows.h"
#include "tests/table/written_table.h"

namespace symbols::table {
namespace {

using namespace std::string_literals;

TEST_CASE("table: 10,000 hostile trees read back") {
  Dice dice(4);
  std::size_t rows_in_all = 0;
  std::size_t marked = 0;
  for (int i = 0; i < 10000; ++i) {
    CAPTURE(i);
    const SymbolRows rows = hostile_rows(dice);
    const std::string table = write_table(rows);
    CAPTURE(table);
    REQUIRE(lsp::find_invalid_utf8(table) == std::string_view::npos);
    const Result<SymbolRows> back = read_table(table);
    REQUIRE(error_of(back) == "");
    const bool same = *back == with_replaced_bytes(rows);
    REQUIRE(same);
    rows_in_all += rows.tree.symbols.size();
    for (std::size_t at = 0; (at = table.find("\\^", at)) != std::string::npos; ++at) ++marked;
  }
  CHECK(rows_in_all > 100000);
  CHECK(marked > 10000);  // the hard cases do come up
}

// A few edits of the kind that tell a reader's mistakes.
void damage(Dice& dice, std::string& text) {
  static const std::vector<std::string> tokens{
      " | ",  "|",          "\\",   "\\^",  "\\^0", "\\^1", "\\^9999999999999999999999",
      "\\x",  "\\u{",       "\n",   "\r\n", "<<<",  "-",    ":",
      "0",    "9999999999", "\xff", "\0"s,  " ",    "é",    "EOL",
      "\\x9f"};
  damage_text(dice, text, tokens);
}

TEST_CASE("table: any damaged table gives an error or rows that read back") {
  Dice dice(5);
  std::size_t read = 0;
  std::size_t refused = 0;
  for (int i = 0; i < 15000; ++i) {
    CAPTURE(i);
    std::string text = write_table(hostile_rows(dice));
    if (text.size() > 10000) continue;
    damage(dice, text);
    CAPTURE(text);
    const Result<SymbolRows> rows = read_table(text);
    if (!rows) {
      ++refused;
      REQUIRE(rows.error().message.starts_with("cannot read the table at line "));
      continue;
    }
    ++read;
    const Result<SymbolRows> again = read_table(write_table(*rows));
    REQUIRE(error_of(again) == "");
    const bool same = *again == *rows;
    REQUIRE(same);
  }
  CHECK(read > 1000);
  CHECK(refused > 1000);
}

TEST_CASE("table: a soup of its own pieces gives an error or rows that read back") {
  const std::vector<std::string> cells{"",      "a",    "b",   "a\\^0", "b\\^1", "\\^0",  "\\^1",    "a\\^",
                                       "a\\\\", "a\\|", "\\^", "12",    "-1",    "0:0-1", "0:0-1:0", "x\\"};
  const std::vector<std::string> ranges{"0:0-9", "0:1-5", "0:2-3", "0:0-1:0", "3:0-1"};
  const std::vector<std::string> parents{"",      "",     "a",    "b",    "a\\^0", "a\\^1",
                                         "b\\^0", "\\^0", "\\^1", "a\\^", "c"};
  const std::vector<std::string> names{"a", "b", "", "a"};
  Dice dice(6);
  std::size_t read = 0;
  std::size_t refused = 0;
  for (int i = 0; i < 10000; ++i) {
    std::string text = "NAME | KIND | RANGE | SELECTION | PARENT";
    for (std::size_t rows = dice.below(6); rows > 0; --rows) {
      const bool odd = dice.one_in(20);
      text += "\n" + (odd ? dice.pick(cells) : dice.pick(names)) + " | 5 | " +
              (odd ? dice.pick(cells) : dice.pick(ranges)) + " | 0:0-1 | " + dice.pick(parents);
    }
    CAPTURE(text);
    const Result<SymbolRows> rows = read_table(text);
    if (!rows) {
      ++refused;
      continue;
    }
    ++read;
    const Result<SymbolRows> again = read_table(write_table(*rows));
    REQUIRE(error_of(again) == "");
    const bool same = *again == *rows;
    REQUIRE(same);
  }
  CHECK(read > 1000);
  CHECK(refused > 1000);
}

TEST_CASE("table: 100,000 levels cost neither stack nor quadratic time") {
  constexpr std::uint32_t depth = 100000;
  const auto one_name = [](std::size_t) { return "same"s; };
  const auto own_name = [](std::size_t row) { return "n" + std::to_string(row); };
  const auto no_name = [](std::size_t) { return ""s; };
  const auto equal = [](std::size_t) { return lsp::Range{{1, 0}, {2, 0}}; };
  const auto nested = [](std::size_t row) {
    const auto line = static_cast<std::uint32_t>(row);
    return lsp::Range{{line, 0}, {3 * depth - line, 0}};
  };
  const auto apart = [](std::size_t row) {
    const auto line = static_cast<std::uint32_t>(row);
    return lsp::Range{{line, 0}, {line, 5}};
  };
  const auto apart_upwards = [](std::size_t row) {
    const std::uint32_t line = depth - static_cast<std::uint32_t>(row);
    return lsp::Range{{line, 0}, {line, 5}};
  };
  const auto growing = [](std::size_t row) {
    const auto line = static_cast<std::uint32_t>(row);
    return lsp::Range{{depth - line, 0}, {depth + line, 0}};
  };
  struct Case {
    const char* what;
    std::string (*name)(std::size_t);
    lsp::Range (*range)(std::size_t);
  };
  const std::vector<Case> cases{
      {"one name, equal ranges", one_name, equal},
      {"one name, nested ranges", one_name, nested},
      {"one name, ranges side by side", one_name, apart},
      {"one name, each before its parent", one_name, apart_upwards},
      {"one name, each around its parent", one_name, growing},
      {"each its own name", own_name, nested},
      {"no names", no_name, equal},
  };
  for (const Case& c : cases) {
    CAPTURE(c.what);
    CHECK(grows_linearly(depth / 4, [&](std::size_t levels) {
      const SymbolRows rows{chain(levels, c.name, c.range), {}, false};
      const Result<SymbolRows> back = read_table(write_table(rows));
      REQUIRE(error_of(back) == "");
      const bool same = *back == rows;
      CHECK(same);
    }));
  }
}

}  // namespace
}  // namespace symbols::table
