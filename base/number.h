// Numbers in texts: in JSON and our formats, in the environment, in versions.
#pragma once

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <string>
#include <string_view>

namespace symbols {

// Appends decimal digits, without a format string or an allocation.
template <class Integer>
void append_number(std::string& out, Integer number) {
  const fmt::format_int digits(number);
  out.append(digits.data(), digits.size());
}

// The number that the whole of `text` is: digits, with a minus before them where Integer has a sign. None for
// anything else, and for a number that an Integer cannot hold.
template <class Integer>
std::optional<Integer> whole_number(std::string_view text, int base = 10) {
  Integer number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number, base);
  return error == std::errc() && stop == end ? std::optional(number) : std::nullopt;
}

// The decimal number that `text` starts with, such as 5 for "5.9.2"; what follows it must be the end or a
// dot. None if there is no such number, or an int cannot hold it, or it is negative.
inline std::optional<int> leading_number(std::string_view text) {
  const std::optional<int> number = whole_number<int>(text.substr(0, text.find('.')));
  return number >= 0 ? number : std::nullopt;
}

}  // namespace symbols
