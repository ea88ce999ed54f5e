// A symbol's signature in its name's stead, as short as it can be without losing what it is for: what `tree`
// shows with verbosity `signatures` (docs/spec.md, section 2).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "table/rows.h"

namespace symbols::table {

// Whether the server's details hold the signatures, so that no hover is needed for them: the detail of a
// function, method or constructor has parameters (gopls, rust-analyzer, clangd).
bool details_hold_signatures(const SymbolRows& rows);

inline constexpr std::size_t longest_signature = 120;  // Unicode scalar values

// Both begin with the name, have at most that many characters, and are not escaped. `has_members`: rows
// show what is in the symbol's body. Time is quadratic in the size of a signature at worst, of which no more
// than the first 2,000 bytes are looked at.
std::string signature_from_detail(const lsp::DocumentSymbol& symbol);
std::string signature_from_hover(const lsp::DocumentSymbol& symbol, std::string_view signature,
                                 bool has_members);

}  // namespace symbols::table
