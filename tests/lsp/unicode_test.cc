#include "lsp/unicode.h"

#include <doctest/doctest.h>

#include <string>

namespace unicode_test {
using namespace symbols::lsp;

TEST_CASE("UTF-8 is decoded strictly") {
  struct Case {
    std::string bytes;
    char32_t code_point;
    std::size_t length;
    bool valid;
  };
  const Case cases[] = {
      {"a", U'a', 1, true},
      {"\xC3\xA9", 0xE9, 2, true},
      {"\xE2\x82\xAC", 0x20AC, 3, true},
      {"\xF0\x9F\x98\x80", 0x1F600, 4, true},
      {"\xF4\x8F\xBF\xBF", 0x10FFFF, 4, true},
      {"\xC0\x80", 0xFFFD, 1, false},
      {"\xE0\x80\x80", 0xFFFD, 1, false},
      {"\xED\xA0\x80", 0xFFFD, 1, false},
      {"\xF4\x90\x80\x80", 0xFFFD, 1, false},
      {"\xF5\x80\x80\x80", 0xFFFD, 1, false},
      {"\x80", 0xFFFD, 1, false},
      {"\xC3", 0xFFFD, 1, false},
      {"\xC3z", 0xFFFD, 1, false},
      {"\xFF", 0xFFFD, 1, false},
  };
  for (const Case& c : cases) {
    const Decoded decoded = decode_utf8(c.bytes);
    CHECK(decoded.code_point == c.code_point);
    CHECK(decoded.length == c.length);
    CHECK(decoded.valid == c.valid);
    if (!c.valid) continue;
    std::string again;
    append_utf8(again, c.code_point);
    CHECK(again == c.bytes);
  }
}

TEST_CASE("each invalid byte becomes one U+FFFD, and lengths count what LSP counts") {
  CHECK(to_valid_utf8("a\xFF\xC3z") == "a\xEF\xBF\xBD\xEF\xBF\xBDz");
  CHECK(find_invalid_utf8("ab\xFF") == 2);
  CHECK(find_invalid_utf8("ab\xC3\xA9") == std::string_view::npos);
  CHECK(utf16_length("a\xC3\xA9\xF0\x9F\x98\x80") == 4);
  CHECK(scalar_count("a\xC3\xA9\xF0\x9F\x98\x80") == 3);
}

TEST_CASE("word characters: letters, digits and what languages have in names") {
  for (const char32_t c : U"azAZ09_$éßªµºñΩжאعक中々あアーｆＡ０＿ﬁ€£😀𝒳\u200C\u200D\u203F\u0301\uE000") {
    if (c == 0) continue;  // the literal's end
    CAPTURE(static_cast<unsigned>(c));
    CHECK(is_word_character(c));
  }
}

TEST_CASE("word characters: not punctuation, symbols, spaces or controls") {
  for (const char32_t c :
       U" \t\n\x7F!\"#%&'()*+,-./:;<=>?@[\\]^`{|}~¡«»·×÷©±²—–“”…•→∑≤■✓⟨⸮、。「」《》〜（），：；！？｛｝～｡"
       U"\u0085\u00A0\u1680\u2003\u2028\u202E\u2060\u3000\uFEFF\uFFFD") {
    CAPTURE(static_cast<unsigned>(c));
    CHECK(!is_word_character(c));
  }
}

TEST_CASE("word characters: the first and the last of a text") {
  struct Case {
    std::string text;
    std::size_t leading;
    std::size_t trailing;
  };
  const Case cases[] = {
      {"", 0, 0},
      {"a", 1, 1},
      {"-a", 0, 1},
      {"a-", 1, 0},
      {"é😀", 2, 4},
      {"😀中", 4, 3},
      {"中é", 3, 2},
      {"—a—", 0, 0},
      // Invalid: a lone continuation, a character cut at either end.
      {"\x80", 0, 0},
      {"é\xA9", 2, 0},
      {"a\x80\x80\x80\x80\x80", 1, 0},
      {"\xE4\xB8", 0, 0},
      {"\xB8\xAD", 0, 0},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    CHECK(leading_word_character(c.text) == c.leading);
    CHECK(trailing_word_character(c.text) == c.trailing);
  }
}

}  // namespace unicode_test
