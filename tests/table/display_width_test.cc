#include "table/display_width.h"

#include <doctest/doctest.h>
#include <wchar.h>

#include <clocale>
#include <string>
#include <vector>

#include "lsp/unicode.h"

namespace symbols::table {
namespace {

TEST_CASE("display width: cases") {
  struct Case {
    const char* what;
    std::string text;
    std::size_t columns;
  };
  const std::vector<Case> cases{
      {"nothing", "", 0},
      {"ASCII", "area(x)", 7},
      {"Latin", "größe", 5},
      {"Chinese, Japanese, Korean", "面積カ한", 8},
      {"full-width and half-width forms", "Ａｱ", 3},
      {"a combining mark", "e\u0301x", 2},
      {"a Hangul syllable in parts", "\u1112\u1161\u11AB", 2},
      {"Devanagari with a vowel sign above", "\u0915\u0947", 1},
      {"an emoji", "\U0001F600", 2},
      {"a joiner, a variation selector", "\u200D\uFE0F", 0},
      {"arrows and drawing", "→─…", 3},
      {"a soft hyphen", "\u00AD", 1},
      {"the replacement character", "\uFFFD", 1},
      {"an invalid byte", "a\xFF", 2},
  };
  for (const Case& c : cases) {
    CAPTURE(c.what);
    CHECK(display_width(c.text) == c.columns);
  }
}

TEST_CASE("display width: a prefix is of whole characters, with their combining ones") {
  struct Case {
    std::string text;
    std::size_t columns;
    std::string prefix;
  };
  const std::vector<Case> cases{
      {"area", 0, ""}, {"area", 3, "are"},       {"area", 4, "area"}, {"area", 9, "area"},
      {"面積", 1, ""}, {"面積", 3, "面"},        {"a面", 2, "a"},     {"e\u0301x", 1, "e\u0301"},
      {"é", 1, "é"},   {"\u0301a", 0, "\u0301"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    CAPTURE(c.columns);
    CHECK(c.text.substr(0, prefix_of_width(c.text, c.columns)) == c.prefix);
  }
}

// The system's tables are as old as the system, or newer than ours: a few characters may differ.
TEST_CASE("display width: as wcwidth has it") {
  if (std::setlocale(LC_CTYPE, "C.UTF-8") == nullptr) return;
  std::size_t different = 0;
  std::size_t compared = 0;
  for (char32_t c = 0xA0; c < 0x110000; ++c) {
    const int expected = ::wcwidth(static_cast<wchar_t>(c));
    if (expected < 0) continue;
    std::string text;
    lsp::append_utf8(text, c);
    ++compared;
    if (display_width(text) != static_cast<std::size_t>(expected)) ++different;
  }
  std::setlocale(LC_CTYPE, "C");
  CHECK(different * 5000 <= compared);
}

}  // namespace
}  // namespace symbols::table
