// Letters and digits of ASCII: enough for the marks of Markdown, of C-like languages and of protocols.
#pragma once

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
constexpr char lower_case(char c) {
  return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c;
}
inline std::string in_lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = lower_case(c);
  return lower;
}

}  // namespace symbols
