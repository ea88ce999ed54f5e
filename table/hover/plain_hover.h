// Plain-text hovers, in which nothing marks the end of the signature.
#pragma once

#include <string_view>

#include "table/hover/hover_text.h"

namespace symbols::table {

// Whether `line` reads like source code rather than a sentence. `symbol_name` is the name that it would
// declare.
bool looks_like_code(std::string_view line, std::string_view symbol_name);

// The two parts, by a heuristic: if the first line reads like code, it is the signature, with the lines after
// it while a bracket is open; else everything is prose. TypeScript 7 writes documentation directly after the
// type (`f(): numberCalculates …`): it is split off if that can be recognised.
HoverText split_plain_hover(std::string_view text, std::string_view symbol_name);

}  // namespace symbols::table
