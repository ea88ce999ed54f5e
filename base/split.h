// The parts of a text between separators: its lines, the folders of a PATH.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

namespace symbols {

// Views into `text`. A text that ends in the separator has no empty last part.
inline std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    parts.push_back(text.substr(0, text.find(separator)));
    text.remove_prefix(std::min(parts.back().size() + 1, text.size()));
  }
  return parts;
}

}  // namespace symbols
