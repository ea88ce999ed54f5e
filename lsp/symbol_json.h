// Writes the members that DocumentSymbol and SymbolInformation have in common.
#pragma once

#include <string>

#include "lsp/document_symbol.h"
#include "lsp/range.h"

namespace symbols::lsp {

// Appends `{"start":{"line":…,"character":…},"end":{…}}`.
void append_range_json(std::string& out, const Range& range);

// Appends `"kind":…`, and `,"tags":[…]` and `,"deprecated":true` if the symbol has them.
void append_kind_members(std::string& out, const DocumentSymbol& symbol);

}  // namespace symbols::lsp
