#include "lsp/word_character.h"

#include <doctest/doctest.h>

#include <string>

#include "lsp/unicode.h"

namespace symbols::lsp {
namespace {

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

}  // namespace
}  // namespace symbols::lsp
