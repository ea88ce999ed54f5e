// What must hold of the tree for any rows, any view and any text, tried on generated ones.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "lsp/unicode.h"
#include "table/formats/tree_format.h"
#include "table/formats/tree_row.h"
#include "table/hover/first_sentence.h"
#include "tests/growth.h"
#include "tests/table/damaged_text.h"
#include "tests/table/error_of.h"
#include "tests/table/generated_rows.h"
#include "tests/table/made_row.h"

namespace symbols::table {
namespace {

using namespace std::string_literals;

const View lossless{{Field::name, Field::kind, Field::range, Field::selection, Field::parent, Field::hover,
                     Field::detail, Field::tags, Field::signature, Field::doc}};

// What is to be read back of `rows`, as `view` shows them.
SymbolRows shown_by(const View& view, SymbolRows rows) {
  const bool minimal = view.fields.size() == 3 && view.shows(Field::name) && view.shows(Field::kind) &&
                       view.shows(Field::range);
  const bool range = view.shows(Field::range) && !minimal;
  const bool lines = minimal || (!range && view.shows(Field::lines));
  const bool first_lines = minimal && !view.all_ends;
  rows.with_hover = view.shows(Field::hover) &&
                    std::ranges::any_of(rows.all, [](const Row& row) { return !row.hover.empty(); });
  for (Row& symbol : rows.all) {
    HoverText& parts = symbol.hover_parts;
    if (!view.shows(Field::signature)) parts.signature.clear();
    parts.prose = view.shows(Field::doc) ? std::string(first_sentence(parts.prose)) : std::string();
    if (!rows.with_hover) symbol.hover.clear();
    if (!view.shows(Field::name)) symbol.name.clear();
    if (!view.shows(Field::kind)) symbol.kind = 0;
    if (!view.shows(Field::parent)) symbol.container_name.clear();
    if (!view.shows(Field::detail)) symbol.detail.clear();
    if (!view.shows(Field::tags)) symbol.tags.clear();
    if (lines) {
      const bool last = !first_lines || is_long(symbol.range);
      symbol.range = {{symbol.range.start.line, 0},
                      {last ? symbol.range.end.line : symbol.range.start.line, 0}};
    }
    if (!range && !lines) symbol.range = view.shows(Field::selection) ? symbol.selection_range : lsp::Range{};
    if (!view.shows(Field::selection)) symbol.selection_range = {symbol.range.start, symbol.range.start};
  }
  if (!rows.all.empty()) {
    if (!view.shows(Field::kind)) rows.lacking.push_back(Field::kind);
    if (!range) rows.lacking.push_back(Field::range);
    if (!view.shows(Field::selection)) rows.lacking.push_back(Field::selection);
    if (!range && (!lines || first_lines)) rows.lacking.push_back(Field::lines);
    rows.first_lines = first_lines;
  }
  return rows;
}

// Any of all views.
View any_view(Dice& dice) {
  View view{{}, dice.one_in(2)};
  if (dice.one_in(10)) {
    view.fields = fields_of(Verbosity::minimal);
    view.all_ends = dice.one_in(2);
  } else {
    const std::size_t rareness = 1 + dice.below(3);
    for (const Field field : all_fields) {
      if (dice.one_in(rareness)) view.fields.push_back(field);
    }
  }
  for (std::size_t i = view.fields.size(); i > 1; --i)
    std::swap(view.fields[i - 1], view.fields[dice.below(i)]);
  return view;
}

void fold_some(Dice& dice, SymbolRows& rows) {
  if (!dice.one_in(4)) return;
  for (std::size_t i = rows.all.size(); i > 0; --i) {
    Folded& folded = rows.all[rows.size() - i].folded;
    if (dice.one_in(2)) continue;
    (dice.one_in(2) ? folded.inside : folded.after) = static_cast<std::uint32_t>(dice.below(100));
  }
}

TEST_CASE("tree: 10,000 hostile trees read back") {
  Dice dice(14);
  std::size_t rows_in_all = 0;
  std::size_t quotes = 0;
  for (int i = 0; i < 10000; ++i) {
    CAPTURE(i);
    SymbolRows rows = hostile_rows(dice);
    add_details(dice, rows);
    fold_some(dice, rows);
    const std::string text = write_tree(rows, lossless);
    CAPTURE(text);
    REQUIRE(lsp::find_invalid_utf8(text) == std::string_view::npos);
    const Result<SymbolRows> back = read_tree(text);
    REQUIRE(error_of(back) == "");
    const bool same = *back == shown_by(lossless, rows);
    REQUIRE(same);
    const Result<SymbolRows> truncated = read_tree(text + (text.empty() ? "" : "\n") + "# truncated: x -> y");
    REQUIRE(error_of(truncated) == "");
    const bool same_truncated = *truncated == *back;
    REQUIRE(same_truncated);
    rows_in_all += rows.all.size();
    quotes += static_cast<std::size_t>(std::count(text.begin(), text.end(), '`'));
  }
  CHECK(rows_in_all > 100000);
  CHECK(quotes > 1000);  // the hard cases do come up
}

TEST_CASE("tree: what any view shows of 10,000 hostile trees reads back") {
  Dice dice(15);
  for (int i = 0; i < 10000; ++i) {
    CAPTURE(i);
    SymbolRows rows = hostile_rows(dice);
    add_details(dice, rows);
    fold_some(dice, rows);
    for (Row& row : rows.all) {
      if (rows.with_hover) row.hover_parts = {row.hover, hostile_text(dice)};
    }
    const View view = any_view(dice);
    const std::string text = write_tree(rows, view);
    CAPTURE(text);
    const Result<SymbolRows> back = read_tree(text);
    REQUIRE(error_of(back) == "");
    const bool same = *back == shown_by(view, rows);
    REQUIRE(same);
  }
}

// That rows which were read are written as a text that reads as the same rows.
void check_reads_again(SymbolRows rows) {
  rows.first_lines = false;
  rows.lacking.clear();  // all is shown now
  const Result<SymbolRows> again = read_tree(write_tree(rows, lossless));
  REQUIRE(error_of(again) == "");
  const bool same = *again == rows;
  REQUIRE(same);
}

// A few edits of the kind that tell a reader's mistakes.
void damage(Dice& dice, std::string& text) {
  static const std::vector<std::string> tokens{
      " ",         "  ",        "\\",    "\\^",        "\\^0 ", "\\^1 ", "\\^9999999999999999999999 ",
      "\\x",       "\\u{",      "\n",    "\r\n",       "@",     "@?",    "-",
      ":",         "0",         "9",     "9999999999", "\xff",  "\0"s,   "é",
      "f",         "<",         ">",     "?",          "# ",    "==>",   "\t",
      "\tdetail=", "\ttags=1 ", "\tin=", "\tdepth=1",  "<1>",   "`",     ",",
      " f",        " f3 ",      "+",     "+9",         "@!",    ":3-",   ":-"};
  damage_text(dice, text, tokens);
}

TEST_CASE("tree: any damaged tree gives an error or rows that read back") {
  Dice dice(16);
  std::size_t read = 0;
  std::size_t refused = 0;
  for (int i = 0; i < 15000; ++i) {
    CAPTURE(i);
    SymbolRows generated = hostile_rows(dice);
    add_details(dice, generated);
    std::string text = write_tree(generated, dice.one_in(2) ? lossless : any_view(dice));
    if (text.size() > 10000) continue;
    damage(dice, text);
    CAPTURE(text);
    Result<SymbolRows> rows = read_tree(text);
    if (!rows) {
      ++refused;
      REQUIRE(rows.error().message.starts_with("cannot read the tree at line "));
      continue;
    }
    ++read;
    check_reads_again(std::move(*rows));
  }
  CHECK(read > 1000);
  CHECK(refused > 1000);
}

TEST_CASE("tree: a soup of its own pieces gives an error or rows that read back") {
  const std::vector<std::string> pieces{
      "a",      "b c",     "?",    "`",        "` ",          " ",        " f",          " Class",
      " <9>3",  " ?2 ",    ":0-5", ":3-",      ":4",          "4",        "@",           "@7",
      "@!",     "@1:2",    "@4-5", "@1:1-2:3", "\thover",     "\t\tin=C", "\t\ttags=1",  ",",
      "\nf2 b", "\n f2 c", "\n  ", "\\n",      "\t\tlines=2", "+2",       "\n\\^1 f3 d", "\\u{41}"};
  Dice dice(17);
  std::size_t read = 0;
  std::size_t refused = 0;
  for (int i = 0; i < 40000; ++i) {
    std::string text = "f1 a:0-5@0\nf2 b";
    const std::size_t count = dice.below(8);
    for (std::size_t piece = 0; piece < count; ++piece) text += dice.pick(pieces);
    CAPTURE(text);
    Result<SymbolRows> rows = read_tree(text);
    if (!rows) {
      ++refused;
      continue;
    }
    ++read;
    check_reads_again(std::move(*rows));
  }
  CHECK(read > 5000);
  CHECK(refused > 5000);
}

TEST_CASE("tree: random bytes are an error, or rows that read back") {
  Dice dice(18);
  for (int i = 0; i < 10000; ++i) {
    std::string text;
    for (std::size_t size = dice.below(40); size > 0; --size) {
      text += dice.one_in(3) ? static_cast<char>(dice.below(256)) : dice.pick("f 12:-@?!+,`\\\n\t=<>a"s);
    }
    CAPTURE(text);
    Result<SymbolRows> rows = read_tree(text);
    if (rows) check_reads_again(std::move(*rows));
  }
}

TEST_CASE("tree: 100,000 levels cost neither stack nor quadratic time or space") {
  const auto name = [](std::size_t) { return "a f1"s; };
  const auto range = [](std::size_t row) {
    return lsp::Range{{static_cast<std::uint32_t>(row), 0}, {200000, 0}};
  };
  CHECK(grows_linearly(25000, [&](std::size_t depth) {
    const SymbolRows rows = made_rows(chain(depth, name, range));
    const std::string text = write_tree(rows, lossless);
    const Result<SymbolRows> back = read_tree(text);
    REQUIRE(error_of(back) == "");
    const bool same = *back == rows;
    CHECK(same);
    CHECK(text.size() < 100 * depth);
  }));
}

TEST_CASE("tree: long lines cost no quadratic time") {
  for (const std::string& piece :
       {" "s, " a"s, ",a"s, " `"s, "`"s, " <"s,  " <1"s, "\\\\"s,  "\t"s, "\tlines=1"s, "f"s,
        "9"s, ":"s,  ":1"s, "+1"s, "@"s, "@1:"s, "-"s,   " f1 x"s, "."s,  "<"s,         "operator"s}) {
    CAPTURE(piece);
    CHECK(grows_linearly(250000, [&](std::size_t size) {
      std::string text = "f1 a:0-5@0\nf2 a";
      while (text.size() < size) text += piece;
      const Result<SymbolRows> rows = read_tree(text);
      lsp::DocumentSymbol symbol;
      symbol.name = text;
      CHECK(read_tree(write_tree(made_rows({{symbol}}), lossless)).has_value());
    }));
  }
}

}  // namespace
}  // namespace symbols::table
