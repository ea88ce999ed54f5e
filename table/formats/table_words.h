// The fixed words and marks of the `table` format (docs/spec.md, section 2), for all writers and readers, so
// a hover's row and a document's table use the same ones.
#pragma once

#include <string_view>

#include "table/escape.h"

namespace symbols::table {

inline constexpr CellEscape table_cell_escape("|");
inline constexpr std::string_view table_separator = " | ";
inline constexpr std::string_view table_end_marker = "<<<";  // the EOL cell, in a table with HOVER_INFO

inline constexpr std::string_view table_header = "NAME | KIND | RANGE | SELECTION | PARENT";
inline constexpr std::string_view table_header_with_hover =
    "NAME | KIND | RANGE | SELECTION | PARENT | HOVER_INFO | EOL";

}  // namespace symbols::table
