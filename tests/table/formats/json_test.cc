#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "table/formats/format.h"
#include "tests/table/error_of.h"
#include "tests/table/made_row.h"

namespace symbols::table {
namespace json_test {

using namespace std::string_literals;

const std::string ranges =
    R"("range":{"start":{"line":1,"character":2},"end":{"line":3,"character":4}},)"
    R"("selectionRange":{"start":{"line":1,"character":6},"end":{"line":1,"character":9}})";
const std::string leaf_end = ranges + R"(,"children":[]})";

const View with_hovers{fields_of(Verbosity::full)};
const View without_hovers{fields_of(Verbosity::standard)};

TEST_CASE("json: the members of one symbol") {
  struct Case {
    const char* what;
    lsp::DocumentSymbol symbol;
    std::string hover;
    bool hover_as_detail;
    std::string json;
  };
  const lsp::DocumentSymbol plain = symbol("f", 5, {{1, 2}, {3, 4}}, {{1, 6}, {1, 9}});
  lsp::DocumentSymbol full = plain;
  full.detail = "(x) int";
  full.tags = {1, 2};
  full.deprecated = true;
  lsp::DocumentSymbol flat = plain;
  flat.container_name = "elsewhere";
  lsp::DocumentSymbol odd = plain;
  odd.kind = -255;
  odd.range = {{4294967295, 0}, {0, 4294967295}};
  const std::vector<Case> cases{
      {"no more than it needs", plain, "", false, R"([{"name":"f","kind":5,)" + leaf_end + "]"},
      {"all of them", full, "", false,
       R"([{"name":"f","detail":"(x) int","kind":5,"tags":[1,2],"deprecated":true,)" + leaf_end + "]"},
      {"a hover that was not asked for", full, "hover", false,
       R"([{"name":"f","detail":"(x) int","kind":5,"tags":[1,2],"deprecated":true,)" + leaf_end + "]"},
      {"a hover in place of the detail", full, "hover", true,
       R"([{"name":"f","detail":"hover","kind":5,"tags":[1,2],"deprecated":true,)" + leaf_end + "]"},
      {"no hover: the detail stays", full, "", true,
       R"([{"name":"f","detail":"(x) int","kind":5,"tags":[1,2],"deprecated":true,)" + leaf_end + "]"},
      {"a hover where there was no detail", plain, "hover", true,
       R"([{"name":"f","detail":"hover","kind":5,)" + leaf_end + "]"},
      {"an unresolved container is left out", flat, "", true, R"([{"name":"f","kind":5,)" + leaf_end + "]"},
      {"numbers at their ends", odd, "", false,
       R"([{"name":"f","kind":-255,"range":{"start":{"line":4294967295,"character":0},)"
       R"("end":{"line":0,"character":4294967295}},)"
       R"("selectionRange":{"start":{"line":1,"character":6},"end":{"line":1,"character":9}},"children":[]}])"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.what);
    CHECK(write_json(made_rows({{c.symbol}}, {c.hover}), c.hover_as_detail ? with_hovers : without_hovers) ==
          c.json);
  }
}

TEST_CASE("json: no symbols, and what else is read") {
  CHECK(write_json({}, with_hovers) == "[]");
  const std::vector<std::string> empty{"[]", "null", " [ ] \n", "\tnull"};
  for (const std::string& text : empty) {
    CAPTURE(text);
    const Result<SymbolRows> rows = read_json(text);
    REQUIRE(error_of(rows) == "");
    CHECK(rows->all.empty());
    CHECK_FALSE(rows->with_hover);
  }
}

TEST_CASE("json: errors say line and column") {
  const std::string at = "cannot read the symbols as JSON at line ";
  struct Case {
    std::string text;
    std::string error;
  };
  const std::vector<Case> cases{
      {"", at + "1, column 1: The document is empty"},
      {" \n\n  ", at + "3, column 3: The document is empty"},
      {"[\n  {\"name\": \"f\",\n   \"kind\" 12}\n]",
       at + "3, column 11: Missing a colon after a name of object member"},
      {"[{\"name\":\"é😀\",\"kind\":}]", at + "1, column 22: Invalid value"},
      {"[{\n\"name\": 3}]", at + "2, column 9: a number where another type is expected"},
      {"[{\"name\":\"f\"}]", at + "1, column 13: a symbol without 'kind'"},
      {"[]\n [", at + "2, column 2: expected the end"},
      {"nullnull", at + "1, column 5: expected the end"},
      {"{\"success\":true}", at + "1, column 1: an object where another type is expected"},
      {"[", at + "1, column 2: Invalid value"},
  };
  for (const Case& c : cases) CHECK(error_of(read_json(c.text)) == c.error);
}

const std::string two_symbols =
    R"([{"name":"C","kind":5,"range":{"start":{"line":0,"character":0},"end":{"line":3,"character":1}},)"
    R"("selectionRange":{"start":{"line":0,"character":6},"end":{"line":0,"character":7}},"children":[)"
    R"({"name":"m","kind":6,"range":{"start":{"line":1,"character":2},"end":{"line":1,"character":9}},)"
    R"("selectionRange":{"start":{"line":1,"character":2},"end":{"line":1,"character":3}}}]}])";

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
  for (const Case& c : cases) CHECK(error_of(read_raw_reply(c.symbols, c.hovers)) == c.error);
}

const std::string range = R"("start_line":1,"start_character":0,"end_line":9,"end_character":1)";

// A row as the format has it, with `more` members behind it.
std::string line(const std::string& name, const std::string& parent, const std::string& more = {}) {
  return R"({"name":")" + name + R"(","kind":"Class",)" + range + R"(,"parent":)" + parent + more + "}";
}

TEST_CASE("ndjson: errors say line, column and what was expected") {
  struct Case {
    std::string text;
    std::string error;
  };
  const std::vector<Case> cases{
      {"[]", "line 1, column 1: expected a JSON object"},
      {R"({"name":"a")", "line 1, column 12: expected the rest of a JSON object"},
      {line("a", "null") + " 1", "expected the end of the line"},
      {R"({"name":1})", "line 1, column 1: expected the member name, a string"},
      {R"({"name":"a","kind":"Clas"})",
       "line 1, column 1: expected the member kind, a word of LSP or a number"},
      {R"({"name":"a","kind":5,"start_line":1})", "expected start_line, start_character, end_line and"},
      {line("a", "null", R"(,"selection_start_line":1)"), "expected the four members selection_…, numbers"},
      {line("a", "null", R"(,"tags":["x"])"), "expected numbers in tags"},
      {line("a", "null") + "\n" + line("b", "1"),
       "line 2, column 1: expected the member parent, null or the number of the row before or of one "
       "around "},
      {line("a", "null") + "\n" + line("b", "0", R"(,"container":"C")"),
       "line 2, column 1: a row within another has no container besides it"},
      {line("a", "\"x\""), "expected the member parent, null or the number of the row before"},
      {line("a", "null", R"(,"path":"x")") + "\n" + line("b", "null", R"(,"path":"y")"),
       "rows of a second file"},
      {R"({"error":"no server"})", "this file was not answered: no server"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    const Result<SymbolRows> rows = read_ndjson(c.text);
    REQUIRE(rows.has_error());
    CHECK_MESSAGE(rows.error().message.find(c.error) != std::string::npos, rows.error().message);
  }
}

}  // namespace json_test
}  // namespace symbols::table
