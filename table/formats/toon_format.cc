#include <fmt/format.h>
#include <re2/re2.h>

#include <iterator>

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

// Whether a character is escaped: what the specification asks for, DEL, C1, and what reorders or ends lines.
bool is_escaped(char32_t c) {
  return c < 0x20 || c == U'"' || c == U'\\' || c == 0x7F || is_c1(c) || reorders_or_ends_line(c);
}

// Whether a decoder might read the unquoted text as anything but this string, including the numbers that only
// older decoders accept (05, +1).
bool needs_quotes(std::string_view text) {
  constexpr std::string_view byte_order_mark = "\uFEFF";  // JavaScript trims it
  if (text.empty() || text[0] == '-' || text[0] == '#') return true;
  if (text.find_first_of(",:\"\\[]{}") != std::string_view::npos) return true;
  std::size_t last = 0;  // where the last character starts
  for (std::size_t i = 0; i < text.size();) {
    const lsp::Decoded c = lsp::decode_utf8(text.substr(i));
    if (is_escaped(c.code_point)) return true;
    last = i;
    i += c.length;
  }
  if (whitespace_at(text) > 0 || whitespace_at(text.substr(last)) > 0) return true;
  if (text.starts_with(byte_order_mark) || text.ends_with(byte_order_mark)) return true;
  static const re2::RE2 literal(R"(true|false|null|\+?\d+(\.\d+)?([eE][-+]?\d+)?)");
  return re2::RE2::FullMatch(text, literal);
}

// Appends a string cell, in quotes if needed. Bytes that are not UTF-8 become U+FFFD.
void append_string(std::string& out, std::string_view utf8) {
  if (!needs_quotes(utf8)) return lsp::append_valid_utf8(out, utf8);
  constexpr std::string_view with_letter = "\"\\\n\r\t";
  constexpr std::string_view letters = "\"\\nrt";
  out += '"';
  for (std::size_t i = 0; i < utf8.size();) {
    const auto [c, length, valid] = lsp::decode_utf8(utf8.substr(i));
    i += length;
    const std::size_t letter = c < 0x7F ? with_letter.find(static_cast<char>(c)) : std::string_view::npos;
    if (!is_escaped(c)) {
      lsp::append_utf8(out, c);
    } else if (letter != std::string_view::npos) {
      out.append(1, '\\').append(1, letters[letter]);
    } else {
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned>(c));
    }
  }
  out += '"';
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
