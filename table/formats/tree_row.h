// What ends a name in a row of the `tree` format: shared by writer and reader, so they cannot disagree
// (tree_format.h has the grammar).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "table/escape.h"

namespace symbols::table {

// Spaces and marks are escaped in a name only where they would have a meaning, so written names need no
// delimiters, and names that are read may contain them.
inline constexpr CellEscape tree_text_escape("");
inline constexpr CellEscape tree_name_escape(" #=?");

// An empty name, or a name, kind or selection that the view does not show.
inline constexpr char tree_not_shown = '?';

// Deeper rows have their level as a number; the indentation of 100,000 levels would take gigabytes.
inline constexpr std::size_t tree_deepest_indent = 100;
inline constexpr std::string_view tree_level_mark = "\\^";

inline constexpr std::string_view tree_container_key = "in";  // a container_name that names no row

// Whether a place starts here, as it may after a name and a space: a kind, then a digit, `@`, a space, a tab
// or the end.
bool starts_tree_place(std::string_view text);

// Appends the escaped name. `name` may be anything.
void append_tree_name(std::string& out, std::string_view name);

// The length of the name, still escaped, at the start of `text`: up to a space that a place follows. All of
// `text` if there is none.
std::size_t tree_name_length(std::string_view text);

}  // namespace symbols::table
