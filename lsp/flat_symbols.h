// SymbolInformation[], the older flat reply (bash and html servers send it even where the hierarchy is
// offered), made into a tree.
#pragma once

#include <string_view>

#include "lsp/document_symbol.h"

namespace symbols::lsp {

// Makes the tree of symbols in the server's order whose `parent` is -1 and whose `container_name` is the
// server's:
// - Containers that the server names are believed. Of several symbols of that name the parent is, in this
//   order: the deepest among the previous symbol and its ancestors (the 256 deepest are looked at) whose
//   range contains this one's; the smallest other one that contains it (if ranges cross, the one that starts
//   last), of the 256 that start last before it; the deepest such ancestor that does not; the nearest in the
//   server's order. A symbol without containerName is then at top level, as is one whose containerName names
//   no other symbol, which keeps it.
// - If the server names none at all (clangd), each symbol is nested in the smallest range that contains its
//   own, of equal ones the latest before it.
// The selection becomes the first occurrence of the name in the range of `document_text`, within its first
// PositionIndex::longest_search bytes, else the empty range at its start.
// Nesting takes time of order n log n in the symbols, whatever their names and ranges.
SymbolTree nest_flat_symbols(std::vector<DocumentSymbol> symbols, std::string_view document_text);

}  // namespace symbols::lsp
