#include "lsp/unicode.h"

#include <rapidjson/encodings.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <utility>

#include "base/text.h"

namespace symbols::lsp {
namespace {

// The first and last ones of the non-ASCII characters that are in no word, ascending.
constexpr std::pair<char32_t, char32_t> apart[] = {
    {0x80, 0xA1},      // controls, no-break space, ¡
    {0xA6, 0xA9},      // ¦ § ¨ ©
    {0xAB, 0xB4},      // « to ´
    {0xB6, 0xB9},      // ¶ · ¸ ¹
    {0xBB, 0xBF},      // » to ¿
    {0xD7, 0xD7},      // ×
    {0xF7, 0xF7},      // ÷
    {0x1680, 0x1680},  // Ogham space
    {0x2000, 0x200B},  // spaces
    {0x200E, 0x203E},  // marks of direction, dashes, quotes, separators
    {0x2041, 0x2053},
    {0x2055, 0x206F},  // the rest of General Punctuation, without its connector U+2054
    {0x2190, 0x2BFF},  // arrows, mathematics, technical, drawing, dingbats
    {0x2E00, 0x2E7F},  // Supplemental Punctuation
    {0x3000, 0x3004},
    {0x3008, 0x3020},
    {0x3030, 0x3030},
    {0x303D, 0x303F},  // CJK, without its letters
    {0xFD3E, 0xFD3F},  // ornate parentheses
    {0xFE10, 0xFE1F},  // vertical forms
    {0xFE30, 0xFE32},
    {0xFE35, 0xFE4C},  // compatibility forms, without their low lines
    {0xFE50, 0xFE6F},  // small forms
    {0xFEFF, 0xFEFF},  // byte order mark
    // full-width forms of ASCII's punctuation, without the low line
    {0xFF01, 0xFF0F},
    {0xFF1A, 0xFF20},
    {0xFF3B, 0xFF3E},
    {0xFF40, 0xFF40},
    {0xFF5B, 0xFF65},
    {0xFFF0, 0xFFFF},  // specials, U+FFFD among them
};

}  // namespace

Decoded decode_utf8(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1, true};
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  constexpr Decoded invalid{replacement_character, 1, false};
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return invalid;
  char32_t code_point = lead & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if (!is_utf8_continuation(text[i])) return invalid;
    code_point = (code_point << 6) | (byte(i) & 0x3Fu);
  }
  constexpr std::array<char32_t, 5> smallest{0, 0, 0x80, 0x800, 0x10000};
  if (code_point < smallest[length] || code_point > 0x10FFFF) return invalid;
  if (code_point >= 0xD800 && code_point <= 0xDFFF) return invalid;
  return {code_point, length, true};
}

void append_utf8(std::string& out, char32_t c) {
  struct Stream {
    void Put(char byte) { text += byte; }
    std::string& text;
  } stream{out};
  const bool is_scalar = c < 0xD800 || (c > 0xDFFF && c <= 0x10FFFF);
  rapidjson::UTF8<>::Encode(stream, is_scalar ? c : replacement_character);
}

std::size_t find_non_ascii(std::string_view text) {
  constexpr std::uint64_t high_bits = 0x8080808080808080;
  std::size_t i = 0;
  for (std::uint64_t word = 0; i + sizeof word <= text.size(); i += sizeof word) {
    std::memcpy(&word, text.data() + i, sizeof word);
    if ((word & high_bits) != 0) break;
  }
  while (i < text.size() && static_cast<unsigned char>(text[i]) < 0x80) ++i;
  return i < text.size() ? i : std::string_view::npos;
}

std::size_t find_invalid_utf8(std::string_view text) {
  for (std::size_t i = 0;;) {
    const std::size_t ascii = find_non_ascii(text.substr(i));
    if (ascii == std::string_view::npos) return ascii;
    i += ascii;
    const Decoded decoded = decode_utf8(text.substr(i));
    if (!decoded.valid) return i;
    i += decoded.length;
  }
}

void append_valid_utf8(std::string& out, std::string_view text) {
  while (!text.empty()) {
    const std::size_t good = find_invalid_utf8(text);
    out.append(text.substr(0, good));
    if (good == std::string_view::npos) break;
    append_utf8(out, replacement_character);
    text.remove_prefix(good + 1);
  }
}

std::string to_valid_utf8(std::string_view text) {
  std::string out;
  append_valid_utf8(out, text);
  return out;
}

std::size_t utf16_length(std::string_view text) {
  // A character is one unit, one of four bytes two.
  return scalar_count(text) + static_cast<std::size_t>(std::ranges::count_if(
                                  text, [](char c) { return static_cast<unsigned char>(c) >= 0xF0; }));
}

std::size_t scalar_count(std::string_view text) {
  return text.size() - static_cast<std::size_t>(std::ranges::count_if(text, is_utf8_continuation));
}

bool is_word_character(char32_t c) {
  if (c < 0x80) return is_word(static_cast<char>(c)) || c == '$';
  const auto range = std::ranges::lower_bound(apart, c, {}, &std::pair<char32_t, char32_t>::second);
  return range == std::end(apart) || c < range->first;
}

std::size_t leading_word_character(std::string_view text) {
  if (text.empty()) return 0;
  const Decoded c = decode_utf8(text);
  return is_word_character(c.code_point) ? c.length : 0;
}

std::size_t last_character_start(std::string_view text) {
  std::size_t start = text.size() - 1;
  while (start > 0 && text.size() - start < 4 && is_utf8_continuation(text[start])) --start;
  return start;
}

std::size_t trailing_word_character(std::string_view text) {
  if (text.empty()) return 0;
  const std::size_t start = last_character_start(text);
  const Decoded c = decode_utf8(text.substr(start));
  // In invalid UTF-8 the last byte counts as a character by itself.
  if (c.length != text.size() - start) return 0;
  return is_word_character(c.code_point) ? c.length : 0;
}

}  // namespace symbols::lsp
