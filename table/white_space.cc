#include "table/white_space.h"

namespace symbols::table {

std::size_t white_space_at(std::string_view text) {
  if (text.empty()) return 0;
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : static_cast<unsigned char>(0);
  };
  if (is_blank(text[0])) return 1;
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

std::string fold_white_space(std::string_view text) {
  std::string folded;
  folded.reserve(text.size());
  bool pending = false;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = white_space_at(text.substr(i));
    if (length != 0) {
      pending = true;
      i += length;
      continue;
    }
    if (pending && !folded.empty()) folded += ' ';
    pending = false;
    folded += text[i++];
  }
  return folded;
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace symbols::table
