#include "lsp/unicode.h"

#include <doctest/doctest.h>

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
      {"\xC3"
       "a",
       0xFFFD, 1, false},
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
