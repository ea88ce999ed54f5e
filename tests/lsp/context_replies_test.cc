// The replies that make up the context of a symbol: references, calls, diagnostics; and which symbol is
// meant.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "lsp/diagnostic.h"
#include "lsp/json/json_elements.h"
#include "lsp/symbol_places.h"
#include "lsp/symbol_search.h"

using namespace symbols;
using namespace symbols::lsp;

namespace {

const std::string range_1 = R"({"start":{"line":1,"character":2},"end":{"line":1,"character":5}})";
const std::string range_2 = R"({"start":{"line":7,"character":0},"end":{"line":9,"character":1}})";

std::string location(const std::string& uri, const std::string& range) {
  return R"({"uri":")" + uri + R"(","range":)" + range + '}';
}

}  // namespace

TEST_CASE("elements of an array") {
  struct Case {
    const char* array;
    std::vector<std::string> elements;
    bool whole = true;
  };
  const Case cases[] = {
      {"[]", {}},
      {" [ ] tail", {}},
      {R"([1, "a,]" ,{"b":[2,3]},[4] ]} more)", {"1", "\"a,]\"", R"({"b":[2,3]})", "[4]"}},
      {"[null]", {"null"}},
      {"", {}, false},
      {"{}", {}, false},
      {"[", {}, false},
      {"[1", {"1"}, false},
      {"[1,", {"1"}, false},
      {"[1,]", {"1"}, false},
      {"[,1]", {}, false},
      {"[1 2]", {"1"}, false},
      {R"(["a)", {}, false},
  };
  for (const Case& c : cases) {
    CAPTURE(c.array);
    std::vector<std::string> seen;
    const auto count =
        for_each_element(c.array, [&](std::string_view element) { seen.emplace_back(element); });
    CHECK(seen == c.elements);
    CHECK(count.has_value() == c.whole);
    if (count) CHECK(*count == c.elements.size());
  }
}

TEST_CASE("locations are decoded up to a limit and counted beyond it") {
  const std::string list = '[' + location("file:///a", range_1) + ',' +
                           location("file:///b\\u00e9", range_2) + R"(,{"not":"looked at"}] and more)";
  const Result<LocationList> two = decode_locations(list, 2);
  REQUIRE(two.has_value());
  CHECK(two->total == 3);
  REQUIRE(two->first.size() == 2);
  CHECK(two->first[0] == Location{"file:///a", {{1, 2}, {1, 5}}});
  CHECK(two->first[1] == Location{"file:///b\xC3\xA9", {{7, 0}, {9, 1}}});
  CHECK(decode_locations("null", 5)->total == 0);
  CHECK(decode_locations("[]", 5)->total == 0);
  for (const std::string wrong :
       {R"({"uri":"a"})", R"([{"uri":"a"}])", R"([1])", "[", R"("text")", R"([{"uri":5,"range":{}}])"}) {
    CAPTURE(wrong);
    CHECK(!decode_locations(wrong, 5).has_value());
  }
}

TEST_CASE("the item of a call hierarchy is sent back unchanged") {
  const std::string item = R"({"name":"f","data":[1.0, "\u00e9"]})";
  CHECK(prepared_call_hierarchy_item('[' + item + R"(,{"name":"g"}]})").value() == item);
  CHECK(!prepared_call_hierarchy_item("null").value().has_value());
  CHECK(!prepared_call_hierarchy_item("[]").value().has_value());
  for (const char* wrong : {"{}", "5", "[5]", "[", ""}) {
    CAPTURE(wrong);
    CHECK(!prepared_call_hierarchy_item(wrong).has_value());
  }
}

TEST_CASE("incoming calls") {
  const std::string call = R"({"from":{"name":"main","kind":12,"uri":"file:///a","range":)" + range_2 +
                           R"(,"selectionRange":)" + range_1 + R"(},"fromRanges":[)" + range_2 + ',' +
                           range_1 + "]}";
  const Result<IncomingCallList> calls = decode_incoming_calls('[' + call + ',' + call + ']', 1);
  REQUIRE(calls.has_value());
  CHECK(calls->total == 2);
  REQUIRE(calls->first.size() == 1);
  CHECK(calls->first[0] == IncomingCall{.name = "main",
                                        .kind = 12,
                                        .uri = "file:///a",
                                        .selection_range = {{1, 2}, {1, 5}},
                                        .from_ranges = {{{7, 0}, {9, 1}}, {{1, 2}, {1, 5}}}});
  CHECK(decode_incoming_calls("null", 5)->total == 0);
  for (const char* wrong : {"{}", "[{}]", R"([{"from":{"name":"f"}}])", R"([{"from":5}])", "["}) {
    CAPTURE(wrong);
    CHECK(!decode_incoming_calls(wrong, 5).has_value());
  }
}

