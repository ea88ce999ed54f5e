// SymbolInformation[], the older flat reply to textDocument/documentSymbol: read into a tree (bash and html
// servers send it even where the hierarchy is offered), and written for clients that did not declare
// hierarchicalDocumentSymbolSupport.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lsp/document_symbol.h"

namespace symbols::lsp {

// Makes the tree of symbols in the server's order whose `parent` is -1 and whose `container_name` is the
// server's:
// - Containers that the server names are believed. Of several symbols of that name the parent is the smallest
//   that contains this one (if ranges cross, the one that starts last), of the 256 that start last before it;
//   else the last that starts before it, else the first after it. A symbol without containerName is then at
//   top level, as is one whose containerName names no other symbol, which keeps it.
// - If the server names none at all (clangd), each symbol is nested in the smallest range that contains its
//   own, of equal ones the latest before it.
// The selection becomes the first occurrence of the name in the range of `document_text`, within its first
// PositionIndex::max_search bytes, else the empty range at its start.
// Nesting takes time of order n log n in the symbols, whatever their names and ranges.
SymbolTree nest_flat_symbols(std::vector<DocumentSymbol> symbols, std::string_view document_text);

// SymbolInformation[] of LSP 3.17, pure ASCII, minified, in pre-order: name, kind, tags, deprecated, location
// (the document's `uri` and the symbol's whole range), and containerName: the parent's name, at top level the
// container that the server named. Empty optional members are left out. There is no member for the selection.
std::string write_symbol_information_json(const SymbolTree& tree, std::string_view uri);

// The SymbolKinds 1 to 26 as an array, for a `valueSet`.
inline constexpr std::string_view all_symbol_kinds =
    "[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26]";

// Appends `{"start":{"line":…,"character":…},"end":{…}}`.
void append_range_json(std::string& out, const Range& range);

// Appends the members that DocumentSymbol and SymbolInformation have in common: `"kind":…`, and if the symbol
// has them `,"tags":[…]` and `,"deprecated":true`.
void append_kind_members(std::string& out, const DocumentSymbol& symbol);

}  // namespace symbols::lsp
