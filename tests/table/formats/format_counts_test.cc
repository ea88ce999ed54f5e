#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "table/formats/format.h"

namespace symbols::table {
namespace {

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

}  // namespace
}  // namespace symbols::table
