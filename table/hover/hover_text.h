// A server's hover in one line: signature, then documentation (docs/spec.md, section 3, "Hover text").
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "lsp/document_symbol.h"
#include "lsp/replies.h"

namespace symbols::table {

// The two parts of a hover. Each is one line of valid UTF-8, whitespace folded to single spaces, not escaped
// for any format; either may be empty.
struct HoverText {
  std::string signature;  // the code, in the server's own words: `(method) C.f(): void`
  std::string prose;      // documentation first, then the server's additions (clangd's `Type: int`)

  bool operator==(const HoverText&) const = default;
};

// Takes any hover; one without parts gives two empty strings. `symbol_name` is the name in the hover's row;
// it helps to recognise text that only repeats it. Time is linear in the size of the hover.
HoverText split_hover(const lsp::Hover& hover, std::string_view symbol_name = {});

// The hover in a row of `symbol`: empty if it is what an import or a re-export refers to (TypeScript's
// `(alias) ...`), or the definition of the macro of which the row is a use (clangd).
HoverText row_hover(const lsp::DocumentSymbol& symbol, HoverText text);

// "signature - prose", or whichever exists, with at most `max_characters`: the prose is cut by `cut_text`,
// a signature that is longer than that by `cut_signature` (one_line.h). 0 means no limit. The text of the
// column HOVER_INFO, not yet escaped.
std::string join_hover(const HoverText& hover, std::size_t max_characters = 0);

inline constexpr std::size_t default_hover_characters = 200;

}  // namespace symbols::table
