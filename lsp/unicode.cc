#include "lsp/unicode.h"

#include <array>
#include <cstdint>
#include <cstring>

namespace symbols::lsp {

Decoded decode_utf8(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1, true};
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  constexpr Decoded invalid{replacement_character, 1, false};
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return invalid;
  char32_t code_point = lead & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return invalid;
    code_point = (code_point << 6) | (byte(i) & 0x3Fu);
  }
  constexpr std::array<char32_t, 5> smallest{0, 0, 0x80, 0x800, 0x10000};
  if (code_point < smallest[length] || code_point > 0x10FFFF) return invalid;
  if (code_point >= 0xD800 && code_point <= 0xDFFF) return invalid;
  return {code_point, length, true};
}

void append_utf8(std::string& out, char32_t c) {
  if ((c >= 0xD800 && c <= 0xDFFF) || c > 0x10FFFF) c = replacement_character;
  const auto put = [&](char32_t byte) { out.push_back(static_cast<char>(byte)); };
  if (c < 0x80) {
    put(c);
  } else if (c < 0x800) {
    put(0xC0 | (c >> 6));
    put(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    put(0xE0 | (c >> 12));
    put(0x80 | ((c >> 6) & 0x3F));
    put(0x80 | (c & 0x3F));
  } else {
    put(0xF0 | (c >> 18));
    put(0x80 | ((c >> 12) & 0x3F));
    put(0x80 | ((c >> 6) & 0x3F));
    put(0x80 | (c & 0x3F));
  }
}

std::size_t find_non_ascii(std::string_view text) {
  constexpr std::uint64_t high_bits = 0x8080808080808080;
  std::size_t i = 0;
  std::array<std::uint64_t, 8> block;  // a cache line, which compilers test with vector instructions
  for (; i + sizeof block <= text.size(); i += sizeof block) {
    std::memcpy(block.data(), text.data() + i, sizeof block);
    std::uint64_t all = 0;
    for (const std::uint64_t word : block) all |= word;
    if ((all & high_bits) != 0) break;
  }
  while (i < text.size() && static_cast<unsigned char>(text[i]) < 0x80) ++i;
  return i < text.size() ? i : std::string_view::npos;
}

std::size_t find_invalid_utf8(std::string_view text) {
  std::size_t i = 0;
  while (i < text.size()) {
    if (static_cast<unsigned char>(text[i]) < 0x80) {
      const std::size_t ascii = find_non_ascii(text.substr(i));
      if (ascii == std::string_view::npos) return ascii;
      i += ascii;
      continue;
    }
    const Decoded decoded = decode_utf8(text.substr(i));
    if (!decoded.valid) return i;
    i += decoded.length;
  }
  return std::string_view::npos;
}

std::string to_valid_utf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t good = find_invalid_utf8(text);
    out.append(text.substr(0, good));
    if (good == std::string_view::npos) break;
    append_utf8(out, replacement_character);
    text.remove_prefix(good + 1);
  }
  return out;
}

void append_valid_utf8(std::string& out, std::string_view text) {
  if (find_invalid_utf8(text) == std::string_view::npos) {
    out.append(text);
  } else {
    out.append(to_valid_utf8(text));
  }
}

std::size_t utf16_length(std::string_view text) {
  // A lead byte starts one unit, that of a four-byte form two.
  std::size_t units = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    units += (byte & 0xC0) != 0x80;
    units += byte >= 0xF0;
  }
  return units;
}

std::size_t scalar_count(std::string_view text) {
  std::size_t count = 0;
  for (const char c : text) count += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  return count;
}

}  // namespace symbols::lsp
