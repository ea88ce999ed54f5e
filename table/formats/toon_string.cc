#include "table/formats/toon_string.h"

#include <fmt/format.h>

#include <charconv>
#include <iterator>
#include <system_error>

#include "lsp/unicode.h"
#include "table/formats/parse_number.h"
#include "table/whitespace.h"

namespace symbols::table {
namespace {

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
  if (whitespace_at(text) > 0 || ends_in_whitespace(text) || is_toon_literal(text)) return true;
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

// The four digits of a `\uHHHH` at the start of `escape`; none if they are missing.
std::optional<char32_t> unicode_escape(std::string_view escape) {
  const std::string_view digits = escape.substr(2, 4);
  unsigned value = 0;
  const auto [after, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
  if (error != std::errc{} || after - digits.data() != 4) return {};
  return value;
}

}  // namespace

bool is_toon_literal(std::string_view token) {
  return token == "true" || token == "false" || token == "null" || is_numeric(token);
}

void append_toon_string(std::string& out, std::string_view utf8) {
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

std::size_t skip_toon_string(std::string_view text) {
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (text[i] == '"') return i + 1;
    if (text[i] == '\\') ++i;
  }
  return std::string_view::npos;
}

std::optional<EscapeFault> append_unquoted(std::string& out, std::string_view token) {
  const std::string_view text = token.substr(0, token.size() - 1);
  std::size_t done = 1;
  for (;;) {
    const std::size_t backslash = text.find('\\', done);
    lsp::append_valid_utf8(out, text.substr(done, backslash - done));
    if (backslash == std::string_view::npos) return {};
    const std::string_view escape = text.substr(backslash);
    const std::size_t short_escape =
        escape.size() < 2 ? std::string_view::npos : escape_letters.find(escape[1]);
    if (short_escape != std::string_view::npos) {
      out += escaped_characters[short_escape];
      done = backslash + 2;
    } else if (escape.starts_with("\\u")) {
      const std::optional<char32_t> c = unicode_escape(escape);
      if (!c) return EscapeFault{backslash, "\\u needs four hexadecimal digits, as in \\u001b"};
      if (*c >= 0xD800 && *c <= 0xDFFF) {
        return EscapeFault{
            backslash,
            fmt::format("{} is half of a character; write the whole character itself", escape.substr(0, 6))};
      }
      lsp::append_utf8(out, *c);
      done = backslash + 6;
    } else {
      const std::string_view letter = escape.substr(1);
      return EscapeFault{
          backslash,
          fmt::format("a backslash before {} is not an escape; the escapes are \\\\ \\\" \\n \\r \\t \\uHHHH",
                      quoted(letter.substr(0, letter.empty() ? 0 : lsp::decode_utf8(letter).length)))};
    }
  }
}

}  // namespace symbols::table
