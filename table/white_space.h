// White space of every kind becomes single spaces, so that a text of many lines is one line.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace symbols::table {

// Bytes of the white space character at the start of `text`, 0 where there is none. White space is what
// Unicode says it is (property White_Space): line ends, NBSP and the typographic spaces too.
std::size_t white_space_at(std::string_view text);

// `text` with each stretch of white space as one space, none at the ends.
std::string fold_white_space(std::string_view text);

// `text` without the ASCII white space at its ends.
std::string_view trim(std::string_view text);

// ASCII only: what the marks of Markdown and of C-like languages are made of.
constexpr bool is_blank(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}
inline bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
inline bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
inline bool is_word(char c) {
  return is_letter(c) || is_digit(c) || c == '_';
}
inline bool is_punctuation(char c) {
  return c > ' ' && c < '\x7F' && !is_letter(c) && !is_digit(c);
}

}  // namespace symbols::table
