// What must hold of the table for any rows and any text, tried on generated ones.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "lsp/unicode.h"
#include "table/formats/table_format.h"
#include "tests/growth.h"
#include "tests/table/captures.h"
#include "tests/table/damaged_text.h"
#include "tests/table/error_of.h"
#include "tests/table/generated_rows.h"
#include "tests/table/made_row.h"
#include "tests/table/written_table.h"

namespace symbols::table {
namespace {

using namespace std::string_literals;

// All that rows are made of, then some others, in any order; names or numbers for kinds.
View any_view(Dice& dice) {
  std::vector<Field> fields{Field::name, Field::kind, Field::range, Field::selection, Field::parent};
  for (const Field field : all_fields) {
    if (std::find(fields.begin(), fields.end(), field) == fields.end() && dice.one_in(2))
      fields.push_back(field);
  }
  for (std::size_t i = fields.size(); i > 1; --i) std::swap(fields[i - 1], fields[dice.below(i)]);
  return {fields, dice.one_in(2)};
}

// What a text with these columns holds of the rows.
SymbolRows as_shown(SymbolRows rows, const View& view) {
  rows.with_hover = view.shows(Field::hover);
  for (Row& symbol : rows.all) {
    if (!rows.with_hover) symbol.hover.clear();
    symbol.hover_parts = {};
    symbol.deprecated = false;
    if (!view.shows(Field::detail)) symbol.detail.clear();
    if (!view.shows(Field::tags)) symbol.tags.clear();
  }
  return rows;
}

SymbolRows without_parts(SymbolRows rows) {
  for (Row& row : rows.all) row.hover_parts = {};
  return rows;
}

TEST_CASE("table: 10,000 hostile trees read back, with any fields") {
  Dice dice(31);
  std::size_t rows_in_all = 0;
  for (int i = 0; i < 10000; ++i) {
    SymbolRows rows = hostile_rows(dice);
    for (Row& symbol : rows.all) {
      if (dice.one_in(3)) symbol.detail = hostile_text(dice);
      for (std::size_t tags = dice.below(3); tags > 0; --tags)
        symbol.tags.push_back(static_cast<std::int64_t>(dice.below(5)) - 1);
      symbol.hover_parts = {hostile_text(dice), hostile_text(dice) + ". " + hostile_text(dice)};
    }
    rows_in_all += rows.all.size();
    const View view = any_view(dice);
    const SymbolRows expected = as_shown(rows, view);
    CAPTURE(i);
    const std::string text = write_table(rows, view);
    CAPTURE(text);
    REQUIRE(lsp::find_invalid_utf8(text) == std::string_view::npos);
    const Result<SymbolRows> back = read_table(text);
    REQUIRE(error_of(back) == "");
    const bool same = without_parts(*back) == expected;
    REQUIRE(same);
    // The derived fields come out the same, those of the hover's parts too.
    const bool same_text = write_table(*back, view) == text;
    REQUIRE(same_text);
  }
  CHECK(rows_in_all > 100000);
}

TEST_CASE("table: every capture reads back, with and without hovers") {
  std::size_t rows_in_all = 0;
  for (const char* suffix : {".symbols.json", ".flat.json"}) {
    for (const Capture& capture : captures(suffix)) {
      CAPTURE(capture.name);
      const bool has_hovers = suffix == ".symbols.json"s;
      const SymbolRows rows = has_hovers ? load_rows_with_hovers(capture) : made_rows(load_tree(capture));
      rows_in_all += rows.all.size();
      const View full{fields_of(Verbosity::full), false};
      const View standard{fields_of(Verbosity::standard), true};
      const View all{{all_fields.begin(), all_fields.end()}, false};
      for (const View& view : {full, standard, all}) {
        const SymbolRows expected = as_shown(rows, view);
        const Result<SymbolRows> back = read_table(write_table(rows, view));
        REQUIRE(error_of(back) == "");
        const bool same = without_parts(*back) == expected;
        CHECK(same);
      }
    }
  }
  CHECK(rows_in_all > 15000);
}

TEST_CASE("table: nesting by depth alone") {
  Dice dice(32);
  const View view{{Field::depth, Field::name, Field::kind, Field::range, Field::selection}, false};
  for (int i = 0; i < 1000; ++i) {
    const SymbolRows rows = hostile_rows(dice);
    SymbolRows expected = as_shown(rows, view);
    for (lsp::DocumentSymbol& symbol : expected.all) symbol.container_name.clear();
    const Result<SymbolRows> back = read_table(write_table(rows, view));
    REQUIRE(error_of(back) == "");
    const bool same = *back == expected;
    REQUIRE(same);
  }
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
    std::string text = write_table(hostile_rows(dice), any_view(dice));
    if (text.size() > 10000) continue;
    damage(dice, text);
    CAPTURE(text);
    const Result<SymbolRows> rows = read_table(text);
    if (!rows) {
      ++refused;
      REQUIRE(rows.error().message.starts_with("cannot read the table at line "));
      REQUIRE(rows.error().message.find(", column ") != std::string::npos);
      continue;
    }
    ++read;
    const Result<SymbolRows> again = read_table(write_table(*rows, {{all_fields.begin(), all_fields.end()}}));
    REQUIRE(error_of(again) == "");
    const bool same = tree_of(*again) == tree_of(*rows);
    REQUIRE(same);
  }
  CHECK(read > 500);
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

TEST_CASE("table: random bytes give an error") {
  Dice dice(34);
  for (int i = 0; i < 5000; ++i) {
    std::string text;
    for (std::size_t count = dice.below(60); count > 0; --count) {
      text += dice.one_in(3) ? hostile_text(dice).substr(0, 100)
                             : std::string(1, static_cast<char>(dice.below(256)));
    }
    CAPTURE(text);
    REQUIRE(error_of(read_table(text)).starts_with("cannot read the table at line "));
  }
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
      const SymbolRows rows = made_rows(chain(levels, c.name, c.range));
      const Result<SymbolRows> back = read_table(write_table(rows));
      REQUIRE(error_of(back) == "");
      const bool same = *back == rows;
      CHECK(same);
    }));
  }
}

}  // namespace
}  // namespace symbols::table
