#include "proxy/setup/marked_block.h"

#include <doctest/doctest.h>

namespace symbols::setup {
namespace {

constexpr std::string_view begin =
    "# >>> symbols (written by symbols setup; it replaces all up to the next mark)\n";

std::string marked(std::string_view text, std::string_view lines = "x = 1\n") {
  const Result<std::string> result = with_marked_block(text, "#", lines);
  return result ? *result : "error: " + result.error().message;
}

TEST_CASE("our lines are between marks, and are replaced there") {
  const std::string block = std::string(begin) + "x = 1\n# <<< symbols\n";
  CHECK(marked("") == block);
  CHECK(marked("a = 1\n") == "a = 1\n\n" + block);
  CHECK(marked("a = 1") == "a = 1\n\n" + block);
  CHECK(marked(block) == block);
  CHECK(marked("a\n" + block + "b\n", "y\n") == "a\n" + std::string(begin) + "y\n# <<< symbols\nb\n");
  CHECK(marked("a\n# >>> symbols\nold\n# <<< symbols") == "a\n" + block);
  // A file's own line ends.
  CHECK(marked("a\r\n").ends_with("x = 1\r\n# <<< symbols\r\n"));
  // Other words that begin like a mark are not one.
  CHECK(marked("# >>> symbolset\n").ends_with("\n\n" + block));
  for (const char* const users : {"a\r\n", "a\r", "\r", "a\rb\r", "a\nb\r", "a\nb\r\nc"}) {
    CAPTURE(users);
    const std::string once = marked(users);
    CHECK(once.starts_with(users));
    CHECK(marked(once) == once);
  }
}

TEST_CASE("marks that are not one pair are refused") {
  for (const char* const text : {"# >>> symbols\n", "a\n# <<< symbols\n", "# <<< symbols\n# >>> symbols\n",
                                 "# >>> symbols\n# >>> symbols\n# <<< symbols\n",
                                 "# >>> symbols\n# <<< symbols\n# >>> symbols\n# <<< symbols\n"}) {
    CAPTURE(text);
    CHECK(marked(text) == "error: its marks \"# >>> symbols\" and \"# <<< symbols\" are not one pair");
  }
}

TEST_CASE("a TOML table that the file has already is refused") {
  const std::string lines = "[servers.c]\nx = 1\n";
  struct Case {
    std::string text;
    bool is_refused;
  };
  const Case cases[] = {
      {"[servers.c]\n", true},
      {"a = 1\n\t[ servers.c.config ]\n", true},
      {"servers.c.x = 1\n", true},
      {"[servers]\nc = { x = 2 }\n", true},
      {"servers = { c = {} }\n", true},
      {"[servers.d]\n# [servers.c]\n", false},
      {"# >>> symbols\n[servers.c]\n# <<< symbols\n", false},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    CHECK(marked(c.text, lines).starts_with("error: line ") == c.is_refused);
  }
}

}  // namespace
}  // namespace symbols::setup
