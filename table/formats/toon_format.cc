#include "table/formats/toon_format.h"

#include <fmt/format.h>

#include <iterator>

#include "base/text.h"
#include "lsp/unicode.h"
#include "table/escape.h"
#include "table/formats/range_text.h"
#include "table/formats/row_cells.h"
#include "table/whitespace.h"

namespace symbols::table {
namespace {

// 2^53 has 16 digits: JavaScript represents all whole numbers of up to 15 digits exactly.
constexpr std::size_t most_digits = 15;

constexpr std::string_view structural = ",:\"\\[]{}";

// Characters with an escape of one letter, and these letters.
constexpr std::string_view escaped_characters = "\"\\\n\r\t";
constexpr std::string_view escape_letters = "\"\\nrt";

// Characters that are escaped although the specification does not require it.
bool needs_unicode_escape(char32_t c) {
  return c == 0x7F || is_c1(c) || reorders_or_ends_line(c);
}

void skip_sign(std::string_view& text) {
  if (!take_mark(text, '-')) take_mark(text, '+');
}

bool is_numeric(std::string_view token) {
  skip_sign(token);
  if (!take_digits(token)) return false;
  if (take_mark(token, '.') && !take_digits(token)) return false;
  if (take_mark(token, 'e') || take_mark(token, 'E')) {
    skip_sign(token);
    if (!take_digits(token)) return false;
  }
  return token.empty();
}

// Whether a decoder would read the unquoted token as something other than a string, including the forms that
// only older decoders accept as numbers (05, +1).
bool is_literal(std::string_view token) {
  return token == "true" || token == "false" || token == "null" || is_numeric(token);
}

bool ends_in_whitespace(std::string_view text) {
  std::size_t last = text.size() - 1;
  while (last > 0 && lsp::is_utf8_continuation(text[last])) --last;
  return whitespace_at(text.substr(last)) > 0;
}

bool starts_or_ends_in_byte_order_mark(std::string_view text) {
  constexpr std::string_view mark = "\uFEFF";  // JavaScript trims it
  return text.starts_with(mark) || text.ends_with(mark);
}

bool needs_quotes(std::string_view text) {
  if (text.empty() || text[0] == '-' || text[0] == '#') return true;
  bool ascii = true;
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || structural.find(c) != std::string_view::npos) return true;
    ascii = ascii && static_cast<unsigned char>(c) < 0x7F;
  }
  if (whitespace_at(text) > 0 || ends_in_whitespace(text) || is_literal(text)) return true;
  if (ascii) return false;
  if (starts_or_ends_in_byte_order_mark(text)) return true;
  for (std::size_t i = 0; i < text.size();) {
    const lsp::Decoded c = lsp::decode_utf8(text.substr(i));
    if (needs_unicode_escape(c.code_point)) return true;
    i += c.length;
  }
  return false;
}

void append_character(std::string& out, char32_t c) {
  if (c >= 0x20 && c != U'"' && c != U'\\' && !needs_unicode_escape(c)) return lsp::append_utf8(out, c);
  const std::size_t short_escape =
      c < 0x7F ? escaped_characters.find(static_cast<char>(c)) : std::string_view::npos;
  if (short_escape != std::string_view::npos) {
    out += '\\';
    out += escape_letters[short_escape];
  } else {
    fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned>(c));
  }
}

// Appends a string cell, in quotes if needed. Bytes that are not UTF-8 become U+FFFD.
void append_string(std::string& out, std::string_view utf8) {
  if (!needs_quotes(utf8)) {
    lsp::append_valid_utf8(out, utf8);
    return;
  }
  out += '"';
  for (std::size_t i = 0; i < utf8.size();) {
    const lsp::Decoded c = lsp::decode_utf8(utf8.substr(i));
    append_character(out, c.code_point);
    i += c.length;
  }
  out += '"';
}

void append_cell(std::string& out, const CellText& cell) {
  if (cell.form == CellText::Form::number && cell.text.size() <= most_digits) {
    out += cell.text;
  } else if (cell.form == CellText::Form::number) {
    out += '"';
    out += cell.text;
    out += '"';
  } else {
    append_string(out, cell.text);
  }
}

void append_parent(std::string& out, RowCells& cells) {
  CellText parent = cells.cell(Field::parent);
  if (parent.mark.empty() && split_parent_mark(parent.text).digits) parent = cells.marked_parent();
  if (parent.mark.empty()) {
    append_string(out, parent.text);
  } else {
    append_string(out, std::string(parent.text).append(parent.mark));
  }
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
