// The option `verbosity: counts` (docs/spec.md, section 4): what a file holds, in one short line.
#pragma once

#include <string>

#include "lsp/document_symbol.h"

namespace symbols::table {

// `42 symbols: 20 Method, 12 Property, 10 Function; 3 levels`: the kinds by LSP's names (the number, as in
// `255`, where it has none), the most frequent first, equally frequent ones by number. `0 symbols` where
// there are none. Printable ASCII.
std::string count_symbols(const lsp::SymbolTree& tree);

// The same as the whole text of a format that is no plain text. JSON: {"counts":"42 symbols: …"}; TOON:
// counts: "42 symbols: …".
std::string counts_as_json(const lsp::SymbolTree& tree);
std::string counts_as_toon(const lsp::SymbolTree& tree);

}  // namespace symbols::table
