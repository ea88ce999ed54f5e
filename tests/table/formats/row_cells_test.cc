// What must hold of every format of columns, table, tsv and toon, for any rows, any view and any text.
#include "table/formats/row_cells.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "lsp/unicode.h"
#include "table/formats/table_format.h"
#include "table/formats/toon_format.h"
#include "table/formats/tsv_format.h"
#include "tests/table/captures.h"
#include "tests/table/damaged_text.h"
#include "tests/table/error_of.h"
#include "tests/table/generated_rows.h"

namespace symbols::table {
namespace {

using namespace std::string_literals;

struct Format {
  const char* name;
  std::string (*write)(const SymbolRows&, const View&);
  Result<SymbolRows> (*read)(std::string_view);
  const char* error;  // how each of its errors starts
};

const Format formats[] = {
    {"table", write_table, read_table, "cannot read the table at line "},
    {"tsv", write_tsv, read_tsv, "cannot read the TSV at line "},
    {"toon", [](const SymbolRows& rows, const View& view) { return write_toon(rows, view); }, read_toon,
     "cannot read the TOON at line "},
};

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
  rows = with_replaced_bytes(std::move(rows));
  rows.with_hover = view.shows(Field::hover);
  if (rows.with_hover) rows.hovers.resize(rows.tree.symbols.size());
  if (!rows.with_hover) rows.hovers.clear();
  rows.hover_parts.clear();
  for (lsp::DocumentSymbol& symbol : rows.tree.symbols) {
    symbol.deprecated = false;
    if (!view.shows(Field::detail)) symbol.detail.clear();
    if (!view.shows(Field::tags)) symbol.tags.clear();
    symbol.detail = lsp::to_valid_utf8(symbol.detail);
  }
  return rows;
}

SymbolRows without_parts(SymbolRows rows) {
  rows.hover_parts.clear();
  return rows;
}

TEST_CASE("columns: 10,000 hostile trees read back from each format, with any fields") {
  Dice dice(31);
  std::size_t rows_in_all = 0;
  for (int i = 0; i < 10000; ++i) {
    SymbolRows rows = hostile_rows(dice);
    for (lsp::DocumentSymbol& symbol : rows.tree.symbols) {
      if (dice.one_in(3)) symbol.detail = hostile_text(dice);
      for (std::size_t tags = dice.below(3); tags > 0; --tags)
        symbol.tags.push_back(static_cast<std::int64_t>(dice.below(5)) - 1);
      rows.hover_parts.push_back({hostile_text(dice), hostile_text(dice) + ". " + hostile_text(dice)});
    }
    rows_in_all += rows.tree.symbols.size();
    const View view = any_view(dice);
    const SymbolRows expected = as_shown(rows, view);
    for (const Format& format : formats) {
      CAPTURE(i);
      CAPTURE(format.name);
      const std::string text = format.write(rows, view);
      CAPTURE(text);
      REQUIRE(lsp::find_invalid_utf8(text) == std::string_view::npos);
      const Result<SymbolRows> back = format.read(text);
      REQUIRE(error_of(back) == "");
      const bool same = without_parts(*back) == expected;
      REQUIRE(same);
      // The derived fields come out the same, those of the hover's parts too.
      const bool same_text = format.write(*back, view) == text;
      REQUIRE(same_text);
    }
  }
  CHECK(rows_in_all > 100000);
}

TEST_CASE("columns: every capture reads back from each format, with and without hovers") {
  std::size_t rows_in_all = 0;
  for (const char* suffix : {".symbols.json", ".flat.json"}) {
    for (const Capture& capture : captures(suffix)) {
      CAPTURE(capture.name);
      const bool has_hovers = suffix == ".symbols.json"s;
      const SymbolRows rows =
          has_hovers ? load_rows_with_hovers(capture) : SymbolRows{load_tree(capture), {}, false};
      rows_in_all += rows.tree.symbols.size();
      const View full{fields_of(Verbosity::full), false};
      const View standard{fields_of(Verbosity::standard), true};
      const View all{{all_fields.begin(), all_fields.end()}, false};
      for (const View& view : {full, standard, all}) {
        const SymbolRows expected = as_shown(rows, view);
        for (const Format& format : formats) {
          CAPTURE(format.name);
          const Result<SymbolRows> back = format.read(format.write(rows, view));
          REQUIRE(error_of(back) == "");
          const bool same = without_parts(*back) == expected;
          CHECK(same);
        }
      }
    }
  }
  CHECK(rows_in_all > 15000);
}

TEST_CASE("columns: a reader tells that there was no selection") {
  Dice dice(33);
  const View with{fields_of(Verbosity::standard), false};
  const View without{{Field::name, Field::kind, Field::range, Field::parent}, false};
  const SymbolRows rows = hostile_rows(dice);
  for (const Format& format : formats) {
    CAPTURE(format.name);
    CHECK(format.read(format.write(rows, with))->lacking.empty());
    CHECK(format.read(format.write(rows, without))->lacking == std::vector<Field>{Field::selection});
  }
}

TEST_CASE("columns: nesting by depth alone") {
  Dice dice(32);
  const View view{{Field::depth, Field::name, Field::kind, Field::range, Field::selection}, false};
  for (int i = 0; i < 1000; ++i) {
    const SymbolRows rows = hostile_rows(dice);
    SymbolRows expected = as_shown(rows, view);
    for (lsp::DocumentSymbol& symbol : expected.tree.symbols) symbol.container_name.clear();
    for (const Format& format : formats) {
      CAPTURE(format.name);
      const Result<SymbolRows> back = format.read(format.write(rows, view));
      REQUIRE(error_of(back) == "");
      const bool same = *back == expected;
      REQUIRE(same);
    }
  }
}

// A few edits of the kind that tell a reader's mistakes.
void damage(Dice& dice, std::string& text) {
  static const std::vector<std::string> tokens{" | ",        "|",
                                               "\\",         "\\^",
                                               "\\^0",       "\\^99999999999999999999",
                                               "\\x",        "\\u{",
                                               "\\u",        "\\ud800",
                                               "\n",         "\r\n",
                                               "\t",         ",",
                                               "\"",         "\"\"",
                                               "<<<",        "-",
                                               ":",          "0",
                                               "9999999999", "\xff",
                                               "\0"s,        " ",
                                               "  ",         "é",
                                               "EOL",        "#",
                                               "[",          "]",
                                               "{",          "}",
                                               "null",       "truncated: x\n",
                                               "symbols: []"};
  damage_text(dice, text, tokens);
}

TEST_CASE("columns: damaged text gives an error with line and column, or rows that read back") {
  Dice dice(33);
  for (const Format& format : formats) {
    CAPTURE(format.name);
    std::size_t read = 0;
    std::size_t refused = 0;
    for (int i = 0; i < 10000; ++i) {
      CAPTURE(i);
      const View view = any_view(dice);
      std::string text = format.write(hostile_rows(dice), view);
      if (text.size() > 10000) continue;
      damage(dice, text);
      CAPTURE(text);
      const Result<SymbolRows> rows = format.read(text);
      if (!rows) {
        ++refused;
        REQUIRE(rows.error().message.starts_with(format.error));
        REQUIRE(rows.error().message.find(", column ") != std::string::npos);
        continue;
      }
      ++read;
      const View whole{{all_fields.begin(), all_fields.end()}, false};
      const Result<SymbolRows> again = format.read(format.write(*rows, whole));
      REQUIRE(error_of(again) == "");
      const bool same = again->tree == rows->tree;
      REQUIRE(same);
    }
    CHECK(read > 500);
    CHECK(refused > 1000);
  }
}

TEST_CASE("columns: random bytes give an error") {
  Dice dice(34);
  for (int i = 0; i < 5000; ++i) {
    std::string text;
    for (std::size_t count = dice.below(60); count > 0; --count) {
      text += dice.one_in(3) ? hostile_text(dice).substr(0, 100)
                             : std::string(1, static_cast<char>(dice.below(256)));
    }
    CAPTURE(text);
    for (const Format& format : formats) REQUIRE(error_of(format.read(text)).starts_with(format.error));
  }
}

TEST_CASE("columns: what rows cannot be made without is named") {
  using enum Field;
  CHECK(missing_fields({name, kind, range, parent}, field_name) == "");
  CHECK(missing_fields({depth, range, kind, name}, field_name) == "");
  CHECK(missing_fields({name, kind, range}, field_name) == "parent or depth");
  CHECK(missing_fields({selection, hover}, column_title) == "NAME, KIND, RANGE, PARENT or DEPTH");
}

}  // namespace
}  // namespace symbols::table