TEST_CASE("diagnostics, published and reported") {
  const std::string one = R"({"range":)" + range_1 + R"(,"message":"m"})";
  const std::string other =
      R"({"range":)" + range_2 +
      R"(,"severity":2,"code":2304,"source":"ts","message":{"kind":"markdown","value":"x"}})";
  const Result<DiagnosticList> list = decode_diagnostics('[' + one + ',' + other + ']');
  REQUIRE(list.has_value());
  CHECK(list->total == 2);
  CHECK(list->first[0] == Diagnostic{.range = {{1, 2}, {1, 5}}, .code = "", .source = "", .message = "m"});
  CHECK(list->first[1] == Diagnostic{.range = {{7, 0}, {9, 1}},
                                     .severity = 2,
                                     .code = "2304",
                                     .code_is_number = true,
                                     .source = "ts",
                                     .message = "x"});
  CHECK(decode_diagnostic_report(R"({"kind":"full","items":[)" + one + "]}")->total == 1);
  CHECK(!decode_diagnostic_report(R"({"kind":"unchanged","resultId":"1"})").has_value());
  for (const char* wrong : {"null", "[{}]", R"([{"message":"no range"}])", "["}) {
    CAPTURE(wrong);
    CHECK(!decode_diagnostics(wrong).has_value());
  }
}

TEST_CASE("the symbol that a position or a name means") {
  const auto symbol = [](const char* name, Range range, Range selection, std::int32_t parent) {
    DocumentSymbol made;
    made.name = name;
    made.range = range;
    made.selection_range = selection;
    made.parent = parent;
    return made;
  };
  SymbolTree tree;
  tree.symbols = {symbol("outer", {{0, 0}, {9, 0}}, {{0, 6}, {0, 11}}, -1),
                  symbol("f", {{1, 0}, {3, 1}}, {{1, 4}, {1, 5}}, 0),
                  symbol("f", {{4, 0}, {6, 1}}, {{4, 4}, {4, 5}}, 0)};
  CHECK(symbol_at(tree, {0, 8}) == &tree.symbols[0]);
  CHECK(symbol_at(tree, {1, 5}) == &tree.symbols[1]);
  CHECK(symbol_at(tree, {2, 0}) == nullptr);
  CHECK(innermost_around(tree, {2, 0}) == &tree.symbols[1]);
  CHECK(innermost_around(tree, {8, 0}) == &tree.symbols[0]);
  CHECK(innermost_around(tree, {10, 0}) == nullptr);
  CHECK(symbols_named(tree, "f").found == std::vector<const DocumentSymbol*>{&tree.symbols[1]});
  CHECK(symbols_named(tree, "F").found.empty());
}

TEST_CASE("which symbol is meant by a line") {
  const auto symbol = [](const char* name, Range range, Position selection, std::int32_t parent) {
    DocumentSymbol made;
    made.name = name;
    made.range = range;
    made.selection_range = {selection, selection};
    made.parent = parent;
    return made;
  };
  SymbolTree tree;
  tree.symbols = {symbol("outer", {{0, 0}, {9, 1}}, {0, 10}, -1),  // namespace outer { class C {
                  symbol("C", {{0, 18}, {8, 1}}, {0, 24}, 0),
                  symbol("E", {{2, 0}, {2, 20}}, {2, 5}, 1),  // enum E { a, b };
                  symbol("a", {{2, 9}, {2, 10}}, {2, 9}, 2),
                  symbol("x", {{3, 0}, {3, 5}}, {3, 4}, 1),  // int x, y;
                  symbol("y", {{3, 7}, {3, 8}}, {3, 7}, 1),
                  symbol("f", {{4, 0}, {6, 1}}, {5, 4}, 1)};  // its type on the line before
  const char* const meant[] = {"C", nullptr, "E", "x", nullptr, "f", nullptr};
  for (std::uint32_t line = 0; line < std::size(meant); ++line) {
    CAPTURE(line);
    const DocumentSymbol* found = symbol_on_line(tree, line);
    CHECK((found == nullptr ? "" : found->name) == (meant[line] == nullptr ? "" : meant[line]));
  }
}
