#include "table/one_line.h"

#include <utility>

#include "base/text.h"
#include "lsp/position.h"
#include "lsp/unicode.h"

namespace symbols::table {

std::size_t whitespace_at(std::string_view text) {
  if (text.empty()) return 0;
  if (static_cast<unsigned char>(text[0]) < 0x80) return is_whitespace(text[0]) ? 1 : 0;
  const auto [c, length, valid] = lsp::decode_utf8(text);
  const bool is_space = c == 0x85 || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) ||
                        c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
  return is_space ? length : 0;
}

std::string fold_whitespace(std::string_view text) {
  std::string folded;
  folded.reserve(text.size());
  bool space = false;
  for (std::size_t at = 0; at < text.size();) {
    if (const std::size_t length = whitespace_at(text.substr(at)); length > 0) {
      space = !folded.empty();
      at += length;
      continue;
    }
    if (std::exchange(space, false)) folded += ' ';
    folded += text[at++];
  }
  return folded;
}

std::string cut_text(std::string_view text, std::size_t max_characters) {
  if (max_characters == 0 || text.size() <= max_characters) return std::string(text);
  constexpr auto characters = lsp::PositionEncoding::utf32;
  if (lsp::bytes_of_units(text, max_characters, characters) == text.size()) return std::string(text);
  return std::string(text.substr(0, lsp::bytes_of_units(text, max_characters - 1, characters))) + "\u2026";
}

}  // namespace symbols::table
