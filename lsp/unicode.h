// UTF-8 (JSON and our output), lengths in UTF-16 (LSP's units), and the characters of words.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace symbols::lsp {

inline constexpr char32_t replacement_character = 0xFFFD;

// One step through UTF-8 text.
struct Decoded {
  char32_t code_point = replacement_character;  // U+FFFD where the bytes are not valid UTF-8
  std::size_t length = 1;                       // bytes it took; 1 for an invalid byte
  bool valid = true;
};

// The code point at the start of `text`, which must not be empty. Surrogates, overlong forms and values above
// U+10FFFF are invalid (RFC 3629).
Decoded decode_utf8(std::string_view text);

// Whether the byte continues a character, rather than starts one.
inline bool is_utf8_continuation(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
}

// Appends `code_point` as UTF-8. Surrogates and values above U+10FFFF become U+FFFD.
void append_utf8(std::string& out, char32_t code_point);

// Offset of the first byte that is not ASCII, or npos. Runs at the speed of memory.
std::size_t find_non_ascii(std::string_view text);

// Offset of the first invalid byte, or npos if `text` is valid UTF-8.
std::size_t find_invalid_utf8(std::string_view text);

// `text` with each invalid byte replaced by U+FFFD, so that a Latin-1 file keeps its columns.
std::string to_valid_utf8(std::string_view text);
void append_valid_utf8(std::string& out, std::string_view text);

// Number of UTF-16 units / Unicode scalar values in valid UTF-8 `text`.
std::size_t utf16_length(std::string_view text);
std::size_t scalar_count(std::string_view text);

// Whether a character is in words of source code, whatever the language: ASCII letters and digits, `_`, `$`,
// and every character beyond ASCII that is not in one of Unicode's blocks of controls, spaces, punctuation
// and symbols (arrows, mathematics, drawing, CJK and full-width punctuation). Joiners and connectors (U+200C,
// U+200D, U+203F, …), currency signs and emoji are in words, as some languages have them in names; so is
// punctuation inside a script's own block of letters, which is not distinguished.
bool is_word_character(char32_t code_point);

// Length in bytes of the first, or last, character of `text` if it is a word character; else 0. `text` is
// UTF-8; an invalid byte is not a word character.
std::size_t leading_word_character(std::string_view text);
std::size_t trailing_word_character(std::string_view text);
// Offset of the first byte of the last character of `text` (not empty); of invalid UTF-8 a byte near the end.
std::size_t last_character_start(std::string_view text);

}  // namespace symbols::lsp
