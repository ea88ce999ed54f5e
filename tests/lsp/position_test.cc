#include "lsp/position.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "tests/dice.h"

namespace symbols::lsp {
namespace position_test {

using namespace std::string_view_literals;

constexpr std::array characters{
    "a"sv,        "b"sv,           "_"sv, " "sv, "("sv, "\xC3\xA9"sv, "\xE2\x82\xAC"sv, "\xF0\x9F\x98\x80"sv,
    "\xC2\xAB"sv, "\xE2\x80\x94"sv};
constexpr std::array line_ends{"\n"sv, "\r"sv, "\r\n"sv, "\n\n"sv, "\r\r\n"sv};

std::size_t length_at(std::string_view text, std::size_t at) {
  const auto byte = static_cast<unsigned char>(text[at]);
  return byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
}

// Characters of every length in UTF-8 and every kind of line end, up to `most` of them; in half of the
// documents the lines are long.
std::string any_document(Dice& dice, std::size_t most) {
  std::string text;
  const std::size_t line = dice.one_in(2) ? 8 : 400;
  const bool only_ascii = dice.one_in(4);
  for (std::size_t n = dice.below(most + 1); n > 0; --n) {
    text += dice.one_in(line) ? dice.pick(line_ends) : only_ascii ? "x"sv : dice.pick(characters);
  }
  return text;
}

// Byte offset of a position, as LSP 3.17 defines it: counted one character after another.
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

// A position in the document, or a little past the end of a line or the document.
Position any_position(Dice& dice, std::string_view text) {
  const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n') +
                                              std::count(text.begin(), text.end(), '\r'));
  const std::size_t longest = dice.one_in(2) ? 12 : text.size() + 2;
  if (dice.one_in(50)) return {static_cast<std::uint32_t>(dice.below(lines + 1)), 0xFFFFFFFF};
  if (dice.one_in(50)) return {0xFFFFFFFF, 0xFFFFFFFF};
  return {static_cast<std::uint32_t>(dice.below(lines + 2)), static_cast<std::uint32_t>(dice.below(longest))};
}

TEST_CASE("lines: each kind of line end") {
  using Lines = std::vector<std::string_view>;
  CHECK(split_lines("") == Lines{""});
  CHECK(split_lines("a") == Lines{"a"});
  CHECK(split_lines("\n\r") == Lines{"", "", ""});
  CHECK(split_lines("\r\r\n\n") == Lines{"", "", "", ""});
  CHECK(split_lines("a\nbc\r\nd\re\r\n") == Lines{"a", "bc", "d", "e", ""});
}

TEST_CASE("a name is looked for only at the start of its range") {
  constexpr auto longest = static_cast<std::uint32_t>(PositionIndex::max_search);
  struct Case {
    std::uint32_t at;  // of the name
    const char* source_end;
    bool found;
  };
  for (const Case& c : {Case{10, "name", true},
                        {longest - 1, "name", true},
                        {longest, "name", true},
                        {longest, "names", true},  // not as a whole word, but it is there
                        {longest + 1, "name", false}}) {
    const std::string source = std::string(c.at + 2, ' ') + c.source_end;
    const PositionIndex text(source);
    const auto size = static_cast<std::uint32_t>(source.size());
    const std::optional<Range> found = text.find("name", {{0, 2}, {0, size}});
    CAPTURE(c.at);
    REQUIRE(found.has_value() == c.found);
    if (found) CHECK(*found == Range{{0, c.at + 2}, {0, c.at + 6}});
  }
  // The text after the searched part still decides whether a word ends there.
  const std::string source = "name " + std::string(longest - 9, ' ') + " a" + "names";
  CHECK(PositionIndex(source).find("a", {{0, 4}, {1, 0}})->start.character == source.size() - 6);
  const std::string longer = "xname" + std::string(longest - 5, ' ') + "names";
  CHECK(PositionIndex(longer).find("name", {{0, 0}, {1, 0}})->start.character == 1);
}

TEST_CASE("positions and offsets in each encoding are the same as by counting") {
  Dice dice(6174);
  for (const PositionEncoding encoding :
       {PositionEncoding::utf8, PositionEncoding::utf16, PositionEncoding::utf32}) {
    for (int round = 0; round < 200; ++round) {
      const std::string source = any_document(dice, 1200);
      CAPTURE(source);
      const PositionIndex text(source, encoding);
      Position other;
      for (int i = 0; i < 100; ++i) {
        const Position position = any_position(dice, source);
        CAPTURE(position.line);
        CAPTURE(position.character);
        const std::size_t offset = text.offset(position);
        REQUIRE(offset == naive_offset(source, position, encoding));
        const Position own = text.position(offset);
        REQUIRE(naive_offset(source, own, encoding) == offset);
        const auto [from, to] = std::minmax({offset, naive_offset(source, other, encoding)});
        std::string changed = source;
        apply_change(changed, Range{position, other}, "é", encoding);
        REQUIRE(changed == source.substr(0, from) + "é" + source.substr(to));
        other = position;
      }
    }
  }
}

TEST_CASE("a name is found in the units of the encoding, and not as a part of a longer word") {
  struct Case {
    const char* source;
    PositionEncoding encoding;
    std::uint32_t from;
    std::uint32_t to;
  };
  for (const Case& c : {Case{"é😀 name", PositionEncoding::utf8, 7, 11},
                        {"é😀 name", PositionEncoding::utf16, 4, 8},
                        {"é😀 name", PositionEncoding::utf32, 3, 7},
                        {"éname name", PositionEncoding::utf32, 6, 10},
                        {"nameé name", PositionEncoding::utf32, 6, 10},
                        {"xname “name”", PositionEncoding::utf32, 7, 11}}) {
    CAPTURE(c.source);
    const std::optional<Range> found = PositionIndex(c.source, c.encoding).find("name", {{0, 0}, {1, 0}});
    REQUIRE(found.has_value());
    CHECK(*found == Range{{0, c.from}, {0, c.to}});
  }
}

TEST_CASE("the word at a position") {
  constexpr std::string_view source = "a_1 ($é中)\n\n  x+yz";
  struct Case {
    Position position;
    const char* word;  // null: none
  };
  const Case cases[] = {
      {{0, 0}, "a_1"},    {{0, 2}, "a_1"},   {{0, 3}, "a_1"},  // where it ends
      {{0, 4}, nullptr},  {{0, 5}, "$é中"},  {{0, 7}, "$é中"},  {{0, 8}, "$é中"},  {{0, 9}, nullptr},
      {{0, 99}, nullptr}, {{1, 0}, nullptr}, {{2, 0}, nullptr}, {{2, 1}, nullptr}, {{2, 2}, "x"},
      {{2, 3}, "x"},      {{2, 4}, "yz"},    {{2, 6}, "yz"},    {{2, 99}, "yz"},   {{3, 0}, nullptr},
  };
  const PositionIndex text(source);
  for (const Case& c : cases) {
    CAPTURE(c.position.line);
    CAPTURE(c.position.character);
    const std::optional<Range> word = text.word_at(c.position);
    REQUIRE(word.has_value() == (c.word != nullptr));
    if (word) CHECK(text.text(*word) == c.word);
  }
  CHECK(!PositionIndex("").word_at({0, 0}));
  CHECK(*PositionIndex(source, PositionEncoding::utf8).word_at({0, 6}) == Range{{0, 5}, {0, 11}});
}

TEST_CASE("the text of a range") {
  const PositionIndex text("one\r\ntwo\nthree");
  CHECK(text.text({{0, 1}, {0, 3}}) == "ne");
  CHECK(text.text({{0, 2}, {1, 1}}) == "e\r\nt");
  CHECK(text.text({{1, 0}, {9, 0}}) == "two\nthree");
  CHECK(text.text({{0, 0}, {0, 0}}) == "");
  CHECK(text.text({{1, 0}, {0, 0}}) == "");
  CHECK(text.text() == "one\r\ntwo\nthree");
}

}  // namespace position_test
}  // namespace symbols::lsp
