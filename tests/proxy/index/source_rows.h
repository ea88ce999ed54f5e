// Symbols of a text as a server would place them, for tests.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lsp/document_symbol.h"

namespace symbols::index {

struct SourceRow {
  std::string name;
  std::int64_t kind = 12;
  std::int32_t parent = -1;
  std::string written{};  // in the text, if not its name; may go on after it
};

// Each stands where the text has it next, as a word of its own; its range is from there to the line's end.
inline lsp::SymbolTree tree_of(std::string_view text, const std::vector<SourceRow>& rows) {
  lsp::SymbolTree tree;
  std::size_t at = 0;
  for (const SourceRow& row : rows) {
    const std::string& written = row.written.empty() ? row.name : row.written;
    at = text.find(written, at);
    REQUIRE_MESSAGE(at != text.npos, row.name);
    lsp::DocumentSymbol& symbol = tree.symbols.emplace_back();
    symbol.name = row.name;
    symbol.kind = row.kind;
    symbol.parent = row.parent;
    const auto line = static_cast<std::uint32_t>(std::count(text.begin(), text.begin() + at, '\n'));
    const std::size_t start = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;  // npos + 1 is 0
    const auto column = static_cast<std::uint32_t>(at - start);
    const std::size_t length = written.starts_with(row.name) ? row.name.size() : written.size();
    at += length;
    symbol.selection_range = {{line, column}, {line, column + static_cast<std::uint32_t>(length)}};
    symbol.range = symbol.selection_range;
  }
  return tree;
}

}  // namespace symbols::index
