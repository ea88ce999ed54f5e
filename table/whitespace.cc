#include "table/whitespace.h"

#include <array>

#include "base/text.h"

namespace symbols::table {
namespace {

// For each byte, whether whitespace may begin with it.
constexpr std::array<bool, 256> begins_whitespace = [] {
  std::array<bool, 256> begins{};
  for (std::size_t i = 0; i < begins.size(); ++i) {
    begins[i] = is_whitespace(static_cast<char>(i)) || i == 0xC2 || (i >= 0xE1 && i <= 0xE3);
  }
  return begins;
}();

bool may_begin_whitespace(char c) {
  return begins_whitespace[static_cast<unsigned char>(c)];
}

// The length of the prefix of `text` that is already folded. `text` does not start with whitespace.
std::size_t folded_length(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    if (!may_begin_whitespace(text[at])) {
      ++at;
    } else if (text[at] == ' ' && at + 1 < text.size() && !may_begin_whitespace(text[at + 1])) {
      at += 2;
    } else if (whitespace_at(text.substr(at)) == 0) {
      ++at;
    } else {
      break;
    }
  }
  return at;
}

}  // namespace

std::size_t whitespace_at(std::string_view text) {
  if (text.empty()) return 0;
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : static_cast<unsigned char>(0);
  };
  if (is_whitespace(text[0])) return 1;
  switch (byte(0)) {
    case 0xC2:  // U+0085, U+00A0
      return byte(1) == 0x85 || byte(1) == 0xA0 ? 2 : 0;
    case 0xE1:  // U+1680
      return byte(1) == 0x9A && byte(2) == 0x80 ? 3 : 0;
    case 0xE2:  // U+2000 to U+200A, U+2028, U+2029, U+202F; U+205F
      if (byte(1) == 0x80) {
        const unsigned char last = byte(2);
        return (last >= 0x80 && last <= 0x8A) || last == 0xA8 || last == 0xA9 || last == 0xAF ? 3 : 0;
      }
      return byte(1) == 0x81 && byte(2) == 0x9F ? 3 : 0;
    case 0xE3:  // U+3000
      return byte(1) == 0x80 && byte(2) == 0x80 ? 3 : 0;
    default:
      return 0;
  }
}

std::string fold_whitespace(std::string_view text) {
  std::string folded;
  folded.reserve(text.size());
  while (!text.empty()) {
    if (const std::size_t length = whitespace_at(text); length != 0) {
      text.remove_prefix(length);
      continue;
    }
    const std::size_t length = folded_length(text);
    if (!folded.empty()) folded += ' ';
    folded += text.substr(0, length);
    text.remove_prefix(length);
  }
  return folded;
}

}  // namespace symbols::table
