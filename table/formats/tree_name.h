// Names in the `tree` format: its writer and its reader use the same functions here, so that they cannot
// disagree (docs/spec.md, section 2, has the grammar).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "table/escape.h"

namespace symbols::table {

inline constexpr CellEscape tree_text_escape("");
inline constexpr CellEscape tree_quoted_escape("`");

// Replaces a name or a kind that the view does not show.
inline constexpr std::string_view tree_not_shown = "?";
inline constexpr char tree_quote = '`';

// Appends the name, in backticks if it could be read as something else. `name` may be anything.
// `after_place`: the name directly follows a place, so it cannot be read as a place itself.
void append_tree_name(std::string& out, std::string_view name, bool after_place);

// Where the columns at the end of a plain symbol start, as in `name:13-1@13+2`; its length if it has none. At
// least one character is left for the name.
std::size_t tree_columns_start(std::string_view symbol);

// The length of a place with a line at the start of `text` (`f23`, `c28-44`, `<255>3`); 0 if there is none.
// Whether its numbers are in range is not checked.
std::size_t tree_place_length(std::string_view text);

// How many UTF-16 units the name takes in the source: 8 for an operator; else the part before the first `<`,
// of that what follows the last `.` or `:`. `name` must be valid UTF-8.
std::uint64_t tree_name_length(std::string_view name);

}  // namespace symbols::table
