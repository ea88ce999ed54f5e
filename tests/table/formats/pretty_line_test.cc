// Lines for a terminal.
#include "table/formats/pretty_line.h"

#include <doctest/doctest.h>

#include <string>

namespace symbols::table {
namespace {

TEST_CASE("lines are broken at spaces, words are not") {
  struct Case {
    std::string text;
    std::size_t width;
    std::string wrapped;
  };
  const Case cases[] = {
      {"one two three", 0, "one two three"},
      {"one two three", 13, "one two three"},
      {"one two three", 12, "one two\n  three"},
      {"one two three", 7, "one two\n  three"},
      {"one two three", 5, "one\n  two\n  three"},
      {"one\ntwo three\nfour", 7, "one\ntwo\n  three\nfour"},
      {"a/long/path.ts: 1 22 333", 10, "a/long/path.ts:\n  1 22 333"},
      {"面積 面積 x", 7, "面積\n  面積\n  x"},
      {"", 3, ""},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    CAPTURE(c.width);
    std::string out = "kept as it is: ";
    const std::size_t start = out.size();
    out += c.text;
    wrap_lines(out, start, c.width);
    CHECK(out.substr(start) == c.wrapped);
  }
}

TEST_CASE("lines are cut, and a tab is as wide as a terminal has it") {
  struct Case {
    std::string line;
    std::size_t width;
    std::string cut;
  };
  const Case cases[] = {
      {"return x;", 0, "return x;"}, {"return x;", 9, "return x;"},
      {"return x;", 8, "return …"},  {" \tx", 9, " \tx"},
      {" \txy", 9, " \t…"},          {" \txy", 8, " …"},
      {"a\tb\tc", 17, "a\tb\tc"},    {"面積面積", 7, "面積面…"},
      {"面積面積", 6, "面積…"},      {"", 1, ""},
  };
  for (const Case& c : cases) {
    CAPTURE(c.line);
    CAPTURE(c.width);
    CHECK(cut_to_width(c.line, c.width) == c.cut);
  }
}

}  // namespace
}  // namespace symbols::table
