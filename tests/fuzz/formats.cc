// The reader of each format against its writer (table/formats/): any text gives an error or rows, and rows
// read back from every format as what they were.
// Covers: table/formats/*.cc table/rows.cc
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "lsp/json/json.h"
#include "table/formats/format.h"
#include "tests/fuzz/fuzz_target.h"

namespace symbols::fuzz::formats_target {

using table::Field;
using table::Format;
using table::SymbolRows;

// Those that are read back.
constexpr std::array read_back = {Format::table, Format::tree, Format::packed, Format::json, Format::ndjson};

// All that a row holds. A json's detail gives way to a hover.
table::View whole_view(Format format, const SymbolRows& rows) {
  table::View view{.fields = {Field::name, Field::kind, Field::range, Field::selection, Field::parent,
                              Field::detail, Field::tags}};
  if (rows.with_hover && format != Format::json) view.fields.push_back(Field::hover);
  return view;
}

std::string write(Format format, const SymbolRows& rows, const table::View& view) {
  return table::render(rows, {.format = format, .view = view}).text;
}

void check_same(const SymbolRows& rows, const SymbolRows& back, Format format) {
  const std::string name(table::format_name(format));
  holds(rows.all.size() == back.all.size(), name + ": as many rows as before");
  for (std::size_t i = 0; i < rows.all.size(); ++i) {
    lsp::DocumentSymbol before = rows.all[i];
    const lsp::DocumentSymbol& after = back.all[i];
    before.deprecated = after.deprecated;  // written as a tag
    if (format == Format::json) before.container_name = after.container_name;
    holds(before == after, name + ": rows read back");
    holds(format == Format::json || rows.all[i].hover == back.all[i].hover, name + ": hovers read back");
  }
}

void check_written(Format format, const SymbolRows& rows) {
  const table::View view = whole_view(format, rows);
  const std::string text = write(format, rows, view);
  valid_utf8(text, "what is written is UTF-8");
  const Result<SymbolRows> back = table::read_rows(format, text);
  if (!back) same_text(text, back.error().text(), "what is written is read");
  check_same(rows, *back, format);
  same_text(write(format, *back, whole_view(format, rows)), text, "what was read is written the same");
}

// Counts, signatures, and the raw replies that the rows might have come in.
void check_other_texts(const SymbolRows& rows, const table::View& view) {
  for (const Format format : table::all_formats) {
    const std::string counts =
        table::render(rows, {.format = format, .view = view, .counts = true, .path = "a"}).text;
    valid_utf8(counts, "counts are UTF-8");
  }
  table::View signatures = view;
  signatures.signatures = true;
  for (const bool all_ends : {false, true}) {
    signatures.all_ends = all_ends;
    valid_utf8(write(Format::tree, rows, signatures), "signatures are UTF-8");
  }
  SymbolRows bare = rows;
  bare.with_hover = false;
  const std::string reply = write(Format::json, bare, whole_view(Format::json, bare));
  std::string hovers;
  for (std::size_t i = 0; i < rows.all.size(); ++i)
    hovers += (i == 0 ? "[" : ",") + (rows.all[i].hover.empty()
                                          ? std::string("null")
                                          : "{\"contents\":" + lsp::json_string(rows.all[i].hover) + "}");
  hovers += hovers.empty() ? "[]" : "]";
  const Result<SymbolRows> raw = table::read_raw_reply(reply, hovers);
  holds(raw && raw->all.size() == rows.all.size(), "a raw reply is read");
  holds(table::read_raw_reply(reply, std::nullopt).has_value(), "a raw reply without hovers is read");
  holds(!table::read_raw_reply(reply, hovers + "]"), "two values are none");
  holds(!table::read_raw_reply(reply, R"([null,null,{"contents":1}])"), "hovers belong to symbols");
}

void formats(std::string_view data) {
  Input input(data);
  const Format format = read_back[input.below(read_back.size())];
  const Format other = read_back[input.below(read_back.size())];
  const std::size_t budget = input.byte();
  const std::uint8_t fields = input.byte();
  const std::string_view text = input.rest();

  const Result<SymbolRows> read = table::read_rows(format, text);
  if (!read) {
    const std::string& message = read.error().message;
    holds(message.starts_with("cannot read "), "an error says what was not read");
    valid_utf8(message, "an error is UTF-8");
    for (const char c : message)
      holds(static_cast<unsigned char>(c) >= 0x20, "an error is one printable line");
    return;
  }
  const SymbolRows& rows = *read;
  for (std::size_t i = 0; i < rows.all.size(); ++i) {
    holds(rows.all[i].parent < static_cast<std::int32_t>(i), "a parent comes before its children");
  }
  check_written(format, rows);
  if (other != format) check_written(other, rows);

  // With other fields, and cut to a budget, a text is still read; and the formats for people take any rows.
  table::View some{.fields = {Field::name, Field::kind, Field::range, Field::parent}};
  constexpr std::array more = {Field::selection, Field::hover, Field::detail,   Field::lines,
                               Field::doc,       Field::depth, Field::children, Field::signature};
  for (std::size_t i = 0; i < more.size(); ++i) {
    if ((fields >> i & 1U) != 0) some.fields.push_back(more[i]);
  }
  some.kind_names = (budget & 1U) != 0;
  const std::string shown = write(other, rows, some);
  const Result<SymbolRows> back = table::read_rows(other, shown);
  if (!back) same_text(shown, back.error().text(), "a text of some fields is read");
  holds(back->all.size() == rows.all.size(), "with some fields there are as many rows");
  if (other != Format::json && other != Format::ndjson) {
    const std::string cut =
        table::render(rows, {.format = other, .view = some, .max_tokens = table::TokenLimit(budget)}).text;
    valid_utf8(cut, "a text within a budget is UTF-8");
    // It may have lost columns that are needed to read it.
    const Result<SymbolRows> kept = table::read_rows(other, cut);
    holds(!kept || kept->all.size() <= rows.all.size(), "a budget adds no rows");
  }
  for (const Format written : {Format::outline, Format::pretty, Format::tsv, Format::toon}) {
    holds(!table::read_rows(written, text), "what is only written is not read back");
    for (const table::PrettyStyle style : {table::PrettyStyle{}, table::PrettyStyle{budget, true}}) {
      const table::Rendering rendering{.format = written, .view = some, .pretty = style};
      valid_utf8(table::render(rows, rendering).text, "what is only written is UTF-8");
    }
  }
  check_other_texts(rows, some);
}

const Registration registration("formats", formats);

}  // namespace symbols::fuzz::formats_target
