#include "proxy/context_symbol.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "lsp/document_text.h"
#include "lsp/symbol_search.h"

namespace symbols::proxy {
namespace {

ContextSymbol symbol_or_failure(const lsp::SymbolTree& tree, const lsp::DocumentSymbol* symbol) {
  if (symbol != nullptr) return {.index = static_cast<std::size_t>(symbol - tree.symbols.data())};
  return {.failure = ContextFailure{.reason = ContextFailure::Reason::no_symbol, .detail = {}}};
}

const lsp::DocumentSymbol* find_at(const lsp::SymbolTree& tree, lsp::Position position,
                                   const std::string* text, lsp::PositionEncoding encoding) {
  if (text != nullptr) {
    // A character behind its line's end means the end (LSP 3.17, "Position").
    const lsp::DocumentText document(*text, encoding);
    if (position.line >= document.line_count()) return nullptr;
    position = document.position(document.offset(position));
  }
  const lsp::DocumentSymbol* symbol = lsp::symbol_at(tree, position);
  if (symbol == nullptr) symbol = lsp::innermost_around(tree, position);
  // In the comment behind a declaration, or the blanks before it.
  return symbol != nullptr ? symbol : lsp::symbol_on_line(tree, position.line);
}

const lsp::DocumentSymbol* find_on_line(const lsp::SymbolTree& tree, std::uint32_t line,
                                        const std::string* text, lsp::PositionEncoding encoding) {
  if (const lsp::DocumentSymbol* named = lsp::symbol_on_line(tree, line)) return named;
  lsp::Position first{line, 0};
  if (text != nullptr) {
    const lsp::DocumentText document(*text, encoding);
    if (line >= document.line_count()) return nullptr;
    const std::string_view rest = std::string_view(*text).substr(document.offset(first));
    const std::size_t blanks = std::min(rest.find_first_not_of(" \t"), rest.size());
    first = document.position(document.offset(first) + blanks);
  }
  return lsp::innermost_around(tree, first);
}

ContextSymbol find_called(const lsp::SymbolTree& tree, const std::string& name) {
  const std::vector<const lsp::DocumentSymbol*> found = lsp::symbols_called(tree, name);
  if (found.size() < 2) return symbol_or_failure(tree, found.empty() ? nullptr : found.front());
  ContextFailure failure{.reason = ContextFailure::Reason::several, .detail = {}};
  for (const lsp::DocumentSymbol* symbol : found) {
    lsp::DocumentSymbol& candidate = failure.candidates.emplace_back(*symbol);
    if (symbol->parent >= 0) {
      candidate.container_name = tree.symbols[static_cast<std::size_t>(symbol->parent)].name;
    }
  }
  return {.failure = std::move(failure)};
}

}  // namespace

ContextSymbol find_context_symbol(const lsp::SymbolTree& tree, const ContextQuestion& question,
                                  const std::string* text, lsp::PositionEncoding encoding) {
  if (question.name) return find_called(tree, *question.name);
  if (question.position) return symbol_or_failure(tree, find_at(tree, *question.position, text, encoding));
  return symbol_or_failure(tree, find_on_line(tree, question.line.value_or(0), text, encoding));
}

}  // namespace symbols::proxy
