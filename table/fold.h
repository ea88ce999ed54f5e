// The option `fold` (docs/spec.md, section 4): what a reader of an outline seldom looks for.
#pragma once

#include <string_view>

#include "table/rows.h"

namespace symbols::table {

// Leaves out what lies inside functions, methods, constructors, operators, properties, variables and
// constants, and of each run of 16 or more constants or enum members on consecutive lines all but the first
// six, if `shorten_runs`; counts them in Row::folded; of clangd's rows for one macro, which
// have the same selection, leaves one for each symbol that the macro declares, called as that symbol; and
// leaves out imports at top level, if `document_text` (UTF-8; empty if unknown) has them. What was folded
// before counts too.
SymbolRows fold_locals(SymbolRows rows, std::string_view document_text = {}, bool shorten_runs = true);

}  // namespace symbols::table
