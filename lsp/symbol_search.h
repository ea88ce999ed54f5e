// Which symbol of a document is meant by a place in it, or by a name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "lsp/document_symbol.h"

namespace symbols::lsp {

// Time is linear in the tree; the pointers are into it. A range contains the position at its end, too.

// The symbol whose selection is at the position: of several (a macro that opens three namespaces) the
// innermost; null where there is none.
const DocumentSymbol* symbol_at(const SymbolTree& tree, Position position);

// The innermost symbol whose range is around the position, or null.
const DocumentSymbol* innermost_around(const SymbolTree& tree, Position position);

// Who is meant by a line: of the symbols whose selection starts on it, the first and those within it, the
// innermost that goes on beyond the line (`namespace a { class B {`: B), else the outermost (`enum E { a, b
// };`: E, not a). Null where no selection starts there.
const DocumentSymbol* symbol_on_line(const SymbolTree& tree, std::uint32_t line);

// All symbols of exactly this name, in the tree's order.
std::vector<const DocumentSymbol*> symbols_called(const SymbolTree& tree, std::string_view name);

}  // namespace symbols::lsp
