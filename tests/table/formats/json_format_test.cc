#include "table/formats/json_format.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/table/captures.h"
#include "tests/table/damaged_json.h"
#include "tests/table/error_of.h"
#include "tests/table/generated_rows.h"
#include "tests/table/made_row.h"

namespace symbols::table {
namespace {

using namespace std::string_literals;

const std::string ranges =
    R"("range":{"start":{"line":1,"character":2},"end":{"line":3,"character":4}},)"
    R"("selectionRange":{"start":{"line":1,"character":6},"end":{"line":1,"character":9}})";
const std::string leaf_end = ranges + R"(,"children":[]})";

lsp::DocumentSymbol symbol(std::string name, std::int32_t parent) {
  lsp::DocumentSymbol symbol;
  symbol.name = std::move(name);
  symbol.kind = 5;
  symbol.range = {{1, 2}, {3, 4}};
  symbol.selection_range = {{1, 6}, {1, 9}};
  symbol.parent = parent;
  return symbol;
}

const View with_hovers{fields_of(Verbosity::full)};
const View without_hovers{fields_of(Verbosity::standard)};

TEST_CASE("json: no symbols") {
  CHECK(write_json({}, with_hovers) == "[]");
}

TEST_CASE("json: the members of one symbol") {
  struct Case {
    const char* what;
    lsp::DocumentSymbol symbol;
    std::string hover;
    bool hover_as_detail;
    std::string json;
  };
  const lsp::DocumentSymbol plain = symbol("f", -1);
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

TEST_CASE("json: strings are pure ASCII") {
  struct Case {
    std::string name;
    std::string json;
  };
  const std::vector<Case> cases{
      {"", R"("")"},
      {"\"\\/", R"("\"\\/")"},
      {"a\n\r\tb", R"("a\n\r\tb")"},
      {"\0\x1f"s, R"("\u0000\u001f")"},
      {"é\u2028", R"("\u00e9\u2028")"},
      {"😀", R"("\ud83d\ude00")"},
      {"\xff\xc3", R"("\ufffd\ufffd")"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.json);
    CHECK(write_json(made_rows({{symbol(c.name, -1)}}), without_hovers) ==
          "[{\"name\":" + c.json + R"(,"kind":5,)" + leaf_end + "]");
  }
}

TEST_CASE("json: nesting") {
  const auto json_of = [](const std::vector<std::int32_t>& parents) {
    SymbolRows rows;
    for (const std::int32_t parent : parents) {
      rows.all.push_back({symbol(std::to_string(rows.all.size()), parent)});
    }
    // What is left when the members are taken out: {0[{1[]}]}
    std::string json = write_json(rows, without_hovers);
    const auto drop = [&](const std::string& text) {
      for (std::size_t at; (at = json.find(text)) != std::string::npos;) json.erase(at, text.size());
    };
    drop(ranges);
    drop(R"(,"children":)");
    drop(R"(","kind":5,)");
    drop(R"("name":")");
    return json;
  };
  struct Case {
    std::vector<std::int32_t> parents;
    std::string json;
  };
  const std::vector<Case> cases{
      {{-1}, "[{0[]}]"},
      {{-1, -1}, "[{0[]},{1[]}]"},
      {{-1, 0}, "[{0[{1[]}]}]"},
      {{-1, 0, 0}, "[{0[{1[]},{2[]}]}]"},
      {{-1, 0, 1, 2, -1}, "[{0[{1[{2[{3[]}]}]}]},{4[]}]"},
      {{-1, 0, 1, 0, -1, 4}, "[{0[{1[{2[]}]},{3[]}]},{4[{5[]}]}]"},
      {{-1, 0, 1, 2, 1}, "[{0[{1[{2[{3[]}]},{4[]}]}]}]"},
      // Not in pre-order, which SymbolTree rules out: still JSON.
      {{-1, 0, -1, 1}, "[{0[{1[]}]},{2[{3[]}]}]"},
  };
  for (const Case& c : cases) CHECK(json_of(c.parents) == c.json);
}

bool is_printable_ascii(const std::string& text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= 0x20 && c < 0x7F; });
}

TEST_CASE("json: every capture decodes to the tree it came from") {
  for (const Capture& capture : captures()) {
    CAPTURE(capture.name);
    const lsp::SymbolTree tree = load_tree(capture);
    const std::string json = write_json(made_rows(tree), without_hovers);
    CHECK(is_printable_ascii(json));
    const Result<SymbolRows> back = read_json(json);
    REQUIRE(error_of(back) == "");
    const bool same = *back == made_rows(tree);
    CHECK(same);
  }
}

TEST_CASE("json: hostile trees decode to themselves") {
  Dice dice(7);
  for (int i = 0; i < 10000; ++i) {
    SymbolRows rows = hostile_rows(dice);
    for (lsp::DocumentSymbol& one : rows.all) {
      one.container_name.clear();
      // LSP's numbers have 31 bits; what the decoder makes of others is its own matter.
      one.kind = std::clamp<std::int64_t>(one.kind, -2147483648, 2147483647);
    }
    const std::string json = write_json(rows, without_hovers);
    CAPTURE(json);
    REQUIRE(is_printable_ascii(json));
    const Result<SymbolRows> back = read_json(json);
    REQUIRE(error_of(back) == "");
    const bool same = tree_of(*back) == tree_of(rows);
    REQUIRE(same);
  }
}

TEST_CASE("json: 100,000 levels") {
  const SymbolRows rows = made_rows(chain(
      100000, [](std::size_t row) { return std::to_string(row); },
      [](std::size_t) {
        return lsp::Range{{1, 0}, {2, 0}};
      }));
  const std::string json = write_json(rows, without_hovers);
  const Result<SymbolRows> back = read_json(json);
  REQUIRE(error_of(back) == "");
  const bool same = back->all == rows.all;
  CHECK(same);
}

TEST_CASE("json: a view that shows the hover has it in detail") {
  lsp::DocumentSymbol one = symbol("f", -1);
  one.detail = "own";
  const SymbolRows rows = made_rows({{one}}, {"hover"});
  const auto detail = [&rows](const View& view) {
    return read_json(write_json(rows, view))->all.front().detail;
  };
  CHECK(detail({fields_of(Verbosity::full), true}) == "hover");
  CHECK(detail({fields_of(Verbosity::standard)}) == "own");
  CHECK(detail({{Field::hover}}) == "hover");
}

TEST_CASE("json: what else is read") {
  const std::vector<std::string> empty{"[]", "null", " [ ] \n", "\tnull"};
  for (const std::string& text : empty) {
    CAPTURE(text);
    const Result<SymbolRows> rows = read_json(text);
    REQUIRE(error_of(rows) == "");
    CHECK(rows->all.empty());
    CHECK_FALSE(rows->with_hover);
  }
  for (const Capture& capture : captures(".flat.json")) {
    CAPTURE(capture.name);
    const Result<SymbolRows> rows = read_json(read_file(capture.path));
    REQUIRE(error_of(rows) == "");
    const bool same = tree_of(*rows) == load_tree(capture);
    CHECK(same);
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
  for (const Case& c : cases) {
    CAPTURE(c.text);
    CHECK(error_of(read_json(c.text)) == c.error);
  }
}

TEST_CASE("json: any damaged text gives an error with its place or rows that read back") {
  Dice dice(17);
  std::size_t read = 0;
  std::size_t refused = 0;
  for (int i = 0; i < 5000; ++i) {
    CAPTURE(i);
    std::string text = write_json(hostile_rows(dice), without_hovers);
    if (text.size() > 10000) continue;
    damage_json(dice, text);
    CAPTURE(text);
    const Result<SymbolRows> rows = read_json(text);
    if (!rows) {
      ++refused;
      REQUIRE(rows.error().message.starts_with("cannot read the symbols as JSON at line "));
      continue;
    }
    ++read;
    const Result<SymbolRows> again = read_json(write_json(*rows, without_hovers));
    REQUIRE(error_of(again) == "");
  }
  CHECK(read > 200);
  CHECK(refused > 1000);
}

}  // namespace
}  // namespace symbols::table
