// The older flat reply to textDocument/documentSymbol, for clients that did not declare
// hierarchicalDocumentSymbolSupport.
#pragma once

#include <string>
#include <string_view>

#include "lsp/document_symbol.h"

namespace symbols::lsp {

// SymbolInformation[] of LSP 3.17, minified, pure ASCII, in pre-order: name, kind, tags, deprecated, location
// (the document's `uri` and the symbol's whole range), and containerName: the parent's name, at top level the
// container that the server named. Empty optional members are left out. There is no member for the selection.
std::string write_symbol_information_json(const SymbolTree& tree, std::string_view uri);

}  // namespace symbols::lsp
