#include "lsp/document_text.h"

#include <doctest/doctest.h>

#include <string>

#include "lsp/unicode.h"

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

TEST_CASE("positions and offsets in lines of any length are those that counting gives") {
  // Characters of every length, so that some lie across each place up to which the units are counted.
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
      const DocumentText text(source);
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

TEST_CASE("a name is looked for at the start of its range only") {
  constexpr auto longest = static_cast<std::uint32_t>(DocumentText::longest_search);
  struct Case {
    std::uint32_t at;  // of the name
    const char* source_end;
    bool found;
  };
  for (const Case& c : {Case{10, "name", true},
                        {longest - 1, "name", true},
                        {longest, "name", true},
                        {longest, "names", true},  // as no whole word, but it is there
                        {longest + 1, "name", false}}) {
    const std::string source = std::string(c.at + 2, ' ') + c.source_end;
    const DocumentText text(source);
    const auto size = static_cast<std::uint32_t>(source.size());
    const std::optional<Range> found = text.find("name", {{0, 2}, {0, size}});
    CAPTURE(c.at);
    REQUIRE(found.has_value() == c.found);
    if (found) CHECK(*found == Range{{0, c.at + 2}, {0, c.at + 6}});
  }
  // What follows the searched part still tells whether a word ends there.
  const std::string source = "name " + std::string(longest - 9, ' ') + " a" + "names";
  CHECK(DocumentText(source).find("a", {{0, 4}, {1, 0}})->start.character == source.size() - 6);
  const std::string longer = "xname" + std::string(longest - 5, ' ') + "names";
  CHECK(DocumentText(longer).find("name", {{0, 0}, {1, 0}})->start.character == 1);
}
