// Symbols as LSP's JSON, minified.
#pragma once

#include <string>
#include <string_view>

#include "lsp/document_symbol.h"
#include "lsp/range.h"

namespace symbols::lsp {

// The SymbolKinds 1 to 26 as an array, for a `valueSet`.
inline constexpr std::string_view all_symbol_kinds =
    "[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26]";

// Appends `{"start":{"line":…,"character":…},"end":{…}}`.
void append_range_json(std::string& out, const Range& range);

// Appends the members that DocumentSymbol and SymbolInformation have in common: `"kind":…`, and if the symbol
// has them `,"tags":[…]` and `,"deprecated":true`.
void append_kind_members(std::string& out, const DocumentSymbol& symbol);

// The older flat reply to textDocument/documentSymbol, for clients that did not declare
// hierarchicalDocumentSymbolSupport: SymbolInformation[] of LSP 3.17, pure ASCII, in pre-order: name, kind,
// tags, deprecated, location (the document's `uri` and the symbol's whole range), and containerName: the
// parent's name, at top level the container that the server named. Empty optional members are left out. There
// is no member for the selection.
std::string write_symbol_information_json(const SymbolTree& tree, std::string_view uri);

}  // namespace symbols::lsp
