// Words of the command line: FILE:LINE[:COLUMN], and names that are nearly right.
#include "proxy/options/option_value.h"

#include <doctest/doctest.h>

#include <set>
#include <string>

namespace option_value_test {
using namespace symbols;
using namespace symbols::options;

TEST_CASE("places in files") {
  struct Case {
    const char* word;
    std::set<std::string> files;
    const char* told;  // "file line column", or "error: …"
  };
  const Case cases[] = {
      {"a.ts:12", {"a.ts"}, "a.ts 12"},
      {"a.ts:12:3", {"a.ts"}, "a.ts 12 3"},
      {"a.ts:12:3", {"a.ts:12"}, "a.ts:12 3"},
      {"a.ts:12:3", {"a.ts", "a.ts:12"}, "a.ts:12 3"},
      {"a.ts:12:3", {}, "a.ts 12 3"},  // that it is missing is said where it is read
      {"a.ts:12", {"a.ts", "a.ts:12"}, "a.ts 12"},
      {"a.ts:1:2:3", {"a.ts:1"}, "a.ts:1 2 3"},
      {"-:7", {}, "- 7"},
      {"-:7:2", {}, "- 7 2"},
      {"a.ts:12", {"a.ts:12"}, "error: \"a.ts:12\" does not say which symbol"},
      {"a.ts", {"a.ts"}, "error: \"a.ts\" does not say which symbol"},
      {"a.ts:", {"a.ts"}, "error: \"a.ts:\" does not say which symbol"},
      {"a.ts:x", {"a.ts"}, "error: \"a.ts:x\" does not say which symbol"},
      {":12", {}, "error: \":12\" does not say which symbol"},
      {"a.ts:0", {"a.ts"}, "error: \"0\" is not a line"},
      {"a.ts:3:0", {"a.ts"}, "error: \"0\" is not a column"},
      {"a.ts:99999999999", {"a.ts"}, "error: \"99999999999\" is not a line"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.word);
    const Result<SourcePlace> place =
        read_source_place(c.word, [&c](const std::string& name) { return c.files.contains(name); });
    std::string told =
        place ? place->file + ' ' + std::to_string(place->line) : "error: " + place.error().message;
    if (place && place->column) told += ' ' + std::to_string(*place->column);
    CHECK(told == c.told);
  }
}

TEST_CASE("the name that was most likely meant") {
  const std::vector<std::string> names = {"nvim", "vim", "emacs", "claude-code", "copilot-cli"};
  const std::pair<const char*, const char*> cases[] = {{"nvm", "nvim"},
                                                       {"neovim", "nvim"},
                                                       {"emcas", "emacs"},
                                                       {"claude", "claude-code"},
                                                       {"copilot", "copilot-cli"},
                                                       {"Emacs", "emacs"},
                                                       {"x", ""},
                                                       {"", ""},
                                                       {"something", ""},
                                                       {"vi", "vim"}};
  for (const auto& [typed, nearest] : cases) {
    CAPTURE(typed);
    CHECK(nearest_name(typed, names) == nearest);
  }
  CHECK(nearest_name(std::string(100000, 'v'), names).empty());
}

}  // namespace option_value_test
