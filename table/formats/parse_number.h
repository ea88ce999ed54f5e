// Numbers as the text formats write them, read back.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace symbols::table {

// The whole of `text` as a number in its only spelling: digits without leading zeros, with an optional minus
// for a signed Integer. None for anything else, and for numbers that an Integer cannot hold.
template <class Integer>
std::optional<Integer> parse_number(std::string_view text) {
  Integer number = 0;
  const auto [after, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || after != text.data() + text.size()) return {};
  const std::string_view digits = text.substr(text.starts_with('-') ? 1 : 0);
  if (digits.starts_with('0') && text != "0") return {};
  return number;
}

}  // namespace symbols::table
