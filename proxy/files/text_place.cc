#include "proxy/files/text_place.h"

#include <fmt/format.h>

#include <algorithm>

namespace symbols::files {

std::string text_place(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  return fmt::format("{}:{}", line, before.size() - (before.rfind('\n') + 1) + 1);
}

}  // namespace symbols::files
