// Whether a heading's count is of all there are.
#include "proxy/query/completeness.h"

#include <doctest/doctest.h>

#include <string>

namespace symbols::query {
namespace {

TEST_CASE("the word of completeness before anything is found") {
  struct Case {
    SearchScope scope;
    std::optional<Loading> loading;
    std::string word;
  };
  const SearchScope open{.open_files_only = true, .part_of_project = "/p/core"};
  const SearchScope part{.part_of_project = "/p/core"};
  const Case cases[] = {
      {{}, {}, "loaded files only"},
      {part, {}, "in core only"},
      {open, {}, "open files only"},
      {open, Loading{.percentage = 82, .text = "indexing"}, "open files only"},
      {{}, Loading{.percentage = 82, .text = "indexing: 37/104"}, "index 82 %"},
      {{}, Loading{.percentage = 0, .text = "Indexing"}, "index 0 %"},
      {{}, Loading{.percentage = 7, .text = "Fetching"}, "loading 7 %"},
      {{}, Loading{.text = "finding the project's files"}, "still loading: finding the project's files"},
      {{}, Loading{}, "still loading"},
      {part, Loading{.percentage = 82, .text = "indexing"}, "index 82 %, in core only"},
      {{}, Loading{.text = "a | b\n# callers 7"}, "still loading: a \\| b\\n# callers 7"},
      {{.part_of_project = "/p/a|b"}, {}, "in a\\|b only"},
      {{.part_of_project = "/p"}, {}, "in this folder only"},
      {{.part_of_project = "/elsewhere/far"}, {}, "in /elsewhere/far only"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.word);
    CHECK(completeness(c.scope, c.loading, "/p") == c.word);
  }
  CHECK(completeness(part, {}, {}) == "in /p/core only");
}

}  // namespace
}  // namespace symbols::query
