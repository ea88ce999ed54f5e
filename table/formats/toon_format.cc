#include <re2/re2.h>

#include "base/text.h"
#include "lsp/unicode.h"
#include "table/escape.h"
#include "table/formats/format.h"
#include "table/formats/row_cells.h"
#include "table/one_line.h"

namespace symbols::table {
namespace {

// 2^53 has 16 digits: JavaScript represents all whole numbers of up to 15 digits exactly.
constexpr std::size_t max_digits = 15;

// Whether a decoder might read the unquoted text, in which nothing is escaped, as anything but this string,
// including the numbers that only older decoders accept (05, +1).
bool needs_quotes(std::string_view text) {
  constexpr std::string_view byte_order_mark = "\uFEFF";  // JavaScript trims it
  if (text.empty() || text[0] == '-' || text[0] == '#') return true;
  if (text.find_first_of(",:[]{}") != std::string_view::npos) return true;
  if (whitespace_at(text) > 0 || whitespace_at(text.substr(lsp::last_character_start(text))) > 0) return true;
  if (text.starts_with(byte_order_mark) || text.ends_with(byte_order_mark)) return true;
  static const re2::RE2 literal(R"(true|false|null|\+?\d+(\.\d+)?([eE][-+]?\d+)?)");
  return re2::RE2::FullMatch(text, literal);
}

// Appends a string cell, in quotes if needed. Bytes that are not UTF-8 become U+FFFD.
void append_string(std::string& out, std::string_view utf8) {
  constexpr CellEscape escape("\"", CellEscape::Style::json);
  const std::string text = lsp::to_valid_utf8(utf8);
  const std::string escaped = escape.escaped(text);
  out += escaped == text && !needs_quotes(text) ? text : '"' + escaped + '"';
}

void append_cell(std::string& out, const CellText& cell) {
  if (cell.form == CellText::Form::number && cell.text.size() <= max_digits) {
    out += cell.text;
  } else {
    append_string(out, cell.text);
  }
}

void append_parent(std::string& out, RowCells& cells) {
  CellText parent = cells.cell(Field::parent);
  if (parent.mark.empty() && split_parent_mark(parent.text).digits) parent = cells.marked_parent();
  append_string(out, std::string(parent.text).append(parent.mark));
}

}  // namespace

std::string write_toon(const SymbolRows& rows, const View& view, std::string_view notice) {
  std::string out = "symbols[";
  append_number(out, rows.size());
  out += "]{";
  for (const Field field : view.fields) {
    if (out.back() != '{') out += ',';
    out += field_name(field);
  }
  out += "}:";
  RowCells cells(rows, view);
  for (std::size_t row = 0; cells.next(); ++row) {
    char before = ' ';
    out += '\n';
    append_position(out, view, rows, row);
    out += ' ';
    for (const Field field : view.fields) {
      out += before;
      before = ',';
      if (field == Field::parent) {
        append_parent(out, cells);
      } else {
        append_cell(out, cells.cell(field));
      }
    }
  }
  if (!notice.empty()) {
    out += "\ntruncated: ";
    append_string(out, notice);
  }
  return out;
}

}  // namespace symbols::table
