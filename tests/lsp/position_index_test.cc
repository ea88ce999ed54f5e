#include "lsp/position_index.h"

#include <doctest/doctest.h>

#include <string>

#include "lsp/unicode.h"
#include "lsp/word_character.h"
#include "tests/lsp/naive_document.h"

using namespace symbols::lsp;
using symbols::Dice;

TEST_CASE("positions and offsets, with every line end that LSP knows") {
  const std::string_view source =
      "a\r\nb\xC3\xA9\xF0\x9F\x98\x80"
      "c\rd\n\ne";
  const PositionIndex text(source);
  CHECK(text.line_count() == 5);
  struct Case {
    Position position;
    std::size_t offset;
  };
  for (const Case& c : {Case{{0, 0}, 0},
                        {{0, 1}, 1},
                        {{1, 0}, 3},
                        {{1, 1}, 4},
                        {{1, 2}, 6},
                        {{1, 4}, 10},
                        {{1, 5}, 11},
                        {{2, 0}, 12},
                        {{3, 0}, 14},
                        {{4, 0}, 15},
                        {{4, 1}, 16}}) {
    CHECK(text.offset(c.position) == c.offset);
    CHECK(text.position(c.offset) == c.position);
  }
  CHECK(text.offset({0, 99}) == 1);   // past a line's end means its end
  CHECK(text.offset({99, 0}) == 16);  // past the last line means the text's end
  CHECK(text.offset({1, 3}) == 10);   // within a surrogate pair: its end
}

TEST_CASE("an empty text has one line") {
  const PositionIndex text("");
  CHECK(text.line_count() == 1);
  CHECK(text.offset({0, 5}) == 0);
  CHECK(!text.find("a", {{0, 0}, {1, 0}}));
}

TEST_CASE("positions and offsets in lines of any length are the same as by counting") {
  // Characters of every length, so that some straddle each offset up to which the units are counted.
  constexpr std::string_view characters[] = {"a", "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x98\x80",
                                             "\xF0\x9F\x98\x80"};
  for (const std::size_t kinds : {1u, 2u, 4u, 5u}) {
    for (const std::string_view before : {"", "x", "\n", "\xC3\xA9\r\n"}) {
      std::string source(before);
      while (source.size() < 1500) source += characters[(source.size() * 7 + source.size() / 11) % kinds];
      source += '\n';
      source.append(300, 'b');
      CAPTURE(kinds);
      CAPTURE(before);
      const PositionIndex text(source);
      Position position;
      for (std::size_t at = 0; at < source.size();) {
        REQUIRE(text.position(at) == position);
        REQUIRE(text.offset(position) == at);
        const Decoded c = decode_utf8(std::string_view(source).substr(at));
        if (c.code_point == '\r') ++at;  // of CRLF
        if (c.code_point >= 0x10000) REQUIRE(text.offset({position.line, position.character + 1}) == at + 4);
        at += c.length;
        if (c.code_point == '\n' || c.code_point == '\r') {
          position = {position.line + 1, 0};
        } else {
          position.character += c.code_point >= 0x10000 ? 2 : 1;
        }
      }
      CHECK(text.position(source.size()) == position);
      CHECK(text.offset({0, 0xFFFFFFFF}) == source.find_first_of("\r\n"));
      CHECK(text.offset({position.line, 0xFFFFFFFF}) == source.size());
    }
  }
}

TEST_CASE("a name is looked for only at the start of its range") {
  constexpr auto longest = static_cast<std::uint32_t>(PositionIndex::longest_search);
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
      for (int i = 0; i < 100; ++i) {
        const Position position = any_position(dice, source);
        CAPTURE(position.line);
        CAPTURE(position.character);
        const std::size_t offset = text.offset(position);
        REQUIRE(offset == naive_offset(source, position, encoding));
        const Position own = text.position(offset);
        REQUIRE(naive_offset(source, own, encoding) == offset);
        const std::size_t line = naive_offset(source, {own.line, 0}, encoding);
        REQUIRE(own.character == count_units(source.substr(line, offset - line), encoding));
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

TEST_CASE("the word at any position of generated documents ends at characters that are in no word") {
  Dice dice(1729);
  std::size_t found = 0;
  for (int round = 0; round < 2000; ++round) {
    const std::string source = any_document(dice, 60);
    const PositionIndex text(source);
    const Position position = any_position(dice, source);
    CAPTURE(source);
    const std::string_view before = std::string_view(source).substr(0, text.offset(position));
    const std::string_view behind = std::string_view(source).substr(text.offset(position));
    const std::optional<Range> word = text.word_at(position);
    const bool at_word = trailing_word_character(before) > 0 || leading_word_character(behind) > 0;
    REQUIRE(word.has_value() == (at_word && position.line < text.line_count()));
    if (!word) continue;
    ++found;
    const std::size_t from = text.offset(word->start);
    const std::size_t to = text.offset(word->end);
    REQUIRE(from <= before.size());
    REQUIRE(to >= before.size());
    REQUIRE(trailing_word_character(std::string_view(source).substr(0, from)) == 0);
    REQUIRE(leading_word_character(std::string_view(source).substr(to)) == 0);
    for (std::size_t at = from; at < to;) {
      const std::size_t length = leading_word_character(std::string_view(source).substr(at));
      REQUIRE(length > 0);
      at += length;
    }
  }
  CHECK(found > 500);
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
