// Plain-text hovers, in which nothing marks where the signature ends.
#pragma once

#include <string_view>

#include "table/hover/hover_text.h"

namespace symbols::table {

// Whether `line` reads like source code rather than a sentence. `symbol_name` is the name that it would
// declare.
bool looks_like_code(std::string_view line, std::string_view symbol_name);

// The two parts as well as can be told: the first line is the signature, with the lines after it while a
// bracket is open, where it reads like code; else all is prose. TypeScript 7 writes documentation right after
// the type
// (`f(): numberCalculates …`): it is cut off where that can be recognised.
HoverText split_plain_hover(std::string_view text, std::string_view symbol_name);

}  // namespace symbols::table
