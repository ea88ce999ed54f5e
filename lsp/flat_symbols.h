// SymbolInformation[], the older flat reply (bash and html servers send it even where the hierarchy is
// offered), made into a tree.
#pragma once

#include <string_view>

#include "lsp/document_symbol.h"

namespace symbols::lsp {

// Makes the tree of symbols in the server's order whose `parent` is -1 and whose `container_name` is the
// server's:
// - A server that names containers is taken at its word. Of several symbols of that name the parent is, in
//   this order: one among the ancestors of the symbol before it (and that symbol; the 64 deepest are looked
//   at) whose range contains this one's, the deepest first; the smallest one elsewhere that contains it
//   (where ranges cross, the one that starts last); the deepest such ancestor that does not; the nearest in
//   the server's order. A symbol without containerName is then at top level, and one whose containerName
//   names no other symbol stays there and keeps it.
// - A server that names none at all (clangd) is nested by containment: the smallest range that contains this
//   one's, of equal ones the latest before it.
// The selection becomes the first place where the name stands in the range of `document_text`, within the
// first PositionIndex::longest_search bytes of it, else the empty range at its start.
// Nesting takes time of order n log n in the symbols, whatever their names and ranges.
SymbolTree nest_flat_symbols(std::vector<DocumentSymbol> symbols, std::string_view document_text);

}  // namespace symbols::lsp
