// Finds the symbol of a document that a position or a line means.
#pragma once

#include <cstdint>

#include "lsp/document_symbol.h"

namespace symbols::lsp {

// All take time linear in the tree; the pointers are into it. Here a range contains the position at its end,
// too.

// The symbol whose selection contains the position: of several (a macro that opens three namespaces) the
// innermost; null if there is none.
const DocumentSymbol* symbol_at(const SymbolTree& tree, Position position);

// The innermost symbol whose range contains the position, or null.
const DocumentSymbol* innermost_around(const SymbolTree& tree, Position position);

// The symbol that a line means: of the first symbol whose selection starts on it and those inside it, the
// innermost that continues past the line (`namespace a { class B {`: B), else the outermost (`enum E { a, b
// };`: E, not a). Null if no selection starts on the line.
const DocumentSymbol* symbol_on_line(const SymbolTree& tree, std::uint32_t line);

}  // namespace symbols::lsp
