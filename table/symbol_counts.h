// The option `verbosity: counts` (docs/spec.md, section 4): a file's content in one short line.
#pragma once

#include <string>

#include "lsp/document_symbol.h"

namespace symbols::table {

// `42 symbols: 20 Method, 12 Property, 10 Function; 3 levels`: the kinds by LSP's names (or the number, as in
// `255`), the most frequent first, equally frequent ones by number. `0 symbols` if there are none. Printable
// ASCII.
std::string count_symbols(const lsp::SymbolTree& tree);

// The same as the whole text of a format that is not plain text. JSON: {"counts":"42 symbols: …"}; TOON:
// counts: "42 symbols: …".
std::string counts_as_json(const lsp::SymbolTree& tree);
std::string counts_as_toon(const lsp::SymbolTree& tree);

}  // namespace symbols::table
