#include "table/formats/tsv_format.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/table/error_of.h"
#include "tests/table/made_row.h"

namespace symbols::table {
namespace {

const View standard{fields_of(Verbosity::standard), false};
const std::string header = "name\tkind\trange\tselection\tparent";

TEST_CASE("tsv: rows both ways") {
  const lsp::Range wide{{1, 0}, {9, 0}};
  const lsp::Range inner{{2, 0}, {2, 5}};
  struct Case {
    const char* what;
    std::vector<lsp::DocumentSymbol> symbols;
    std::string lines;  // after the header
  };
  const std::vector<Case> cases{
      {"no symbols", {}, ""},
      {"a row ends in an empty cell at top level", {row("a", 12, wide, -1)}, "\na\t12\t1:0-9:0\t1:0-0\t"},
      {"its parent by name",
       {row("a", 5, wide, -1), row("b", 6, inner, 0)},
       "\na\t5\t1:0-9:0\t1:0-0\t\nb\t6\t2:0-5\t2:0-0\ta"},
      {"a name that would forge a row", {row("x\t5\ny", 12, wide, -1)}, "\nx\\t5\\ny\t12\t1:0-9:0\t1:0-0\t"},
      {"blanks, quotes, pipes and commas stand",
       {row(" \"a\", b|c ", 12, wide, -1)},
       "\n \"a\", b|c \t12\t1:0-9:0\t1:0-0\t"},
      {"a parent that the name alone would not find",
       {row("C", 5, wide, -1), row("C", 9, inner, 0), row("m", 6, inner, 0)},
       "\nC\t5\t1:0-9:0\t1:0-0\t\nC\t9\t2:0-5\t2:0-0\tC\nm\t6\t2:0-5\t2:0-0\tC\\^0"},
      {"a container that names no row",
       {row("a", 5, wide, -1), row("m", 6, inner, -1, "a")},
       "\na\t5\t1:0-9:0\t1:0-0\t\nm\t6\t2:0-5\t2:0-0\ta\\^"},
      {"what a budget left out can be a name, and so can another file",
       {row("# truncated: x", 5, wide, -1), row("==> a <==", 5, wide, -1)},
       "\n\\x23 truncated: x\t5\t1:0-9:0\t1:0-0\t\n\\x3D=> a <==\t5\t1:0-9:0\t1:0-0\t"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.what);
    const SymbolRows rows{{c.symbols}, {}, false};
    CHECK(write_tsv(rows, standard) == header + c.lines);
    for (const std::string end :
         {"", "\n", "\n# truncated: 35 -> 9 tokens", "\n# truncated: 35 -> 9 tokens\n"}) {
      const Result<SymbolRows> back = read_tsv(header + c.lines + end);
      REQUIRE(error_of(back) == "");
      CHECK(*back == rows);
    }
  }
}

TEST_CASE("tsv: lines ended by CR LF") {
  const SymbolRows rows{{{row("a", 12, {{1, 0}, {2, 0}}, -1)}}, {}, false};
  const Result<SymbolRows> back = read_tsv(header + "\r\na\tFunction\t1:0-2:0\t1:0-0\t\r\n");
  REQUIRE(error_of(back) == "");
  CHECK(*back == rows);
}

TEST_CASE("tsv: errors say line, column and what was expected") {
  const std::string advice =
      "; TSV starts with a line of field names separated by tabs, such as name kind range selection parent";
  struct Case {
    std::string text;
    std::string error;  // after "cannot read the TSV at "
  };
  const std::vector<Case> cases{
      {"", "line 1, column 1: expected the header" + advice},
      {"NAME\tKIND", "line 1, column 1: unknown column \"NAME\"" + advice},
      {"name\tkind\tname", "line 1, column 11: column name appears twice"},
      {"name\tkind\trange", "line 1, column 16: missing column parent or depth" + advice},
      {"kind\tparent", "line 1, column 12: missing column name, range" + advice},
      {header + "\na\t5", "line 2, column 4: expected 5 cells, one for each column of the header, found 2"},
      {header + "\n\n", "line 2, column 1: expected 5 cells, one for each column of the header, found 1"},
      {header + "\n# truncated: 1\n# truncated: 2",
       "line 2, column 15: expected 5 cells, one for each column of the header, found 1"},
      {header + "\né\tx\t1:0-5\t1:0-5\t",
       "line 2, column 3: kind: expected a symbol kind's number or name, as in 12 or Function, found \"x\""},
      {header + "\né\\|\t5\t1:0-5\t1:0-5\t",
       "line 2, column 2: name: \\| is not an escape; the escapes are \\\\ \\n \\r \\t \\xHH \\u{HHHH}"},
      {header + "\na\t5\t1:0\t1:0-5\t",
       "line 2, column 5: range: cannot read \"1:0\" as a range: expected line:start-end, as in 52:6-61, or "
       "startLine:start-endLine:end, as in 24:8-28:3"},
      {header + "\na\t5\t1:0-5\t1:0-5\ta\\^0",
       "line 2, column 17: parent: expected the depth of a row named \"a\" on the path to the row before, "
       "after \\^, found 0"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    CHECK(error_of(read_tsv(c.text)) == "cannot read the TSV at " + c.error);
  }
}

}  // namespace
}  // namespace symbols::table
