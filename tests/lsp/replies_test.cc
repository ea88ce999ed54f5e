#include "lsp/replies.h"

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

namespace replies_test {
using namespace symbols;
using namespace symbols::lsp;
using Form = HoverPart::Form;

const std::string range_1 = R"({"start":{"line":1,"character":2},"end":{"line":1,"character":5}})";
const std::string range_2 = R"({"start":{"line":7,"character":0},"end":{"line":9,"character":1}})";

std::string location(const std::string& uri, const std::string& range) {
  return R"({"uri":")" + uri + R"(","range":)" + range + '}';
}

TEST_CASE("every shape of hover that LSP knows decodes") {
  const std::pair<const char*, std::vector<HoverPart>> cases[] = {
      {"null", {}},
      {R"({"contents":{"kind":"markdown","value":"**a**"}})", {{Form::markdown, "**a**"}}},
      {R"({"contents":{"value":"a","kind":"plaintext"}})", {{Form::plaintext, "a"}}},
      {R"({"contents":{"kind":"future","value":"a"}})", {{Form::markdown, "a"}}},
      {R"({"contents":"bare"})", {{Form::markdown, "bare"}}},
      {R"({"contents":{"language":"ts","value":"let a"}})", {{Form::code, "let a"}}},
      {R"({"contents":[{"language":"css","value":"a{}"},"text",{"kind":"markdown","value":"x"}]})",
       {{Form::code, "a{}"}, {Form::markdown, "text"}, {Form::markdown, "x"}}},
      {R"({"contents":[]})", {}},
      {R"({"contents":""})", {}},
      {R"({"contents":null})", {}},
      {R"({})", {}},
      {R"({"contents":"cut \ud83d"})", {{Form::markdown, "cut \xEF\xBF\xBD"}}},
      {R"({"contents":"a"},"id":5})", {{Form::markdown, "a"}}},
  };
  for (const auto& [json, parts] : cases) {
    CAPTURE(json);
    const Result<Hover> hover = decode_hover(json);
    REQUIRE(hover.has_value());
    CHECK((hover->parts == parts));
  }
}

TEST_CASE("a hover's range is kept, an odd one left out") {
  CHECK(decode_hover(
            R"({"contents":"a","range":{"start":{"line":1,"character":2},"end":{"line":1,"character":5}}})")
            ->range == Range{{1, 2}, {1, 5}});
  CHECK(!decode_hover(
             R"({"contents":"a","range":{"start":{"line":-1,"character":2},"end":{"line":1,"character":5}}})")
             ->range);
}

TEST_CASE("other shapes are errors") {
  for (const char* json : {"5", "[]", R"({"contents":5})", R"({"contents":[5]})",
                           R"({"contents":{"kind":"markdown"}})", R"({"contents":)", ""}) {
    CAPTURE(json);
    CHECK(decode_hover(json).has_error());
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
  const std::string link =
      R"({"targetUri":"file:///a","targetRange":)" + range_2 + R"(,"targetSelectionRange":)" + range_1 + '}';
  CHECK(decode_locations('[' + link + ']', 5)->first == std::vector{two->first[0]});
  CHECK(decode_locations(location("file:///a", range_1) + ',', 5)->first == std::vector{two->first[0]});
  for (const std::string wrong :
       {R"({"uri":"a"})", R"([{"uri":"a"}])", R"([1])", "[", R"("text")", R"([{"uri":5,"range":{}}])"}) {
    CAPTURE(wrong);
    CHECK(!decode_locations(wrong, 5).has_value());
  }
}

TEST_CASE("the item of a hierarchy is sent back unchanged") {
  const std::string item = R"({"name":"f","data":[1.0, "\u00e9"]})";
  CHECK(prepared_hierarchy_item('[' + item + R"(,{"name":"g"}]})").value() == item);
  CHECK(!prepared_hierarchy_item("null").value().has_value());
  CHECK(!prepared_hierarchy_item("[]").value().has_value());
  for (const char* wrong : {"{}", "5", "[5]", "[", ""}) {
    CAPTURE(wrong);
    CHECK(!prepared_hierarchy_item(wrong).has_value());
  }
}

TEST_CASE("calls, and types above and below") {
  const std::string call = R"({"from":{"name":"main","kind":12,"uri":"file:///a","range":)" + range_2 +
                           R"(,"selectionRange":)" + range_1 + R"(},"fromRanges":[)" + range_2 + ',' +
                           range_1 + "]}";
  const Result<HierarchyList> calls = decode_hierarchy('[' + call + ',' + call + ']', 1);
  REQUIRE(calls.has_value());
  CHECK(calls->total == 2);
  REQUIRE(calls->first.size() == 1);
  CHECK(calls->first[0] == HierarchyItem{.name = "main",
                                         .kind = 12,
                                         .uri = "file:///a",
                                         .selection_range = {{1, 2}, {1, 5}},
                                         .from_ranges = {{{7, 0}, {9, 1}}, {{1, 2}, {1, 5}}}});
  const std::string type = R"({"name":"Shape","kind":5,"uri":"file:///a","selectionRange":)" + range_1 + '}';
  const Result<HierarchyList> types = decode_hierarchy('[' + type + ']', 5);
  REQUIRE(types.has_value());
  CHECK(types->first[0] == HierarchyItem{.name = "Shape",
                                         .kind = 5,
                                         .uri = "file:///a",
                                         .selection_range = {{1, 2}, {1, 5}},
                                         .from_ranges = {}});
  CHECK(decode_hierarchy("null", 5)->total == 0);
  for (const char* wrong : {"{}", "[{}]", R"([{"from":{"name":"f"}}])", R"([{"from":5}])", "["}) {
    CAPTURE(wrong);
    CHECK(!decode_hierarchy(wrong, 5).has_value());
  }
}

TEST_CASE("edits of documents") {
  const std::string edit = R"([{"range":)" + range_1 + R"(,"newText":"n"}])";
  const std::vector<TextEdit> edits = {{{{1, 2}, {1, 5}}, "n"}};
  for (const std::string& json :
       {R"({"changes":{"file:///a":)" + edit + "}}",
        R"({"documentChanges":[{"textDocument":{"uri":"file:///a","version":null},"edits":)" + edit + "}]}",
        R"({"documentChanges":[],"changes":{"file:///a":)" + edit + "}}"}) {
    CAPTURE(json);
    const Result<std::vector<DocumentEdits>> read = decode_workspace_edit(json);
    REQUIRE(read.has_value());
    REQUIRE(read->size() == 1);
    CHECK(read->front().uri == "file:///a");
    CHECK(read->front().edits == edits);
  }
  for (const char* none : {"null", "{}", R"({"changes":null})", R"({"changes":{}})"})
    CHECK(decode_workspace_edit(none)->empty());
  for (const char* wrong : {"[]", R"({"changes":[]})", R"({"documentChanges":{}})", R"({"changes":{"a":5}})",
                            R"({"changes":{"a":[{}]}})", R"({"documentChanges":[{"edits":[]}]})", "{"}) {
    CAPTURE(wrong);
    CHECK(!decode_workspace_edit(wrong).has_value());
  }
  CHECK(decode_workspace_edit(R"({"documentChanges":[{"kind":"rename"}]})").error().message ==
        "the server would also rename a file, which this patch cannot express");
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

}  // namespace replies_test
