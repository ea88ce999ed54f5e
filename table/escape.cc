#include "table/escape.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <utility>

#include "lsp/unicode.h"

namespace symbols::table {
namespace {

constexpr std::string_view hex_digits = "0123456789ABCDEF";

void append_x_escape(std::string& out, char32_t c) {
  const char escape[] = {'\\', 'x', hex_digits[c >> 4], hex_digits[c & 0xF]};
  out.append(escape, sizeof escape);
}

// The text that one escape means, or why it is invalid.
struct Unescaped {
  char32_t code_point = 0;
  std::size_t length = 0;  // bytes of the escape, its backslash included
  std::string fault;
};

// The number that `text` starts with, in at most `most` hexadecimal digits, and how many they are.
std::pair<std::uint32_t, std::size_t> hexadecimal(std::string_view text, std::size_t most) {
  std::uint32_t number = 0;
  const char* const end = text.data() + std::min(text.size(), most);
  const char* const after = std::from_chars(text.data(), end, number, 16).ptr;
  return {number, static_cast<std::size_t>(after - text.data())};
}

// `escape` starts with `\x`.
Unescaped read_x(std::string_view escape) {
  const auto [c, digits] = hexadecimal(escape.substr(2), 2);
  if (digits < 2) return {.fault = "\\x needs two hexadecimal digits, as in \\x1B"};
  if (c > 0x9F) {
    return {.fault = fmt::format("{} is above \\x9F, the last control character; write the character itself",
                                 escape.substr(0, 4))};
  }
  return {.code_point = c, .length = 4, .fault = {}};
}

// `escape` starts with `\u`.
Unescaped read_u(std::string_view escape) {
  constexpr std::size_t most_digits = 6;
  const auto [c, digits] = hexadecimal(escape.substr(std::min<std::size_t>(3, escape.size())), most_digits);
  const std::size_t end = 3 + digits;
  if (digits == 0 || end >= escape.size() || escape[2] != '{' || escape[end] != '}') {
    return {.fault = "\\u needs one to six hexadecimal digits in braces, as in \\u{2028}"};
  }
  if (c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF)) {
    return {.fault = fmt::format("{} is no Unicode character", escape.substr(0, end + 1))};
  }
  return {.code_point = c, .length = end + 1, .fault = {}};
}

}  // namespace

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
      const bool stands = c.valid && !is_c1(c.code_point) && !reorders_or_ends_line(c.code_point);
      if (!stands) {
        out.append(cell, done, i - done);
        done = i + c.length;
        if (!c.valid) {
          lsp::append_utf8(out, lsp::replacement_character);
        } else if (is_c1(c.code_point)) {
          append_x_escape(out, c.code_point);
        } else {
          fmt::format_to(std::back_inserter(out), "\\u{{{:04X}}}", static_cast<unsigned>(c.code_point));
        }
      }
      i += c.length;
      continue;
    }
    out.append(cell, done, i - done);
    if (letter == control) {
      append_x_escape(out, static_cast<unsigned char>(cell[i]));
    } else {
      out += '\\';
      out += letter;
    }
    done = ++i;
  }
  out.append(cell, done);
}

std::optional<EscapeFault> CellEscape::append_unescaped(std::string& out, std::string_view cell) const {
  std::size_t done = 0;
  for (;;) {
    const std::size_t backslash = cell.find('\\', done);
    lsp::append_valid_utf8(out, cell.substr(done, backslash - done));
    if (backslash == std::string_view::npos) return {};
    const std::string_view escape = cell.substr(backslash);
    if (escape.size() == 1) {
      return EscapeFault{backslash, "the backslash at the end escapes nothing; a backslash is written \\\\"};
    }
    const char letter = escape[1];
    constexpr std::string_view line_ends_and_tab = "\n\r\t";
    const auto meant = std::ranges::find(line_ends_and_tab, letter, [this](char c) { return letter_of(c); });
    Unescaped read;
    if (meant != line_ends_and_tab.end()) {
      read = {static_cast<unsigned char>(*meant), 2, {}};
    } else if (letter == 'x') {
      read = read_x(escape);
    } else if (letter == 'u') {
      read = read_u(escape);
    } else if (letter_of(letter) == letter) {  // the backslash and the delimiters; no other byte
      read = {static_cast<unsigned char>(letter), 2, {}};
    } else {
      std::string shown;
      append(shown, escape.substr(1, lsp::decode_utf8(escape.substr(1)).length));
      read.fault = fmt::format("\\{} is not an escape; the escapes are {}", shown, known_escapes());
    }
    if (!read.fault.empty()) return EscapeFault{backslash, std::move(read.fault)};
    lsp::append_utf8(out, read.code_point);
    done = backslash + read.length;
  }
}

std::string CellEscape::known_escapes() const {
  std::string known = "\\\\ \\n \\r \\t \\xHH \\u{HHHH}";
  for (char c = ' '; c < 0x7F; ++c) {
    if (c != '\\' && letter_of(c) == c) {
      known += " \\";
      known += c;
    }
  }
  return known;
}

std::string escaped(std::string_view text) {
  constexpr CellEscape escape("");
  std::string out;
  escape.append(out, text);
  return out;
}

std::string quoted(std::string_view text) {
  constexpr std::size_t most_characters = 60;
  constexpr CellEscape escape("\"");
  // Cut before the escaping, so that no escape is cut.
  std::size_t end = 0;
  for (std::size_t count = 0; count < most_characters && end < text.size(); ++count) {
    end += lsp::decode_utf8(text.substr(end)).length;
  }
  std::string out = "\"";
  escape.append(out, text.substr(0, end));
  out += end < text.size() ? "…\"" : "\"";
  return out;
}

std::string terminal_text(std::string_view text) {
  constexpr CellEscape escape("");
  std::string out;
  while (!text.empty()) {
    const std::size_t backslash = text.find('\\');
    escape.append(out, text.substr(0, backslash));
    if (backslash == std::string_view::npos) break;
    out += '\\';
    text.remove_prefix(backslash + 1);
  }
  return out;
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
