#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "table/formats/format.h"
#include "tests/table/error_of.h"
#include "tests/table/made_row.h"

namespace symbols::table {
namespace packed_format_test {

View view_of(Verbosity verbosity, const std::vector<Field>& further = {}, bool kind_names = false) {
  View view{fields_of(verbosity), kind_names};
  view.fields.insert(view.fields.end(), further.begin(), further.end());
  return view;
}

const std::vector<Field> further_fields{Field::detail, Field::lines,    Field::signature, Field::doc,
                                        Field::depth,  Field::children, Field::tags};

// A class with a method, and a function that a server put into a container it did not send.
SymbolRows small_rows() {
  SymbolRows rows;
  rows.all.resize(3);
  lsp::DocumentSymbol& outer = rows.all[0];
  outer = {.name = "C",
           .detail = "class",
           .kind = 5,
           .range = {{1, 0}, {9, 1}},
           .selection_range = {{1, 6}, {1, 7}}};
  lsp::DocumentSymbol& inner = rows.all[1];
  inner = {
      .name = "é", .kind = 255, .range = {{2, 2}, {2, 9}}, .selection_range = {{2, 2}, {2, 3}}, .parent = 0};
  inner.tags = {1, 7};
  lsp::DocumentSymbol& last = rows.all[2];
  last = {.name = "C", .kind = 12, .range = {{12, 0}, {13, 1}}, .selection_range = {{12, 4}, {12, 5}}};
  last.container_name = "ns";
  return made_rows(tree_of(rows), {"class C - All of it.", "", "C"},
                   {{"class C", "All of it. And more."}, {"", ""}, {"C", ""}});
}

TEST_CASE("packed: what each view writes") {
  const SymbolRows rows = small_rows();
  struct Case {
    const char* what;
    View view;
    std::string notice;
    std::string text;
  };
  const std::vector<Case> cases{
      {"all there is", view_of(Verbosity::full), "",
       R"({"v":"2.0","strings":["C","class C - All of it.","\u00e9","ns"],"symbols":[[0,5,1,0,9,1,1,6,1,7,-1,1],)"
       R"([2,255,2,2,2,9,2,2,2,3,0,-1],[0,12,12,0,13,1,12,4,12,5,-1,0]],"containers":[[2,3]]})"},
      {"without hovers", view_of(Verbosity::standard), "",
       R"({"v":"2.0","strings":["C","\u00e9","ns"],"symbols":[[0,5,1,0,9,1,1,6,1,7,-1,-1],)"
       R"([1,255,2,2,2,9,2,2,2,3,0,-1],[0,12,12,0,13,1,12,4,12,5,-1,-1]],"containers":[[2,2]]})"},
      {"without selections and parents", view_of(Verbosity::minimal), "9 -> 3 tokens; dropped: \"x\"",
       R"({"v":"2.0","omitted":["selection","parent"],"strings":["C","\u00e9"],"symbols":[)"
       R"([0,5,1,0,9,1,1,0,1,0,-1,-1],[1,255,2,2,2,9,2,2,2,2,-1,-1],[0,12,12,0,13,1,12,0,12,0,-1,-1]],)"
       R"("truncated":"9 -> 3 tokens; dropped: \"x\""})"},
      {"nothing but one field",
       {{Field::depth}, false},
       "",
       R"({"v":"2.0","fields":["depth"],"omitted":["name","kind","range","selection","parent"],"strings":[],)"
       R"("symbols":[[-1,0,0,0,0,0,0,0,0,0,-1,-1,0],[-1,0,0,0,0,0,0,0,0,0,-1,-1,1],)"
       R"([-1,0,0,0,0,0,0,0,0,0,-1,-1,0]]})"},
      {"kinds by name", view_of(Verbosity::standard, {}, true), "",
       R"({"v":"2.0","strings":["C","\u00e9","ns"],"symbols":[[0,"Class",1,0,9,1,1,6,1,7,-1,-1],)"
       R"([1,255,2,2,2,9,2,2,2,3,0,-1],[0,"Function",12,0,13,1,12,4,12,5,-1,-1]],"containers":[[2,2]]})"},
      {"further fields", view_of(Verbosity::standard, further_fields), "",
       R"({"v":"2.0","fields":["detail","lines","signature","doc","depth","children","tags"],)"
       R"("strings":["C","class","2-10","class C","All of it.","\u00e9","3","ns","13-14"],"symbols":[)"
       R"([0,5,1,0,9,1,1,6,1,7,-1,-1,1,2,3,4,0,1,[]],[5,255,2,2,2,9,2,2,2,3,0,-1,-1,6,-1,-1,1,0,[1,7]],)"
       R"([0,12,12,0,13,1,12,4,12,5,-1,-1,-1,8,0,-1,0,0,[]]],"containers":[[2,7]]})"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.what);
    CHECK(write_packed(rows, c.view, c.notice) == c.text);
  }
  CHECK(write_packed({}, view_of(Verbosity::full)) == R"({"v":"2.0","strings":[],"symbols":[]})");
}

TEST_CASE("packed: members in any order, unknown ones, white space") {
  const std::string text =
      "{\"symbols\": "
      "[\n[0,5,1,0,9,1,1,6,1,7,-1,1]],\n\"new\":{\"a\":[[[]]]},\"strings\":[\"C\",\"h\"],\"omitted\":["
      "\"selection\"],\"v\":\"2.0\"}\n";
  const Result<SymbolRows> rows = read_packed(text);
  REQUIRE(error_of(rows) == "");
  REQUIRE(rows->all.size() == 1);
  CHECK(rows->all[0].name == "C");
  CHECK(rows->all[0].hover == "h");
  CHECK(rows->lacking == std::vector<Field>{Field::selection});
}

TEST_CASE("packed: errors name the element") {
  const auto with = [](const std::string& members) {
    return R"({"v":"2.0","strings":["a","b"],)" + members + "}";
  };
  const auto row = [&](const std::string& elements) { return with(R"("symbols":[[)" + elements + "]]"); };
  struct Case {
    std::string text;
    std::string error;  // after "cannot read the packed symbols"
  };
  const Case cases[] = {
      {"", " at line 1, column 1: The document is empty"},
      {"{\"v\":\"2.0\"\n", " at line 2, column 1: Missing a comma or '}' after an object member"},
      {" []", ": v: expected version \"2.0\", found nothing"},
      {R"({"v":2})", R"(: v: expected version "2.0", found 2)"},
      {R"({"v":"2.0"})", ": strings: expected an array, found nothing"},
      {R"({"v":"2.0","strings":{}})", ": strings: expected an array, found an object"},
      {R"({"v":"2.0","strings":["", null]})", ": strings[1]: expected a string, found null"},
      {with(R"("fields":["detail","x"])"),
       ": fields: expected names of further fields, each once, found \"x\""},
      {with(R"("fields":["kind"])"), ": fields: expected names of further fields, each once, found \"kind\""},
      {with(R"("omitted":["parent","selection"])"),
       ": it was written without parent; write it with verbosity standard or full"},
      {with(R"("symbols":[7])"), ": symbols[0]: expected an array of 12 elements, found 7"},
      {row("0"), ": symbols[0]: expected an array of 12 elements, found an array of 1 elements"},
      {row("2,5,1,0,9,1,1,6,1,7,-1,-1"), ": symbols[0][0] (name): expected an index of strings, found 2"},
      {row("0,\"Klass\",1,0,9,1,1,6,1,7,-1,-1"),
       ": symbols[0][1] (kind): expected the number or name of a symbol kind, found \"Klass\""},
      {row("0,5,1,0,4294967296,1,1,6,1,7,-1,-1"),
       ": symbols[0][4] (range): expected a number from 0 to 4294967295, found 4294967296"},
      {row("0,5,1,0,9,1,1,6,1,1.5,-1,-1"),
       ": symbols[0][9] (selection): expected a number from 0 to 4294967295, found 1.5"},
      {row("0,5,1,0,9,1,1,6,1,7,0,-1"),
       ": symbols[0][10] (parent): expected -1, or the index of the symbol before this one or of one around "
       "that, found 0"},
      {row("0,5,1,0,9,1,1,6,1,7,-1,-1],[0,5,1,0,9,1,1,6,1,7,-1,-1],[0,5,1,0,9,1,1,6,1,7,0,-1"),
       ": symbols[2][10] (parent): expected -1, or the index of the symbol before this one or of one around "
       "that, found 0"},
      {row("0,5,1,0,9,1,1,6,1,7,-1,-2"),
       ": symbols[0][11] (hover): expected an index of strings, or -1, found -2"},
      {with(R"("fields":["tags"],"symbols":[[0,5,1,0,9,1,1,6,1,7,-1,-1,[1,true]]])"),
       ": symbols[0][12] (tags): expected an array of numbers, found an array of 2 elements"},
      {with(R"("fields":["depth"],"omitted":["parent"],"symbols":[[0,5,1,0,9,1,1,6,1,7,-1,-1,1]])"),
       ": symbols[0][12] (depth): expected a depth from 0 to 0, found 1"},
      {with(R"("symbols":[[0,5,1,0,9,1,1,6,1,7,-1,-1]],"containers":[[0,2]])"),
       ": containers: expected the indices of a symbol at top level and of a string, found an array of 2 "
       "elements"},
  };
  for (const Case& c : cases)
    CHECK(error_of(read_packed(c.text)) == "cannot read the packed symbols" + c.error);
}

TEST_CASE("packed: a million brackets") {
  CHECK_FALSE(read_packed(std::string(1000000, '[')).has_value());
  const std::string deep = "{\"v\":" + std::string(1000000, '[') + std::string(1000000, ']') + "}";
  CHECK(error_of(read_packed(deep)) ==
        "cannot read the packed symbols: v: expected version \"2.0\", found an array of 1 elements");
}

TEST_CASE("packed: a long string that every symbol refers to is no memory bomb") {
  std::string text = R"({"v":"2.0","strings":[")" + std::string(2000000, 'n') + R"("],"symbols":[)";
  for (int i = 0; i < 1000; ++i)
    text += i == 0 ? "[0,5,1,0,9,1,1,6,1,7,-1,0]" : ",[0,5,1,0,9,1,1,6,1,7,-1,0]";
  text += "]}";
  const Result<SymbolRows> rows = read_packed(text);
  REQUIRE_FALSE(rows.has_value());
  CHECK(rows.error().message.ends_with("their texts take more than 1 GiB"));
}

}  // namespace packed_format_test
}  // namespace symbols::table
