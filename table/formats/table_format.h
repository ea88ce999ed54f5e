// The `table` format (docs/spec.md, section 2): one line per row, cells joined by ` | `, under a header. The
// default, and the format that existing readers know.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "table/field.h"
#include "table/rows.h"

namespace symbols::table {

// The rows as a table of the fields that `view` shows, in its order; EOL comes last if HOVER_INFO is among
// them. There is always a header, lines joined by one newline, none at the end; valid UTF-8.
//
// If the reader would resolve PARENT to another row, the cell ends in `\^D`, D the parent's depth. Our
// addition to that rule: a container_name that names no row, but that the reader would find on the path, ends
// in `\^` without a number ("no row").
std::string write_table(const SymbolRows& rows, const View& view);

// The rows of a table: read_table(write_table(rows, view)) gives `rows` back, except what its columns do not
// hold. Columns may be in any order; a kind is a number or a word. Without SELECTION a row gets the empty
// range at its start, without PARENT nesting comes from DEPTH. Also accepted: one newline at the end, CR LF
// line ends, and an empty last cell without its trailing space, which editors and mail remove. A last line `#
// truncated: …` is skipped.
//
// Errors: a required column is missing, or a column is unknown or duplicate (named); a row with a wrong
// number of cells; a cell that does not fit its column; a PARENT with a `\^D` that matches no row of that
// name. The message has line and column (in characters), both from 1, and what was expected there.
Result<SymbolRows> read_table(std::string_view text);

}  // namespace symbols::table
