#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "table/formats/json_format.h"
#include "tests/table/captures.h"
#include "tests/table/damaged_json.h"
#include "tests/table/error_of.h"
#include "tests/table/made_row.h"

namespace symbols::table {
namespace {

const std::string two_symbols =
    R"([{"name":"C","kind":5,"range":{"start":{"line":0,"character":0},"end":{"line":3,"character":1}},)"
    R"("selectionRange":{"start":{"line":0,"character":6},"end":{"line":0,"character":7}},"children":[)"
    R"({"name":"m","kind":6,"range":{"start":{"line":1,"character":2},"end":{"line":1,"character":9}},)"
    R"("selectionRange":{"start":{"line":1,"character":2},"end":{"line":1,"character":3}}}]}])";

TEST_CASE("raw reply: without hovers") {
  const Result<SymbolRows> rows = read_raw_reply(two_symbols, {});
  REQUIRE(error_of(rows) == "");
  CHECK(rows->all.size() == 2);
  CHECK_FALSE(rows->with_hover);
}

TEST_CASE("raw reply: hovers are flattened and cut, and kept whole in two parts") {
  const Result<SymbolRows> rows = read_raw_reply(
      two_symbols,
      R"( [null, {"contents":[{"language":"ts","value":"m(): void"},"Does it. **Well**."],"range":null} ] )",
      14);
  REQUIRE(error_of(rows) == "");
  CHECK(rows->with_hover);
  CHECK(hovers_of(*rows) == std::vector<std::string>{"", "m(): void - D…"});
  CHECK(rows->all[0].hover_parts == HoverText{});
  CHECK(rows->all[1].hover_parts == HoverText{"m(): void", "Does it. Well."});
}

TEST_CASE("raw reply: errors") {
  const std::string at = "cannot read the hovers at line ";
  struct Case {
    std::string symbols;
    std::string hovers;
    std::string error;
  };
  const std::vector<Case> cases{
      {"[", "[]", "cannot read the symbols as JSON at line 1, column 2: Invalid value"},
      {two_symbols, "[null]",
       "1 hovers for 2 symbols; give one for each symbol in pre-order, and null for no hover"},
      {"[]", "[null]",
       "1 hovers for 0 symbols; give one for each symbol in pre-order, and null for no hover"},
      {two_symbols, "", at + "1, column 1: The document is empty"},
      {two_symbols, "[null,\n nul]", at + "2, column 5: Invalid value"},
      {two_symbols, "[null,null", at + "1, column 11: Missing a comma or ']' after an array element"},
      {two_symbols, "\n {\"result\":[]}",
       at + "2, column 2: expected an array of the results of hover requests"},
      {two_symbols, "[null,\n  \"text\"]",
       at + "2, column 3: the hover reply is not of a shape that LSP knows: not an object"},
      {two_symbols, "[{\"contents\":7},null]",
       at + "1, column 2: the hover reply is not of a shape that LSP knows: 'contents' is not text"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.hovers);
    CHECK(error_of(read_raw_reply(c.symbols, c.hovers)) == c.error);
  }
}

TEST_CASE("raw reply: damaged hovers give an error with its place, or one hover a row") {
  const std::string hovers = R"([{"contents":{"kind":"markdown","value":"```ts\nm(): void\n```\nDoes it."},)"
                             R"("range":{"start":{"line":0,"character":1},"end":{"line":0,"character":2}}},)"
                             R"({"contents":["text",{"language":"ts","value":"x"}]}])";
  Dice dice(18);
  std::size_t read = 0;
  std::size_t refused = 0;
  for (int i = 0; i < 5000; ++i) {
    std::string text = hovers;
    damage_json(dice, text);
    CAPTURE(text);
    const Result<SymbolRows> rows = read_raw_reply(two_symbols, text);
    if (rows) {
      ++read;
      REQUIRE(rows->size() == 2);
      continue;
    }
    ++refused;
    const std::string& message = rows.error().message;
    REQUIRE((message.starts_with("cannot read the hovers at line ") || message.starts_with("there are ")));
  }
  CHECK(read > 500);
  CHECK(refused > 500);
}

TEST_CASE("raw reply: every capture that has its hovers") {
  std::size_t with_hovers = 0;
  for (const Capture& capture : captures()) {
    CAPTURE(capture.name);
    const std::filesystem::path hovers =
        capture.path.parent_path() /
        (std::filesystem::path(capture.name).filename().string() + ".hovers.json");
    if (!std::filesystem::exists(hovers)) continue;
    ++with_hovers;
    const Result<SymbolRows> rows = read_raw_reply(read_file(capture.path), read_file(hovers));
    REQUIRE(error_of(rows) == "");
    const bool same = tree_of(*rows) == load_tree(capture);
    CHECK(same);
    std::size_t said = 0;
    for (const Row& row : rows->all) {
      CHECK(row.hover == join_hover(row.hover_parts, default_hover_characters));
      if (!row.hover.empty()) ++said;
    }
    CHECK(said * 2 > rows->size());
  }
  CHECK(with_hovers >= 10);
}

}  // namespace
}  // namespace symbols::table
