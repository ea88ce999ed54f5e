// The option `fold` (docs/spec.md, section 4): what a reader of an outline seldom looks for.
#pragma once

#include <string_view>

#include "table/rows.h"

namespace symbols::table {

// Leaves out what lies inside functions, methods, constructors, operators, properties, variables and
// constants, and of each run of 16 or more constants or enum members on consecutive lines all but the first
// six, if `shorten_runs`; counts them in LimitedTree::folded; of clangd's rows for one macro, each of which
// is the child of the one before with the same selection, leaves the first, called as what the macro
// declares; and leaves out imports at top level, if `document_text` (UTF-8; empty if unknown) tells them.
LimitedTree fold_locals(lsp::SymbolTree tree, std::string_view document_text = {}, bool shorten_runs = true);

}  // namespace symbols::table
