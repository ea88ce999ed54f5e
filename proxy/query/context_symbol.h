// Finds the symbol of a document that a question for context is about.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "lsp/document_symbol.h"
#include "lsp/position.h"
#include "proxy/query/context_question.h"

namespace symbols::query {

struct ContextSymbol {
  std::size_t index = 0;                      // in the tree
  std::optional<ContextFailure> failure{};    // why there is none; `index` then means nothing
  std::vector<lsp::DocumentSymbol> others{};  // ContextOutcome's
};

// lsp/symbol_search.h says which symbol a position means. `text`: the document's (valid UTF-8), null if it is
// not known.
ContextSymbol find_context_symbol(const lsp::SymbolTree& tree, const ContextQuestion& question,
                                  const std::string* text, lsp::PositionEncoding encoding);

}  // namespace symbols::query
