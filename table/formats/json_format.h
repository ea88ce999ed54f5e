// The `json` format where it is built anew (docs/spec.md, section 2): LSP's own DocumentSymbol[]. As a
// proxy's reply to its client the server's bytes pass instead, unless options changed the rows.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "table/field.h"
#include "table/rows.h"

namespace symbols::table {

// The rows as DocumentSymbol[] (LSP 3.17, "Document Symbols Request"), minified, pure ASCII (`\uXXXX`).
// Members: name, detail if not empty, kind, tags if any, deprecated if true, range, selectionRange, children,
// which some clients need to be present and is an empty array on leaves. Where the view shows the hover a
// row's hover, unless empty, stands in `detail` in place of the server's; nothing else of the view counts, as
// LSP says what a DocumentSymbol has and that its kind is a number. An unresolved container_name is left out:
// no member of DocumentSymbol can hold it.
std::string write_json(const SymbolRows& rows, const View& view);

// The rows of a DocumentSymbol[], or of the older SymbolInformation[], whose nesting is rebuilt; null is no
// rows. They have no hovers: what stands in `detail` is a detail, whoever wrote it. Errors: not JSON, not of
// that shape, or more behind it; the message says line and column, both from 1.
Result<SymbolRows> read_json(std::string_view text);

}  // namespace symbols::table
