// The `json` format where it is built anew (docs/spec.md, section 2): LSP's own DocumentSymbol[]. As a
// proxy's reply to its client the server's bytes pass instead, unless options changed the rows.
#pragma once

#include <string>

#include "table/rows.h"

namespace symbols::table {

// The rows as DocumentSymbol[] (LSP 3.17, "Document Symbols Request"), minified, pure ASCII (`\uXXXX`).
// Members: name, detail if not empty, kind, tags if any, deprecated if true, range, selectionRange, children
// if any. With `hover_as_detail` a row's hover, unless empty, stands in `detail` in place of the server's. An
// unresolved container_name is left out: no member of DocumentSymbol can hold it.
std::string write_document_symbols_json(const SymbolRows& rows, bool hover_as_detail);

}  // namespace symbols::table
