// The option `positions` (docs/spec.md, section 4) in each format.
#include <doctest/doctest.h>

#include "table/formats/format.h"
#include "tests/table/made_row.h"

namespace symbols::table {
namespace {

SymbolRows three_rows() {
  SymbolRows rows = made_rows({{row("a", 5, {{0, 0}, {9, 1}}, -1), row("b", 8, {{1, 2}, {1, 7}}, 0),
                                row("c", 8, {{2, 2}, {2, 7}}, 0)}},
                              {"class a", "", ""});
  rows.all.front().selection_range = {{0, 6}, {0, 7}};
  return rows;
}

std::string rendered(Format format, bool positions, View view) {
  view.positions = positions;
  return render(three_rows(), {.format = format, .view = view}).text;
}

TEST_CASE("positions: a line starts with that of its first symbol; other lines stay as they are") {
  struct Case {
    Format format;
    View view;
    const char* text;
  };
  const View minimal{fields_of(Verbosity::minimal)};
  const View signatures{.fields = fields_of(Verbosity::signatures), .signatures = true};
  const Case cases[] = {
      {Format::table, minimal,
       "NAME | KIND | RANGE\n0:6\ta | 5 | 0:0-9:1\n1:2\tb | 8 | 1:2-7\n2:2\tc | 8 | 2:2-7"},
      {Format::tsv, minimal, "name\tkind\trange\n0:6\ta\t5\t0:0-9:1\n1:2\tb\t8\t1:2-7\n2:2\tc\t8\t2:2-7"},
      {Format::toon, minimal,
       "symbols[3]{name,kind,range}:\n0:6\t  a,5,\"0:0-9:1\"\n1:2\t  b,8,\"1:2-7\"\n2:2\t  c,8,\"2:2-7\""},
      {Format::tree, minimal, "0:6\tc1 a\n1:2\t F2 b c"},
      {Format::tree, signatures, "# signatures\n0:6\tc1 a\n1:2\t F2 b; c"},
      {Format::outline,
       {fields_of(Verbosity::full)},
       "0:6\t[L1] (c+2) a\n0:6\t  class a\n1:2\t  [L2] (F) b\n2:2\t  [L3] (F) c"},
  };
  for (const Case& c : cases) CHECK(rendered(c.format, true, c.view) == c.text);
  for (const Format format : {Format::packed, Format::json, Format::pretty, Format::ndjson}) {
    CHECK(rendered(format, true, minimal) == rendered(format, false, minimal));
  }
}

TEST_CASE("positions: a budget drops as much as without them") {
  SymbolRows rows = three_rows();
  for (int i = 0; i < 100; ++i) rows.all.front().hover += " word";
  Rendering rendering{.format = Format::tree,
                      .view = {fields_of(Verbosity::full)},
                      .max_tokens = TokenLimit::for_text_of(45, Tokenizer::o200k)};
  const std::string without = render(rows, rendering).text;
  CHECK(without.find("\n# truncated: ") != std::string::npos);
  rendering.view.positions = true;
  std::string with = render(rows, rendering).text;
  for (const std::string_view position : {"0:6\t", "1:2\t"}) with.erase(with.find(position), position.size());
  CHECK(with == without);
}

}  // namespace
}  // namespace symbols::table
