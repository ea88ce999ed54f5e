// Where in a text something is, for error messages.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace symbols::files {

// "line:column" of the byte at `offset`, both from 1, the column in bytes.
inline std::string text_place(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  return fmt::format("{}:{}", line, before.size() - (before.rfind('\n') + 1) + 1);
}

}  // namespace symbols::files
