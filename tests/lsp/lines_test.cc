#include "lsp/lines.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/growth.h"

namespace symbols::lsp {
namespace {

TEST_CASE("lines: each kind of line end") {
  struct Case {
    const char* text;
    std::vector<std::string> lines;
    std::vector<std::size_t> offsets;
  };
  const Case cases[] = {
      {"", {""}, {0}},
      {"a", {"a"}, {0}},
      {"a\n", {"a", ""}, {0, 2}},
      {"a\nb", {"a", "b"}, {0, 2}},
      {"a\rb", {"a", "b"}, {0, 2}},
      {"a\r\nb", {"a", "b"}, {0, 3}},
      {"\n\r", {"", "", ""}, {0, 1, 2}},
      {"\r\r\n\n", {"", "", "", ""}, {0, 1, 3, 4}},
      {"a\nbc\r\nd\re\r\n", {"a", "bc", "d", "e", ""}, {0, 2, 6, 8, 11}},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    Lines lines(c.text);
    std::vector<std::string> seen;
    std::vector<std::size_t> offsets;
    do {
      seen.emplace_back(lines.line());
      offsets.push_back(lines.offset());
    } while (lines.next());
    CHECK(seen == c.lines);
    CHECK(offsets == c.offsets);
    CHECK(!lines.next());
    CHECK(lines.line() == c.lines.back());
  }
}

TEST_CASE("lines: a line without its line end") {
  CHECK(without_line_end("a") == "a");
  CHECK(without_line_end("a\n") == "a");
  CHECK(without_line_end("a\r") == "a");
  CHECK(without_line_end("a\r\n") == "a");
  CHECK(without_line_end("\n") == "");
  CHECK(without_line_end("") == "");
}

TEST_CASE("lines: with only one kind of line end, the other is not searched for at each line") {
  for (const char end : {'\n', '\r'}) {
    CHECK(grows_linearly(500'000, [&](std::size_t size) {
      const std::string text(size, end);
      Lines lines(text);
      std::size_t count = 1;
      while (lines.next()) ++count;
      CHECK(count == text.size() + 1);
    }));
  }
}

}  // namespace
}  // namespace symbols::lsp
