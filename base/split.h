// The parts of a text between separators: its lines, the folders of a PATH.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

namespace symbols {

// Removes the first part from `text`, with the separator behind it, and returns it: a view.
inline std::string_view take_part(std::string_view& text, char separator) {
  const std::string_view part = text.substr(0, text.find(separator));
  text.remove_prefix(std::min(part.size() + 1, text.size()));
  return part;
}

// Views into `text`. A text that ends in the separator has no empty last part.
inline std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (!text.empty()) parts.push_back(take_part(text, separator));
  return parts;
}

// Whether `word` is one of `words`, which single spaces separate.
inline bool is_among(std::string_view word, std::string_view words) {
  while (!words.empty()) {
    if (take_part(words, ' ') == word) return true;
  }
  return false;
}

}  // namespace symbols
