#include "proxy/query/context_symbol.h"

#include <algorithm>
#include <initializer_list>
#include <string_view>
#include <utility>
#include <vector>

#include "lsp/position_index.h"
#include "lsp/symbol_search.h"

namespace symbols::query {
namespace {

ContextSymbol symbol_or_failure(const lsp::SymbolTree& tree, const lsp::DocumentSymbol* symbol) {
  if (symbol != nullptr) return {.index = static_cast<std::size_t>(symbol - tree.symbols.data())};
  return {.failure = ContextFailure{.reason = ContextFailure::Reason::no_symbol, .detail = {}}};
}

const lsp::DocumentSymbol* find_at(const lsp::SymbolTree& tree, lsp::Position position,
                                   const std::string* text, lsp::PositionEncoding encoding) {
  if (text != nullptr) {
    // A character past its line's end means the end (LSP 3.17, "Position").
    const lsp::PositionIndex document(*text, encoding);
    if (position.line >= document.line_count()) return nullptr;
    position = document.position(document.offset(position));
  }
  const lsp::DocumentSymbol* symbol = lsp::symbol_at(tree, position);
  if (symbol == nullptr) symbol = lsp::innermost_around(tree, position);
  // The position may be in the comment after a declaration, or in the whitespace before it.
  return symbol != nullptr ? symbol : lsp::symbol_on_line(tree, position.line);
}

const lsp::DocumentSymbol* find_on_line(const lsp::SymbolTree& tree, std::uint32_t line,
                                        const std::string* text, lsp::PositionEncoding encoding) {
  if (const lsp::DocumentSymbol* named = lsp::symbol_on_line(tree, line)) return named;
  lsp::Position first{line, 0};
  if (text != nullptr) {
    const lsp::PositionIndex document(*text, encoding);
    if (line >= document.line_count()) return nullptr;
    const std::string_view rest = std::string_view(*text).substr(document.offset(first));
    const std::size_t blanks = std::min(rest.find_first_not_of(" \t"), rest.size());
    first = document.position(document.offset(first) + blanks);
  }
  return lsp::innermost_around(tree, first);
}

constexpr std::size_t most_told_apart =
    200;  // each costs a pass over the whole tree and a comparison with the other positions

// A position at which a question finds this symbol: usually the start of its name, unless another symbol has
// the same selection (a macro that opens three namespaces).
lsp::Position telling_place(const lsp::SymbolTree& tree, const lsp::DocumentSymbol& symbol) {
  for (const lsp::Position place :
       {symbol.selection_range.start, symbol.selection_range.end, symbol.range.start}) {
    if (find_at(tree, place, nullptr, {}) == &symbol) return place;
  }
  return symbol.selection_range.start;
}

ContextSymbol find_called(const lsp::SymbolTree& tree, const std::string& name) {
  const std::vector<const lsp::DocumentSymbol*> found = lsp::symbols_called(tree, name);
  ContextFailure failure{.reason = ContextFailure::Reason::several, .detail = {}};
  const lsp::DocumentSymbol* last = nullptr;
  for (const lsp::DocumentSymbol* symbol : found) {
    const bool few = found.size() <= most_told_apart;
    const lsp::Position place = few ? telling_place(tree, *symbol) : symbol->selection_range.start;
    const auto same = few ? std::ranges::find_if(failure.candidates,
                                                 [&](const lsp::DocumentSymbol& other) {
                                                   return other.selection_range.start == place;
                                                 })
                          : failure.candidates.end();
    // No position tells these apart, and the server is asked by position: the innermost is taken for all.
    if (same != failure.candidates.end()) failure.candidates.erase(same);
    last = symbol;
    lsp::DocumentSymbol& candidate = failure.candidates.emplace_back(*symbol);
    candidate.selection_range.start = place;
    if (symbol->parent >= 0) {
      candidate.container_name = tree.symbols[static_cast<std::size_t>(symbol->parent)].name;
    }
  }
  if (failure.candidates.size() < 2) return symbol_or_failure(tree, last);
  return {.failure = std::move(failure)};
}

}  // namespace

ContextSymbol find_context_symbol(const lsp::SymbolTree& tree, const ContextQuestion& question,
                                  const std::string* text, lsp::PositionEncoding encoding) {
  if (question.name) return find_called(tree, *question.name);
  if (question.position) return symbol_or_failure(tree, find_at(tree, *question.position, text, encoding));
  return symbol_or_failure(tree, find_on_line(tree, question.line.value_or(0), text, encoding));
}

}  // namespace symbols::query
