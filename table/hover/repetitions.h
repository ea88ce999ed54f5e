// What a hover repeats of its row, server by server, which nobody needs to read twice (docs/spec.md, section
// 3).
#pragma once

#include <string_view>

#include "table/hover/hover_text.h"

namespace symbols::table {

// Removes it from both parts of `hover`, which are one line each. `symbol_name` is the name in the row; if it
// is empty, little is recognised.
void drop_repetitions(HoverText& hover, std::string_view symbol_name);

}  // namespace symbols::table
