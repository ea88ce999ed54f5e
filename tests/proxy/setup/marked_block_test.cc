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

TEST_CASE("lines of ours stand between marks, and are replaced there") {
  const std::string block = std::string(begin) + "x = 1\n# <<< symbols\n";
  CHECK(marked("") == block);
  CHECK(marked("a = 1\n") == "a = 1\n\n" + block);
  CHECK(marked("a = 1") == "a = 1\n\n" + block);
  CHECK(marked(block) == block);
  CHECK(marked("a\n" + block + "b\n", "y\n") == "a\n" + std::string(begin) + "y\n# <<< symbols\nb\n");
  CHECK(marked("a\n# >>> symbols\nold\n# <<< symbols") == "a\n" + block);
  // A file's own line ends.
  const std::string windows = marked("a\r\n");
  CHECK(windows.ends_with("x = 1\r\n# <<< symbols\r\n"));
  CHECK(marked(windows) == windows);
  // Other words that begin like it are none.
  CHECK(marked("# >>> symbolset\n").ends_with("\n\n" + block));
}

// Found by the fuzz target setup: the first time wrote LF, which made the file's only line end a CR LF.
TEST_CASE("a file that ends in a carriage return gets the same lines again") {
  for (const char* const users : {"a\r", "\r", "a\rb\r", "a\nb\r"}) {
    CAPTURE(users);
    const std::string once = marked(users);
    CHECK(once.starts_with(users));
    CHECK(marked(once) == once);
  }
}

TEST_CASE("marks that are no pair are refused by their lines") {
  CHECK(marked("# >>> symbols\n") ==
        "error: line 1: a mark that begins our lines, and none after it that ends them");
  CHECK(marked("a\n# <<< symbols\n") ==
        "error: line 2: a mark that ends our lines, and none before it that begins them");
  CHECK(marked("# >>> symbols\n# >>> symbols\n# <<< symbols\n") ==
        "error: line 2: a second mark that begins our lines");
  CHECK(marked("# >>> symbols\n# <<< symbols\n# >>> symbols\n# <<< symbols\n") ==
        "error: line 3: a second mark that begins our lines");
}

TEST_CASE("the rest of a file without the block") {
  CHECK(*without_marked_block("a\n# >>> symbols\nold\n# <<< symbols\nb\n", "#") == "a\nb\n");
  CHECK(*without_marked_block("a\n", "#") == "a\n");
  CHECK(!without_marked_block("# <<< symbols\n", "#"));
}

}  // namespace
}  // namespace symbols::setup
