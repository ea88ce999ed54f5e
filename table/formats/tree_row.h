// What ends a name in a row of the `tree` format: its writer and its reader ask the same questions here, so
// that they cannot disagree (tree_format.h has the grammar).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "table/escape.h"

namespace symbols::table {

// Blanks and marks are escaped in a name only where they would mean something, so what is written needs no
// delimiters, and what is read may have these.
inline constexpr CellEscape tree_text_escape("");
inline constexpr CellEscape tree_name_escape(" #=?");

// A name that is empty, or that the view does not show; a kind and a selection that it does not show.
inline constexpr char tree_not_shown = '?';

// Deeper rows tell their level as a number, else the blanks before 100,000 levels would be gigabytes.
inline constexpr std::size_t tree_deepest_indent = 100;
inline constexpr std::string_view tree_level_mark = "\\^";

inline constexpr std::string_view tree_container_key = "in";  // a container_name that names no row

// Whether a place starts here, which is what follows the first blank after a name: a kind, then a digit, `@`,
// a blank, a tab or the end.
bool starts_tree_place(std::string_view text);

// Appends the name as the reader will find it. `name` may be anything.
void append_tree_name(std::string& out, std::string_view name);

// The length of the name, still escaped, at the start of `text`: up to a blank behind which a place starts.
// All of it where there is none.
std::size_t tree_name_length(std::string_view text);

}  // namespace symbols::table
