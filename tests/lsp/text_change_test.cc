#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "lsp/position_index.h"
#include "tests/lsp/naive_document.h"

namespace symbols::lsp {
namespace {

TEST_CASE("text change: one edit") {
  struct Case {
    const char* before;
    std::optional<Range> range;
    const char* new_text;
    const char* after;
  };
  const Case cases[] = {
      {"old", {}, "new", "new"},
      {"", {{{0, 0}, {0, 0}}}, "a", "a"},
      {"one\ntwo\n", {{{0, 3}, {0, 3}}}, "!", "one!\ntwo\n"},
      {"one\ntwo\n", {{{1, 0}, {1, 1}}}, "T", "one\nTwo\n"},
      {"one\ntwo\n", {{{0, 3}, {1, 0}}}, "", "onetwo\n"},
      {"one\ntwo\n", {{{2, 0}, {2, 0}}}, "three", "one\ntwo\nthree"},
      {"one\ntwo", {{{0, 0}, {2, 0}}}, "all", "all"},
      {"one\r\ntwo\rthree", {{{1, 1}, {2, 2}}}, "-", "one\r\nt-ree"},
      {"one\r\ntwo", {{{0, 99}, {1, 0}}}, "\n", "one\ntwo"},  // past a line's end means its end
      {"one\ntwo", {{{7, 0}, {9, 9}}}, "!", "one\ntwo!"},
      {"one\ntwo", {{{1, 1}, {0, 1}}}, "-", "o-wo"},  // the other way round
      {"é😀x", {{{0, 1}, {0, 3}}}, "", "éx"},
      {"é😀x", {{{0, 2}, {0, 3}}}, "", "é😀x"},  // between two surrogates: after both
  };
  for (const Case& c : cases) {
    CAPTURE(c.before);
    std::string text = c.before;
    apply_change(text, c.range, c.new_text, PositionEncoding::utf16);
    CHECK(text == c.after);
  }
}

TEST_CASE("text change: the units are those of the encoding") {
  struct Case {
    PositionEncoding encoding;
    std::uint32_t before_x;
  };
  for (const Case& c :
       {Case{PositionEncoding::utf8, 6}, {PositionEncoding::utf16, 3}, {PositionEncoding::utf32, 2}}) {
    std::string text = "\né😀x";
    apply_change(text, Range{{1, c.before_x}, {1, c.before_x + 1}}, "y", c.encoding);
    CHECK(text == "\né😀y");
  }
}

TEST_CASE("text change: generated edits are the same as by counting") {
  Dice dice(8128);
  for (const PositionEncoding encoding :
       {PositionEncoding::utf8, PositionEncoding::utf16, PositionEncoding::utf32}) {
    for (int document = 0; document < 300; ++document) {
      std::string text = any_document(dice, 600);
      std::string expected = text;
      for (int edit = 0; edit < 20; ++edit) {
        const Range range{any_position(dice, text), any_position(dice, text)};
        const std::string new_text = any_document(dice, 10);
        const std::size_t a = naive_offset(expected, range.start, encoding);
        const std::size_t b = naive_offset(expected, range.end, encoding);
        expected = expected.substr(0, std::min(a, b)) + new_text + expected.substr(std::max(a, b));
        apply_change(text, range, new_text, encoding);
        REQUIRE(text == expected);
      }
    }
  }
}

}  // namespace
}  // namespace symbols::lsp
