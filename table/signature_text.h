// Signatures: code that is shortened without a parser, by its brackets, in any language: `(`, `[`, `{`, and
// `<` unless it compares. A wrong guess only changes how a signature is shortened.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "table/rows.h"

namespace symbols::table {

// Whether a bracket opens, or closes, at `at`, which is in `code`.
bool opens_bracket(std::string_view code, std::size_t at);
bool closes_bracket(std::string_view code, std::size_t at);

// The offset after the bracket that closes the one at `open`; the size if there is none.
std::size_t bracket_end(std::string_view code, std::size_t open);

// The offset of `name` outside brackets, at the start or directly after one of the characters `before`, and
// not as part of a longer word; npos if it is nowhere.
std::size_t find_outside_brackets(std::string_view code, std::string_view name, std::string_view before);

// `signature` with at most `max_characters`: parameters are left out from the end, so that the result stays
// (`f(a: A, …): R`). If what is around the list is too long, so is what is before the name: `… f(a: A): R`.
// If the type parameters of an alias take half of that, they go first: `type X<…> = …`. If that is too long
// as well, without a list of parameters, or with nothing after it: as cut_text() does.
std::string cut_signature(std::string_view signature, std::size_t max_characters);

// Whether the server's details hold the signatures, so that no hover is needed for them: the detail of a
// function, method or constructor has parameters (gopls, rust-analyzer, clangd).
bool details_hold_signatures(const SymbolRows& rows);

inline constexpr std::size_t max_signature = 120;  // Unicode scalar values

// A symbol's signature in its name's stead, as short as it can be without losing what it is for: what `tree`
// shows with verbosity `signatures` (docs/spec.md, section 2). Both begin with the name, have at most that
// many characters, and are not escaped. `has_members`: rows show what is in the symbol's body. Time is
// quadratic in the size of a signature at worst, of which no more than the first 2,000 bytes are looked at.
std::string signature_from_detail(const lsp::DocumentSymbol& symbol);
std::string signature_from_hover(const lsp::DocumentSymbol& symbol, std::string_view signature,
                                 bool has_members);

}  // namespace symbols::table
