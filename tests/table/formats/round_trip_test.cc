// What must hold of each format that is read back, for any rows, any view and any text: tried on recorded and
// on generated ones.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "lsp/unicode.h"
#include "table/formats/format.h"
#include "tests/growth.h"
#include "tests/table/captures.h"
#include "tests/table/error_of.h"
#include "tests/table/generated_rows.h"
#include "tests/table/made_row.h"

namespace symbols::table {
namespace round_trip_test {

using namespace std::string_literals;

constexpr Format readable[] = {Format::table, Format::tree, Format::packed, Format::json, Format::ndjson};

const View everything{{all_fields.begin(), all_fields.end()}};

std::string written(Format format, const SymbolRows& rows, const View& view) {
  return render(rows, {.format = format, .view = view}).text;
}

// What JSON has no place for: LSP's kinds have 31 bits, and it knows no containers beside the tree.
SymbolRows as_json_has_it(SymbolRows rows) {
  for (Row& row : rows.all) {
    row.container_name.clear();
    row.kind = std::clamp<std::int64_t>(row.kind, -2147483648, 2147483647);
    std::erase_if(row.tags, [](std::int64_t tag) { return tag != std::clamp<std::int64_t>(tag, 0, 9); });
  }
  return rows;
}

// Without hovers for `json`, which has them in place of the detail.
void check_reads_back(Format format, SymbolRows rows) {
  View view = everything;
  if (format == Format::json) {
    rows = as_json_has_it(std::move(rows));
    view.fields = fields_of(Verbosity::standard);
    for (Row& row : rows.all) row.hover.clear();
  } else {
    for (Row& row : rows.all) row.deprecated = false;  // no field holds it
  }
  const std::string text = written(format, rows, view);
  CAPTURE(text.substr(0, 2000));
  REQUIRE(lsp::find_invalid_utf8(text) == std::string_view::npos);
  const Result<SymbolRows> back = read_rows(format, text);
  REQUIRE(error_of(back) == "");
  const bool same = tree_of(*back) == tree_of(rows) && hovers_of(*back) == hovers_of(rows);
  REQUIRE(same);
  for (std::size_t row = 0; row < rows.size() && format == Format::tree; ++row)
    REQUIRE(back->all[row].folded == rows.all[row].folded);
}

// Fields in any order: those that the format must have to be read back, and some others.
View any_view(Dice& dice, Format format) {
  if (format == Format::tree && dice.one_in(10)) {
    return {
        .fields = fields_of(Verbosity::minimal), .kind_names = dice.one_in(2), .all_ends = dice.one_in(2)};
  }
  std::vector<Field> fields;
  const Field nesting = dice.one_in(3) ? Field::depth : Field::parent;
  for (const Field field : all_fields) {
    const bool is_needed = format != Format::tree && (field == Field::name || field == Field::kind ||
                                                      field == Field::range || field == nesting);
    if (is_needed || dice.one_in(2)) fields.push_back(field);
  }
  for (std::size_t i = fields.size(); i > 1; --i) std::swap(fields[i - 1], fields[dice.below(i)]);
  return {fields, dice.one_in(2)};
}

// hostile_rows() with something in every field.
SymbolRows full_rows(Dice& dice) {
  SymbolRows rows = hostile_rows(dice);
  add_details(dice, rows);
  for (Row& row : rows.all) {
    row.hover_parts = {hostile_text(dice), hostile_text(dice) + ". " + hostile_text(dice)};
    if (dice.one_in(8)) row.folded.inside = static_cast<std::uint32_t>(dice.below(100));
    if (row.folded.inside == 0 && dice.one_in(8)) row.folded.after = 3;
  }
  return rows;
}

// A text as it looks after an accident, by one to three edits: one of `tokens` put in or a few bytes taken
// out, the end cut off, a byte changed, a line once more somewhere else, a number replaced.
void damage_text(Dice& dice, std::string& text, const std::vector<std::string>& tokens) {
  static const std::vector<std::string> numbers{"-2",         "-1", "0",   "1",    "7",
                                                "4294967296", "[]", "1.0", "null", "-9223372036854775808"};
  for (std::size_t edits = 1 + dice.below(3); edits > 0; --edits) {
    const std::size_t at = dice.below(text.size() + 1);
    const std::size_t line = text.rfind('\n', at);
    const std::size_t number = text.find_first_of("0123456789", at);
    switch (dice.below(6)) {
      case 0:
        text.insert(at, dice.pick(tokens));
        break;
      case 1:
        text.erase(at, 1 + dice.below(3));
        break;
      case 2:
        text.resize(at);
        break;
      case 3:
        if (at < text.size()) text[at] = static_cast<char>(dice.below(256));
        break;
      case 4:
        if (line != std::string::npos) {
          const std::string copy = text.substr(line, text.find('\n', line + 1) - line);
          text.insert(std::min(text.find('\n', dice.below(text.size())), text.size()), copy);
        }
        break;
      default:
        if (number != std::string::npos) {
          const std::size_t end = std::min(text.find_first_not_of("0123456789", number), text.size());
          text.replace(number, end - number, dice.pick(numbers));
        }
    }
  }
}

TEST_CASE("formats: every capture reads back") {
  std::size_t rows_in_all = 0;
  for (const char* const suffix : {".symbols.json", ".flat.json"}) {
    for (const Capture& capture : captures(suffix)) {
      CAPTURE(capture.name);
      const bool has_hovers = suffix == ".symbols.json"s;
      const SymbolRows rows = has_hovers ? load_rows_with_hovers(capture) : made_rows(load_tree(capture));
      rows_in_all += rows.size();
      for (const Format format : readable) check_reads_back(format, rows);
    }
  }
  CHECK(rows_in_all > 15000);
}

TEST_CASE("formats: hostile rows read back, and any view of them is written the same again") {
  Dice dice(14);
  std::size_t rows_in_all = 0;
  for (int i = 0; i < 1500; ++i) {
    const SymbolRows rows = full_rows(dice);
    rows_in_all += rows.size();
    for (const Format format : readable) {
      CAPTURE(i);
      CAPTURE(format_name(format));
      check_reads_back(format, rows);
      const View view = any_view(dice, format);
      const SymbolRows shown = format == Format::json ? as_json_has_it(rows) : rows;
      const std::string text = written(format, shown, view);
      CAPTURE(text);
      const Result<SymbolRows> back = read_rows(format, text);
      REQUIRE(error_of(back) == "");
      REQUIRE(written(format, *back, view) == text);
    }
  }
  CHECK(rows_in_all > 15000);
}

TEST_CASE("formats: a damaged text gives an error or rows that read back") {
  const std::vector<std::string> tokens{
      " | ",   "|",          "\\",        "\\^",   "\\^0 ", "\\^1",      "\\^9999999999999999999999",
      "\\x",   "\\u{",       "\n",        "\r\n",  "<<<",   "-",         ":",
      "0",     "9999999999", "\xff",      "\0"s,   " ",     "é",         "EOL",
      "\\x9f", "@",          "@?",        "f",     "<",     "?",         "# ",
      "\t",    "\tdetail=",  "\ttags=1 ", "\tin=", "<1>",   "`",         ",",
      " f3 ",  "+9",         "@!",        ":3-",   ":-",    "[",         "]",
      "{",     "}",          "\"",        "null",  "1e400", "\"Class\"", "\\ud83d"};
  Dice dice(16);
  for (const Format format : readable) {
    CAPTURE(format_name(format));
    std::size_t read = 0;
    std::size_t refused = 0;
    for (int i = 0; i < 2000; ++i) {
      CAPTURE(i);
      const SymbolRows rows = full_rows(dice);
      std::string text =
          written(format, format == Format::json ? as_json_has_it(rows) : rows, any_view(dice, format));
      if (text.size() > 10000) continue;
      damage_text(dice, text, tokens);
      CAPTURE(text);
      const Result<SymbolRows> back = read_rows(format, text);
      if (!back) {
        ++refused;
        REQUIRE(back.error().message.starts_with("cannot read "));
        continue;
      }
      ++read;
      check_reads_back(format, *back);
    }
    CHECK(read > 60);
    CHECK(refused > 130);
  }
}

TEST_CASE("formats: 100,000 levels cost neither stack nor quadratic time") {
  constexpr std::uint32_t depth = 100000;
  struct Case {
    const char* what;
    std::string (*name)(std::size_t);
    lsp::Range (*range)(std::size_t row);
  };
  const auto one_name = [](std::size_t) { return "same f1"s; };
  const auto own_name = [](std::size_t row) { return "n" + std::to_string(row); };
  const auto nested = [](std::size_t row) {
    const auto line = static_cast<std::uint32_t>(row);
    return lsp::Range{{line, 0}, {3 * depth - line, 0}};
  };
  const auto apart = [](std::size_t row) {
    const auto line = static_cast<std::uint32_t>(row);
    return lsp::Range{{line, 0}, {line, 5}};
  };
  const auto upwards = [](std::size_t row) {
    const std::uint32_t line = depth - static_cast<std::uint32_t>(row);
    return lsp::Range{{line, 0}, {line, 5}};
  };
  const Case cases[] = {
      {"one name, nested ranges", one_name, nested},
      {"one name, ranges side by side", one_name, apart},
      {"one name, each before its parent", one_name, upwards},
      {"each its own name", own_name, nested},
      {"no names", [](std::size_t) { return ""s; }, apart},
  };
  for (const Format format : readable) {
    for (const Case& c : cases) {
      if (format != Format::table && &c != cases) continue;  // which looks for parents by name
      CAPTURE(c.what);
      CHECK(grows_linearly(depth / 4, [&](std::size_t levels) {
        const SymbolRows rows = made_rows(chain(levels, c.name, c.range));
        const View view{fields_of(Verbosity::standard)};
        const Result<SymbolRows> back = read_rows(format, written(format, rows, view));
        REQUIRE(error_of(back) == "");
        const bool same = tree_of(*back) == tree_of(rows);
        CHECK(same);
      }));
    }
  }
}

// What servers really sent: tables, trees and outlines as they must stay.
TEST_CASE("formats: goldens") {
  struct Case {
    std::string capture;
    Verbosity table;
    Verbosity tree;
  };
  using enum Verbosity;
  const Case cases[] = {
      {"clangd19/nlohmann__json.hpp", standard, standard},  // deep, many rows share their parent's name
      {"gopls/strings__builder.go", full, full},
      {"ts7/internal__types.ts", standard, minimal},
      {"tsls/internal__Observable.ts", full, full},
  };
  const std::filesystem::path fixtures(FIXTURES_DIR);
  for (const Case& c : cases) {
    const SymbolRows rows =
        load_rows_with_hovers({c.capture, fixtures / "captures" / (c.capture + ".symbols.json")});
    const std::pair<Format, const char*> formats[] = {
        {Format::table, "tables"}, {Format::tree, "trees"}, {Format::outline, "outlines"}};
    for (const auto& [format, folder] : formats) {
      const View view{fields_of(format == Format::table ? c.table : c.tree)};
      const std::string text = render(rows, {.format = format, .view = view}).text;
      const std::filesystem::path golden = fixtures / folder / (c.capture + ".golden.txt");
      if (std::getenv("SYMBOLS_UPDATE_GOLDENS") != nullptr) {
        std::filesystem::create_directories(golden.parent_path());
        std::ofstream(golden, std::ios::binary) << text;
      }
      CAPTURE(golden.string());
      CHECK(text == read_file(golden));
    }
  }
}

}  // namespace round_trip_test
}  // namespace symbols::table
