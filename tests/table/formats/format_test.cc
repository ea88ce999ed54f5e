#include "table/formats/format.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "table/formats/row_cells.h"
#include "tests/table/made_row.h"

namespace symbols::table {
namespace format_test {

TEST_CASE("ranges: one text each, both ways") {
  constexpr std::uint32_t most = 4294967295;
  const std::pair<lsp::Range, std::string> cases[] = {
      {{{52, 6}, {52, 61}}, "52:6-61"},
      {{{24, 8}, {28, 3}}, "24:8-28:3"},
      {{{10, 100}, {10, 2}}, "10:100-2"},  // reversed, as it came
      {{{most, most}, {0, most}}, "4294967295:4294967295-0:4294967295"}};
  for (const auto& [range, text] : cases) {
    std::string out = "x";
    append_range(out, range);
    CHECK(out == "x" + text);
    CHECK(parse_range(text) == range);
  }
  for (const char* const text :
       {"",        "52",       "52:6",        "52:6-",          ":6-61",
        "52:-61",  "52:6-61:", "52:6-61:2:3", "52:6-61 ",       " 52:6-61",
        "52:6–61", "+52:6-61", "52:6--61",    "0x5:6-61",       "052:6-61",
        "52:6-00", "53-59",    "52:6-61\n",   "4294967296:0-0", "0:0-99999999999999999999",
        "5:1-5:3"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_range(text).has_value());
  }
}

TEST_CASE("counts: total, kinds, levels") {
  struct Case {
    std::vector<std::pair<std::int64_t, std::int32_t>> symbols;  // kind, parent
    std::string line;
  };
  const std::vector<Case> cases{
      {{}, "0 symbols"},
      {{{5, -1}}, "1 symbol: 1 Class; 1 level"},
      {{{12, -1}, {5, -1}, {6, 1}, {6, 1}}, "4 symbols: 2 Method, 1 Class, 1 Function; 2 levels"},
      {{{12, -1}, {12, 0}, {12, 1}, {12, -1}}, "4 symbols: 4 Function; 3 levels"},
      {{{255, -1}, {255, -1}, {-1, -1}, {26, -1}}, "4 symbols: 2 255, 1 -1, 1 TypeParameter; 1 level"},
  };
  for (const Case& c : cases) {
    lsp::SymbolTree tree;
    for (const auto& [kind, parent] : c.symbols) {
      lsp::DocumentSymbol& symbol = tree.symbols.emplace_back();
      symbol.kind = kind;
      symbol.parent = parent;
    }
    const auto counts = [&tree](Format format) {
      return render(tree, {.format = format, .counts = true, .path = "a"}).text;
    };
    CHECK(counts(Format::table) == c.line);
    CHECK(counts(Format::tree) == c.line);
    CHECK(counts(Format::json) == "{\"counts\":\"" + c.line + "\"}");
    CHECK(counts(Format::packed) == "{\"counts\":\"" + c.line + "\"}");
    CHECK(counts(Format::ndjson) == "{\"path\":\"a\",\"counts\":\"" + c.line + "\"}");
    CHECK(counts(Format::toon) == "counts: \"" + c.line + "\"");
  }
}

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

}  // namespace format_test
}  // namespace symbols::table
