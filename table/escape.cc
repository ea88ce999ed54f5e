#include "table/escape.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/text.h"

namespace symbols::table {
namespace {

constexpr std::string_view hex_digits = "0123456789ABCDEF";

void append_x_escape(std::string& out, char32_t c) {
  const char escape[] = {'\\', 'x', hex_digits[c >> 4], hex_digits[c & 0xF]};
  out.append(escape, sizeof escape);
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

std::optional<lsp::Decoded> CellEscape::read_escape(std::string_view escape) const {
  const char letter = escape.size() < 2 ? '\0' : escape[1];
  if (letter == 'x') {
    const auto c = whole_number<std::uint32_t>(escape.substr(2, 2), 16);
    if (escape.size() < 4 || !c || *c > 0x9F) return {};  // the last control character
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

std::string escaped(std::string_view text) {
  constexpr CellEscape escape("");
  std::string out;
  escape.append(out, text);
  return out;
}

std::string quoted(std::string_view text) {
  constexpr std::size_t max_characters = 60;
  constexpr CellEscape escape("\"");
  // Cut before the escaping, so that no escape is cut.
  std::size_t end = 0;
  for (std::size_t count = 0; count < max_characters && end < text.size(); ++count) {
    end += lsp::decode_utf8(text.substr(end)).length;
  }
  std::string out = "\"";
  escape.append(out, text.substr(0, end));
  out += end < text.size() ? "…\"" : "\"";
  return out;
}

std::string terminal_text(std::string_view text) {
  constexpr CellEscape escape("", false);
  std::string out;
  escape.append(out, text);
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
