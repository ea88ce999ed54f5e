// A number at the start of a text that others wrote: a version, a variable of the environment.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>

namespace symbols {

// The decimal number that `text` starts with, such as 5 for "5.9.2"; what follows it must be the end or a
// dot. None if there is no such number, or an int cannot hold it, or it is negative.
inline std::optional<int> leading_number(std::string_view text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number < 0) return {};
  if (end != text.data() + text.size() && *end != '.') return {};
  return number;
}

}  // namespace symbols
