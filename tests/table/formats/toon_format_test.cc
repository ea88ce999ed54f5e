#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "table/formats/format.h"
#include "tests/table/made_row.h"

namespace symbols::table {
namespace toon_format_test {

using namespace std::string_literals;

const View standard{fields_of(Verbosity::standard), false};
const std::string columns = "{name,kind,range,selection,parent}:";

// tests/e2e/formats.test.mjs has the official decoder read all that the specification knows.
TEST_CASE("toon: strings in quotes that a decoder might read otherwise, characters that are escaped") {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"日本😀é", "日本😀é"},
      {"\u00a0a", "\"\u00a0a\""},
      {"a\u3000", "\"a\u3000\""},
      {"\ufeffa", "\"\ufeffa\""},
      {"+1", "\"+1\""},
      {"05", "\"05\""},
      {"1E-06", "\"1E-06\""},
      {".5", ".5"},
      {"53-59", "53-59"},
      {"a\nb\r\t\"\\", "\"a\\nb\\r\\t\\\"\\\\\""},
      {"\0\x1b"s, "\"\\u0000\\u001b\""},
      {"\x7f\u0085\u009f", "\"\\u007f\\u0085\\u009f\""},
      {"a\u2028\u2029\u202e\u2066\u061c", "\"a\\u2028\\u2029\\u202e\\u2066\\u061c\""},
      {"a,\xff", "\"a,\ufffd\""},
  };
  for (const auto& [text, written] : cases) {
    CAPTURE(written);
    CHECK(write_toon(made_rows({{row(text, 5, {}, -1)}}), {{Field::name}}) ==
          "symbols[1]{name}:\n  " + written);
  }
}

TEST_CASE("toon: rows") {
  const lsp::Range wide{{1, 0}, {9, 0}};
  const lsp::Range inner{{2, 0}, {2, 5}};
  struct Case {
    const char* what;
    std::vector<lsp::DocumentSymbol> symbols;
    std::string lines;
  };
  const std::vector<Case> cases{
      {"no symbols", {}, ""},
      {"a parent that the name alone would not find",
       {row("C", 5, wide, -1), row("C", 9, inner, 0), row("m", 6, inner, 0)},
       "\n  C,5,\"1:0-9:0\",\"1:0-0\",\"\"\n  C,9,\"2:0-5\",\"2:0-0\",C\n  "
       "m,6,\"2:0-5\",\"2:0-0\",\"C\\\\^0\""},
      {"a parent whose name ends like a mark",
       {row("C\\^7", 5, wide, -1), row("b", 6, inner, 0)},
       "\n  \"C\\\\^7\",5,\"1:0-9:0\",\"1:0-0\",\"\"\n  b,6,\"2:0-5\",\"2:0-0\",\"C\\\\^7\\\\^0\""},
      {"a container that names no row though one is found",
       {row("a", 5, wide, -1), row("b", 6, inner, -1, "a")},
       "\n  a,5,\"1:0-9:0\",\"1:0-0\",\"\"\n  b,6,\"2:0-5\",\"2:0-0\",\"a\\\\^\""},
      {"kinds that JavaScript would round",
       {row("a", 9007199254740993, wide, -1), row("b", -999999999999999, wide, -1)},
       "\n  a,\"9007199254740993\",\"1:0-9:0\",\"1:0-0\",\"\"\n  "
       "b,\"-999999999999999\",\"1:0-9:0\",\"1:0-0\",\"\""},
  };
  for (const Case& c : cases) {
    CAPTURE(c.what);
    const SymbolRows rows = made_rows({c.symbols});
    CHECK(write_toon(rows, standard) ==
          "symbols[" + std::to_string(c.symbols.size()) + "]" + columns + c.lines);
  }
}

TEST_CASE("toon: other fields, kinds by name") {
  using enum Field;
  SymbolRows rows = made_rows({{row("a", 5, {{1, 0}, {9, 0}}, -1), row("b", 255, {{2, 0}, {2, 5}}, 0)}});
  rows.all[0].tags = {1};
  rows.all[0].hover_parts = {"class a", "One. Two."};
  CHECK(write_toon(rows, {{kind, name, depth, children, lines, tags, doc, hover}, true}) ==
        "symbols[2]{kind,name,depth,children,lines,tags,doc,hover}:\n"
        "  Class,a,0,1,2-10,\"1\",One.,\"\"\n"
        "  255,b,1,0,\"3\",\"\",\"\",\"\"");
}

}  // namespace toon_format_test
}  // namespace symbols::table
