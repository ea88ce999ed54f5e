#include "lsp/symbol_search.h"

namespace symbols::lsp {
namespace {

bool contains(const Range& range, Position position) {
  return range.start <= position && position <= range.end;
}

}  // namespace

const DocumentSymbol* symbol_at(const SymbolTree& tree, Position position) {
  const DocumentSymbol* found = nullptr;
  for (const DocumentSymbol& symbol : tree.symbols) {
    if (contains(symbol.selection_range, position) &&
        (found == nullptr || found->selection_range.start <= symbol.selection_range.start)) {
      found = &symbol;
    }
  }
  return found;
}

const DocumentSymbol* innermost_around(const SymbolTree& tree, Position position) {
  const DocumentSymbol* found = nullptr;
  // Pre-order: later symbols are deeper, or siblings.
  for (const DocumentSymbol& symbol : tree.symbols) {
    if (contains(symbol.range, position)) found = &symbol;
  }
  return found;
}

const DocumentSymbol* symbol_on_line(const SymbolTree& tree, std::uint32_t line) {
  const DocumentSymbol* found = nullptr;
  for (const DocumentSymbol& symbol : tree.symbols) {
    if (symbol.selection_range.start.line != line) continue;
    const bool goes_on_within = found != nullptr && symbol.range.end.line > line &&
                                found->range.start <= symbol.range.start &&
                                symbol.range.end <= found->range.end;
    if (found == nullptr || goes_on_within) found = &symbol;
  }
  return found;
}

}  // namespace symbols::lsp
