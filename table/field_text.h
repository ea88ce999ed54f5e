// The fields that are derived from a row's others (docs/spec.md, section 1, "Further fields on request").
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lsp/document_symbol.h"
#include "lsp/range.h"

namespace symbols::table {

// The field `lines`: the lines that a range touches, one-based, both included: `53-59`, and `53` where it is
// one. A range that ends before a line's first character does touch that line, as editors show it.
std::string lines_text(const lsp::Range& range);

// The field `doc`: the first sentence of a hover's prose (one line of valid UTF-8), with its mark; all of it
// where no sentence ends. `e.g.`, `i.e.` and what goes on in small letters end none; a tag (`@param`) ends
// one.
std::string_view first_sentence(std::string_view prose);

// The field `children`: how many direct ones each symbol has.
std::vector<std::uint32_t> child_counts(const lsp::SymbolTree& tree);

}  // namespace symbols::table
