#include "lsp/document_text.h"

#include <doctest/doctest.h>

using namespace symbols::lsp;

TEST_CASE("positions and offsets, with every line end that LSP knows") {
  const std::string_view source =
      "a\r\nb\xC3\xA9\xF0\x9F\x98\x80"
      "c\rd\n\ne";
  const DocumentText text(source);
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
  CHECK(text.offset({99, 0}) == 16);  // past the last line the text's
  CHECK(text.offset({1, 3}) == 10);   // within a surrogate pair: behind it
}

TEST_CASE("an empty text has one line") {
  const DocumentText text("");
  CHECK(text.line_count() == 1);
  CHECK(text.offset({0, 5}) == 0);
  CHECK(!text.find("a", {{0, 0}, {1, 0}}));
}
