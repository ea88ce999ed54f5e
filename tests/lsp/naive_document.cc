#include "tests/lsp/naive_document.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace symbols::lsp {
namespace {

using namespace std::string_view_literals;

constexpr std::array characters{
    "a"sv,        "b"sv,           "_"sv, " "sv, "("sv, "\xC3\xA9"sv, "\xE2\x82\xAC"sv, "\xF0\x9F\x98\x80"sv,
    "\xC2\xAB"sv, "\xE2\x80\x94"sv};
constexpr std::array line_ends{"\n"sv, "\r"sv, "\r\n"sv, "\n\n"sv, "\r\r\n"sv};

std::size_t length_at(std::string_view text, std::size_t at) {
  const auto byte = static_cast<unsigned char>(text[at]);
  return byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
}

}  // namespace

std::string any_document(Dice& dice, std::size_t most) {
  std::string text;
  const std::size_t line = dice.one_in(2) ? 8 : 400;
  const bool only_ascii = dice.one_in(4);
  for (std::size_t n = dice.below(most + 1); n > 0; --n) {
    text += dice.one_in(line) ? dice.pick(line_ends) : only_ascii ? "x"sv : dice.pick(characters);
  }
  return text;
}

std::size_t naive_offset(std::string_view text, Position position, PositionEncoding encoding) {
  std::size_t at = 0;
  for (std::uint32_t line = 0; line < position.line; ++line) {
    while (at < text.size() && text[at] != '\n' && text[at] != '\r') ++at;
    if (at == text.size()) return at;
    at += text.substr(at, 2) == "\r\n" ? 2 : 1;
  }
  std::uint64_t units = 0;
  while (units < position.character && at < text.size() && text[at] != '\n' && text[at] != '\r') {
    const std::size_t length = length_at(text, at);
    units += encoding == PositionEncoding::utf8    ? length
             : encoding == PositionEncoding::utf32 ? 1
             : length == 4                         ? 2
                                                   : 1;
    at += length;
  }
  return at;
}

Position any_position(Dice& dice, std::string_view text) {
  const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n') +
                                              std::count(text.begin(), text.end(), '\r'));
  const std::size_t longest = dice.one_in(2) ? 12 : text.size() + 2;
  if (dice.one_in(50)) return {static_cast<std::uint32_t>(dice.below(lines + 1)), 0xFFFFFFFF};
  if (dice.one_in(50)) return {0xFFFFFFFF, 0xFFFFFFFF};
  return {static_cast<std::uint32_t>(dice.below(lines + 2)), static_cast<std::uint32_t>(dice.below(longest))};
}

}  // namespace symbols::lsp
