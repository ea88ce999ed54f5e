#include "proxy/servers/command_line_words.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace symbols::servers {
namespace {

using Words = std::vector<std::string>;

TEST_CASE("a command line is split by the shell's rules for quotes and no others") {
  struct Case {
    std::string_view text;
    Words words;
  };
  const Case cases[] = {
      {"a", {"a"}},
      {"  a \t b\nc ", {"a", "b", "c"}},
      {"a 'b c' \"d e\"", {"a", "b c", "d e"}},
      {"a'b'\"c\"d", {"abcd"}},
      {"a '' \"\"", {"a", "", ""}},
      {"'a \"b\" \\'", {"a \"b\" \\"}},
      {"\"a 'b' \\\" \\\\ \\n\"", {"a 'b' \" \\ \\n"}},
      {"a\\ b \\'c \\\\", {"a b", "'c", "\\"}},
      {"$HOME ~ *.c `x` a;b|c>d #e", {"$HOME", "~", "*.c", "`x`", "a;b|c>d", "#e"}},
      {"é 'ü ö'", {"é", "ü ö"}},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    const Result<Words> words = split_command_line(c.text);
    REQUIRE(words.has_value());
    CHECK(*words == c.words);
  }
}

TEST_CASE("a command line that cannot be split") {
  struct Case {
    std::string_view text, error;
  };
  const Case cases[] = {
      {"a 'b",
       "cannot read the command line a 'b: a ' is not closed; close it, or write \\' for the mark itself"},
      {"a \"b\\\"",
       "cannot read the command line a \"b\\\": a \" is not closed; close it, or write \\\" for the mark "
       "itself"},
      {"a \\",
       "cannot read the command line a \\: it ends in a backslash; write \\\\ for the backslash itself"},
      {"", "cannot read the command line '': it names no program; give a known server or a program"},
      {" \t", "cannot read the command line  \t: it names no program; give a known server or a program"},
      {"'' a", "cannot read the command line '' a: it names no program; give a known server or a program"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    CHECK(split_command_line(c.text).error().text() == c.error);
  }
}

}  // namespace
}  // namespace symbols::servers
