// Which symbol of a document a question for context is about.

#include <algorithm>
#include <string_view>

#include "lsp/position.h"
#include "lsp/symbol_search.h"
#include "proxy/query/context_question.h"

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

constexpr std::size_t max_told_apart = 200;  // each costs a pass over the whole tree
constexpr std::size_t max_near = 5;

// A position at which a question finds this symbol: usually the start of its name, unless another symbol has
// the same selection (a macro that opens three namespaces).
lsp::Position telling_place(const lsp::SymbolTree& tree, const lsp::DocumentSymbol& symbol) {
  for (const lsp::Position place :
       {symbol.selection_range.start, symbol.selection_range.end, symbol.range.start}) {
    if (find_at(tree, place, nullptr, {}) == &symbol) return place;
  }
  return symbol.selection_range.start;
}

// The symbol as a candidate among which a person chooses: with a position that finds it, and its parent.
lsp::DocumentSymbol told(const lsp::SymbolTree& tree, const lsp::DocumentSymbol& symbol,
                         lsp::Position place) {
  lsp::DocumentSymbol candidate = symbol;
  candidate.selection_range.start = place;
  if (symbol.parent >= 0) {
    candidate.container_name = tree.symbols[static_cast<std::size_t>(symbol.parent)].name;
  }
  return candidate;
}

bool is_within(const lsp::SymbolTree& tree, const lsp::DocumentSymbol* symbol,
               const lsp::DocumentSymbol* around) {
  while (symbol != around && symbol->parent >= 0)
    symbol = &tree.symbols[static_cast<std::size_t>(symbol->parent)];
  return symbol == around;
}

ContextSymbol find_called(const lsp::SymbolTree& tree, const std::string& name) {
  const lsp::NamedSymbols named = lsp::symbols_named(tree, name);
  ContextSymbol result;
  if (named.found.size() == 1) {
    const lsp::DocumentSymbol* symbol = named.found.front();
    // The server is asked by position. Of symbols that a macro opens at one place, that means the innermost.
    const lsp::DocumentSymbol* meant = lsp::symbol_at(tree, symbol->selection_range.start);
    const bool is_same = meant != nullptr && meant->name == symbol->name && meant->kind == symbol->kind;
    result = symbol_or_failure(tree, is_same ? meant : symbol);
    for (const lsp::DocumentSymbol* other : named.others) {
      if (!is_within(tree, other, symbol))
        result.others.push_back(told(tree, *other, other->selection_range.start));
    }
    return result;
  }
  if (named.found.empty()) {
    result = symbol_or_failure(tree, nullptr);
    for (const lsp::DocumentSymbol* near : lsp::symbols_nearly_named(tree, name, max_near))
      result.failure->candidates.push_back(told(tree, *near, near->selection_range.start));
    return result;
  }
  result.failure = ContextFailure{.reason = ContextFailure::Reason::several, .detail = {}};
  const bool few = named.found.size() <= max_told_apart;
  for (const lsp::DocumentSymbol* symbol : named.found) {
    const lsp::Position place = few ? telling_place(tree, *symbol) : symbol->selection_range.start;
    result.failure->candidates.push_back(told(tree, *symbol, place));
  }
  return result;
}

}  // namespace

ContextSymbol find_context_symbol(const lsp::SymbolTree& tree, const ContextQuestion& question,
                                  const std::string* text, lsp::PositionEncoding encoding) {
  if (question.name) return find_called(tree, *question.name);
  if (question.position) return symbol_or_failure(tree, find_at(tree, *question.position, text, encoding));
  return symbol_or_failure(tree, find_on_line(tree, question.line.value_or(0), text, encoding));
}

}  // namespace symbols::query
