// Letters, digits and whitespace of ASCII: enough for the marks of Markdown, of C-like languages and of
// protocols.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace symbols {

constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
constexpr bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}
constexpr bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}
constexpr bool is_letter(char c) {
  return is_lower(c) || is_upper(c);
}
constexpr bool is_word(char c) {
  return is_letter(c) || is_digit(c) || c == '_';
}
// Bytes of identifiers in most languages, with `$` and every byte of a character beyond ASCII.
constexpr bool is_identifier(char c) {
  return is_word(c) || c == '$' || static_cast<unsigned char>(c) >= 0x80;
}
constexpr bool is_whitespace(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}
constexpr char lower_case(char c) {
  return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c;
}
constexpr char upper_case(char c) {
  return is_lower(c) ? static_cast<char>(c - 'a' + 'A') : c;
}
inline std::string in_lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = lower_case(c);
  return lower;
}

// The word of identifier characters that starts at `at`; empty where none does.
inline std::string_view word_at(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && is_identifier(text[end])) ++end;
  return text.substr(at, end - at);
}

// `text` without whitespace, or the characters `blanks`, at its ends.
inline std::string_view trim(std::string_view text, std::string_view blanks = " \t\n\v\f\r") {
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  return text.substr(0, text.find_last_not_of(blanks) + 1);  // npos + 1 is 0
}

}  // namespace symbols
