#include "table/escape.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace symbols::table {
namespace {

constexpr char32_t last_control = 0x9F;  // of C1, which begins beyond ASCII

// U+2028, U+2029 and the bidirectional controls.
bool reorders_or_ends_line(char32_t c) {
  return c == 0x061C || c == 0x200E || c == 0x200F || (c >= 0x2028 && c <= 0x202E) ||
         (c >= 0x2066 && c <= 0x2069);
}

}  // namespace

void CellEscape::append_code(std::string& out, char32_t code_point) const {
  const auto number = static_cast<unsigned>(code_point);
  out += style_ == Style::json    ? fmt::format("\\u{:04x}", number)
         : number <= last_control ? fmt::format("\\x{:02X}", number)
                                  : fmt::format("\\u{{{:04X}}}", number);
}

void CellEscape::append(std::string& out, std::string_view cell) const {
  std::size_t done = 0;  // the text before it has been appended
  std::size_t i = 0;
  while (i < cell.size()) {
    const char letter = letter_of(cell[i]);
    if (letter == plain) {
      ++i;
      continue;
    }
    if (letter == multibyte) {
      const lsp::Decoded c = lsp::decode_utf8(cell.substr(i));
      const bool is_escaped = c.code_point <= last_control || reorders_or_ends_line(c.code_point);
      if (is_escaped || !c.valid) {
        out.append(cell, done, i - done);
        done = i + c.length;
        if (is_escaped) {
          append_code(out, c.code_point);
        } else {
          lsp::append_utf8(out, c.code_point);
        }
      }
      i += c.length;
      continue;
    }
    out.append(cell, done, i - done);
    if (letter == control) {
      append_code(out, static_cast<unsigned char>(cell[i]));
    } else {
      out += '\\';
      out += letter;
    }
    done = ++i;
  }
  out.append(cell, done);
}

std::optional<lsp::Decoded> CellEscape::read_escape(std::string_view escape) const {
  const char letter = escape.size() < 2 ? '\0' : escape[1];
  if (letter == 'x') {
    const auto c = whole_number<std::uint32_t>(escape.substr(2, 2), 16);
    if (escape.size() < 4 || !c || *c > last_control) return {};
    return lsp::Decoded{*c, 4};
  }
  if (escape.starts_with("\\u{")) {
    const std::size_t digits = std::min<std::size_t>(escape.find('}'), 10) - 3;
    const auto c = whole_number<std::uint32_t>(escape.substr(3, digits), 16);
    if (digits > 6 || !c || *c > 0x10FFFF || (*c >= 0xD800 && *c <= 0xDFFF)) return {};
    return lsp::Decoded{*c, digits + 4};
  }
  for (const char c : {'\n', '\r', '\t'}) {
    if (letter_of(c) == letter) return lsp::Decoded{static_cast<unsigned char>(c), 2};
  }
  // The backslash and the delimiters; no other byte.
  if (letter == '\0' || letter_of(letter) != letter) return {};
  return lsp::Decoded{static_cast<unsigned char>(letter), 2};
}

std::optional<EscapeFault> CellEscape::append_unescaped(std::string& out, std::string_view cell) const {
  for (std::size_t done = 0;;) {
    const std::size_t backslash = cell.find('\\', done);
    lsp::append_valid_utf8(out, cell.substr(done, backslash - done));
    if (backslash == std::string_view::npos) return {};
    const std::optional<lsp::Decoded> read = read_escape(cell.substr(backslash));
    if (!read) {
      std::string known = "\\\\ \\n \\r \\t \\xHH \\u{HHHH}";
      for (const char delimiter : delimiters_) known.append(" \\").append(1, delimiter);
      return EscapeFault{backslash, "this is not an escape; the escapes are " + known};
    }
    lsp::append_utf8(out, read->code_point);
    done = backslash + read->length;
  }
}

std::string quoted(std::string_view text) {
  constexpr std::size_t max_characters = 60;
  constexpr CellEscape escape("\"");
  // Cut before the escaping, so that no escape is cut.
  std::size_t end = 0;
  for (std::size_t count = 0; count < max_characters && end < text.size(); ++count)
    end += lsp::decode_utf8(text.substr(end)).length;
  return '"' + escape.escaped(text.substr(0, end)) + (end < text.size() ? "…\"" : "\"");
}

std::string terminal_text(std::string_view text) {
  constexpr CellEscape escape("", CellEscape::Style::terminal);
  return escape.escaped(text);
}

std::string terminal_lines(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of("\t\n"), text.size());
    std::string_view part = text.substr(0, end);
    // A carriage return before a newline is harmless.
    if (end < text.size() && text[end] == '\n' && part.ends_with('\r')) part.remove_suffix(1);
    out += terminal_text(part);
    if (end < text.size()) out += text[end];
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

}  // namespace symbols::table
