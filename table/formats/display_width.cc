// The columns that a text takes on a terminal.
#include <re2/re2.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "lsp/unicode.h"
#include "table/formats/pretty_format.h"

namespace symbols::table {
namespace {

// The first and last characters with East_Asian_Width W and F in Unicode's EastAsianWidth.txt, ascending.
// Unassigned code points between two such ranges are counted in.
constexpr std::pair<char32_t, char32_t> wide[] = {
    {0x1100, 0x115F},   {0x231A, 0x231B},   {0x2329, 0x232A},   {0x23E9, 0x23EC},   {0x23F0, 0x23F0},
    {0x23F3, 0x23F3},   {0x25FD, 0x25FE},   {0x2614, 0x2615},   {0x2648, 0x2653},   {0x267F, 0x267F},
    {0x2693, 0x2693},   {0x26A1, 0x26A1},   {0x26AA, 0x26AB},   {0x26BD, 0x26BE},   {0x26C4, 0x26C5},
    {0x26CE, 0x26CE},   {0x26D4, 0x26D4},   {0x26EA, 0x26EA},   {0x26F2, 0x26F3},   {0x26F5, 0x26F5},
    {0x26FA, 0x26FA},   {0x26FD, 0x26FD},   {0x2705, 0x2705},   {0x270A, 0x270B},   {0x2728, 0x2728},
    {0x274C, 0x274C},   {0x274E, 0x274E},   {0x2753, 0x2755},   {0x2757, 0x2757},   {0x2795, 0x2797},
    {0x27B0, 0x27B0},   {0x27BF, 0x27BF},   {0x2B1B, 0x2B1C},   {0x2B50, 0x2B50},   {0x2B55, 0x2B55},
    {0x2E80, 0x303E},   {0x3041, 0xA4C6},   {0xA960, 0xA97C},   {0xAC00, 0xD7A3},   {0xF900, 0xFAD9},
    {0xFE10, 0xFE19},   {0xFE30, 0xFE6B},   {0xFF01, 0xFF60},   {0xFFE0, 0xFFE6},   {0x16FE0, 0x1B2FB},
    {0x1F004, 0x1F004}, {0x1F0CF, 0x1F0CF}, {0x1F18E, 0x1F18E}, {0x1F191, 0x1F19A}, {0x1F200, 0x1F320},
    {0x1F32D, 0x1F335}, {0x1F337, 0x1F37C}, {0x1F37E, 0x1F393}, {0x1F3A0, 0x1F3CA}, {0x1F3CF, 0x1F3D3},
    {0x1F3E0, 0x1F3F0}, {0x1F3F4, 0x1F3F4}, {0x1F3F8, 0x1F43E}, {0x1F440, 0x1F440}, {0x1F442, 0x1F4FC},
    {0x1F4FF, 0x1F53D}, {0x1F54B, 0x1F54E}, {0x1F550, 0x1F567}, {0x1F57A, 0x1F57A}, {0x1F595, 0x1F596},
    {0x1F5A4, 0x1F5A4}, {0x1F5FB, 0x1F64F}, {0x1F680, 0x1F6C5}, {0x1F6CC, 0x1F6CC}, {0x1F6D0, 0x1F6D2},
    {0x1F6D5, 0x1F6DF}, {0x1F6EB, 0x1F6EC}, {0x1F6F4, 0x1F6FC}, {0x1F7E0, 0x1F7F0}, {0x1F90C, 0x1F93A},
    {0x1F93C, 0x1F945}, {0x1F947, 0x1F9FF}, {0x1FA70, 0x1FAF6}, {0x20000, 0x3FFFD},
};

constexpr char32_t first_combining = 0x300;

bool is_wide(char32_t c) {
  const auto* const range = std::ranges::lower_bound(wide, c, {}, &std::pair<char32_t, char32_t>::second);
  return range != std::end(wide) && c >= range->first;
}

// Marks, by RE2's tables of Unicode's categories, what is invisible (joiners, controls of direction, tags),
// and the vowels and final consonants that a Hangul syllable is composed with.
bool is_combining(std::string_view character) {
  static const re2::RE2 combining(
      R"([\p{Mn}\p{Me}\x{61C}\x{180E}\x{200B}-\x{200F}\x{202A}-\x{202E}\x{2060}-\x{206F}\x{FEFF}\x{FFF9}-\x{FFFB})"
      R"(\x{E0000}-\x{E0FFF}\x{1160}-\x{11FF}\x{D7B0}-\x{D7FF}])");
  return re2::RE2::FullMatch(character, combining);
}

std::size_t width_of(lsp::Decoded next, std::string_view text) {
  const char32_t c = next.code_point;
  if (c < first_combining) return 1;
  // The commonest blocks without marks, since asking RE2 takes much longer: Greek and Cyrillic; Chinese
  // characters; Hangul syllables.
  if (c >= 0x370 && c < 0x483) return 1;
  if ((c >= 0x3400 && c <= 0x9FFF) || (c >= 0xAC00 && c <= 0xD7A3)) return 2;
  if (is_combining(text.substr(0, next.length))) return 0;
  return is_wide(c) ? 2 : 1;
}

}  // namespace

std::size_t display_width(std::string_view text) {
  std::size_t columns = 0;
  while (!text.empty()) {
    const std::size_t ascii = std::min(lsp::find_non_ascii(text), text.size());
    columns += ascii;
    text.remove_prefix(ascii);
    if (text.empty()) break;
    const lsp::Decoded next = lsp::decode_utf8(text);
    columns += width_of(next, text);
    text.remove_prefix(next.length);
  }
  return columns;
}

std::size_t prefix_of_width(std::string_view text, std::size_t columns) {
  std::size_t end = 0;
  while (end < text.size()) {
    const std::string_view rest = text.substr(end);
    const lsp::Decoded next = lsp::decode_utf8(rest);
    const std::size_t width = width_of(next, rest);
    if (width > columns) break;
    columns -= width;
    end += next.length;
  }
  return end;
}

void wrap_lines(std::string& out, std::size_t start, std::size_t width) {
  if (width == 0) return;
  const std::string text = out.substr(start);
  out.resize(start);
  std::size_t column = 0;
  for (std::size_t i = 0; i < text.size();) {
    // With the space or newline before it.
    const std::size_t end = std::min(text.find_first_of(" \n", i + 1), text.size());
    std::string_view word = std::string_view(text).substr(i, end - i);
    i = end;
    if (word.front() == '\n') {
      column = display_width(word.substr(1));
    } else if (column += display_width(word); column > width && word.size() > 1 && word.front() == ' ') {
      word.remove_prefix(1);
      out += "\n  ";
      column = 2 + display_width(word);
    }
    out += word;
  }
}

std::string cut_to_width(std::string_view line, std::size_t width) {
  std::size_t column = 0;
  std::size_t kept = 0;  // with a column left for the `…`
  for (std::size_t end = 0; width > 0 && end < line.size();) {
    const std::string_view rest = line.substr(end);
    const std::size_t length = rest.front() == '\t' ? 1 : lsp::decode_utf8(rest).length;
    column = rest.front() == '\t' ? (column / 8 + 1) * 8 : column + display_width(rest.substr(0, length));
    end += length;
    if (column < width) kept = end;
    if (column > width) return std::string(line.substr(0, kept)) + "…";
  }
  return std::string(line);
}

}  // namespace symbols::table
