#include "table/formats/ndjson_format.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/table/made_row.h"

namespace symbols::table {
namespace {

const std::string range = R"("start_line":1,"start_character":0,"end_line":9,"end_character":1)";

// A row as the format has it, with `more` members behind it.
std::string line(const std::string& name, const std::string& parent, const std::string& more = {}) {
  return R"({"name":")" + name + R"(","kind":"Class",)" + range + R"(,"parent":)" + parent + more + "}";
}

TEST_CASE("ndjson: what is written is read, containers that have no row among it") {
  const lsp::Range wide{{1, 0}, {9, 1}};
  const SymbolRows rows =
      made_rows({{row("a", 5, wide, -1), row("b\n\"ü\"", 6, wide, 0), row("c", 77, wide, -1, "somewhere")}});
  const std::string text = write_ndjson(rows, {fields_of(Verbosity::standard), false}, "file.ts");
  const Result<SymbolRows> back = read_ndjson(text);
  REQUIRE(back.has_value());
  REQUIRE(back->all.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) {
    CAPTURE(i);
    CHECK(back->all[i].name == rows.all[i].name);
    CHECK(back->all[i].kind == rows.all[i].kind);
    CHECK(back->all[i].parent == rows.all[i].parent);
    CHECK(back->all[i].container_name == rows.all[i].container_name);
  }
  CHECK(write_ndjson(*back, {fields_of(Verbosity::standard), false}, "file.ts") == text);
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
       "line 2, column 1: its parent is not a row around the row before"},
      {line("a", "null") + "\n" + line("b", "0", R"(,"container":"C")"),
       "line 2, column 1: a row within another has no container besides it"},
      {line("a", "\"x\""), "expected the member parent, the number of a row or null, or depth, a number"},
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

}  // namespace
}  // namespace symbols::table
