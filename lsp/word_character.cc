#include "lsp/word_character.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "lsp/unicode.h"

namespace symbols::lsp {
namespace {

struct CodePoints {
  char32_t first;
  char32_t last;
};

// The non-ASCII characters that are in no word, ascending.
constexpr std::array apart{
    CodePoints{0x80, 0xA1},      // controls, no-break space, ¡
    CodePoints{0xA6, 0xA9},      // ¦ § ¨ ©
    CodePoints{0xAB, 0xB4},      // « to ´
    CodePoints{0xB6, 0xB9},      // ¶ · ¸ ¹
    CodePoints{0xBB, 0xBF},      // » to ¿
    CodePoints{0xD7, 0xD7},      // ×
    CodePoints{0xF7, 0xF7},      // ÷
    CodePoints{0x1680, 0x1680},  // Ogham space
    CodePoints{0x2000, 0x200B},  // spaces
    CodePoints{0x200E, 0x203E},  // marks of direction, dashes, quotes, separators
    CodePoints{0x2041, 0x2053},  // the rest of General Punctuation, without its connector U+2054
    CodePoints{0x2055, 0x206F}, CodePoints{0x2190, 0x2BFF},  // arrows, mathematics, technical, drawing,
                                                             // dingbats
    CodePoints{0x2E00, 0x2E7F},                              // Supplemental Punctuation
    CodePoints{0x3000, 0x3004},                              // CJK space and punctuation, without its letters
    CodePoints{0x3008, 0x3020}, CodePoints{0x3030, 0x3030}, CodePoints{0x303D, 0x303F},
    CodePoints{0xFD3E, 0xFD3F},                              // ornate parentheses
    CodePoints{0xFE10, 0xFE1F},                              // vertical forms
    CodePoints{0xFE30, 0xFE32},                              // compatibility forms, without their low lines
    CodePoints{0xFE35, 0xFE4C}, CodePoints{0xFE50, 0xFE6F},  // small forms
    CodePoints{0xFEFF, 0xFEFF},                              // byte order mark
    CodePoints{0xFF01, 0xFF0F},  // full-width forms of ASCII's punctuation, without the low line
    CodePoints{0xFF1A, 0xFF20}, CodePoints{0xFF3B, 0xFF3E}, CodePoints{0xFF40, 0xFF40},
    CodePoints{0xFF5B, 0xFF65}, CodePoints{0xFFF0, 0xFFFF},  // specials, U+FFFD among them
};

}  // namespace

bool is_word_character(char32_t c) {
  if (c < 0x80) return is_word(static_cast<char>(c)) || c == '$';
  const auto range =
      std::lower_bound(apart.begin(), apart.end(), c,
                       [](const CodePoints& r, char32_t code_point) { return r.last < code_point; });
  return range == apart.end() || c < range->first;
}

std::size_t leading_word_character(std::string_view text) {
  if (text.empty()) return 0;
  const Decoded c = decode_utf8(text);
  return is_word_character(c.code_point) ? c.length : 0;
}

std::size_t trailing_word_character(std::string_view text) {
  if (text.empty()) return 0;
  std::size_t start = text.size() - 1;
  while (start > 0 && text.size() - start < 4 && is_utf8_continuation(text[start])) --start;
  const Decoded c = decode_utf8(text.substr(start));
  // In invalid UTF-8 the last byte counts as a character by itself.
  if (c.length != text.size() - start) return 0;
  return is_word_character(c.code_point) ? c.length : 0;
}

}  // namespace symbols::lsp
