// The tree of signatures: what `tree` shows with verbosity `signatures` (docs/spec.md, section 2). To be read
// by people and models; nothing reads it back.
#pragma once

#include <string>

#include "table/rows.h"

namespace symbols::table {

// Lines joined by one newline, none at the end; valid UTF-8. No rows are the empty text. The signatures are
// those of rows.hover_parts, or of the details where these hold them (signature_text.h).
std::string write_tree_signatures(const SymbolRows& rows, bool kind_names, bool all_ends);

}  // namespace symbols::table
