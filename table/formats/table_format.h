// The `table` format (docs/spec.md, section 2): one line per row, cells joined by ` | `, under a header. The
// default, and the one that existing readers know.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "table/field.h"
#include "table/rows.h"

namespace symbols::table {

// The rows as a table of the fields that `view` shows, in its order; EOL comes last where HOVER_INFO is among
// them. Always the header, lines joined by one newline, none at the end; valid UTF-8.
//
// Where the reader would take a PARENT for another row than the parent, the cell ends in `\^D`, D the
// parent's depth. Our addition to that rule: a container_name that names no row, but that the reader would
// find on the path, ends in `\^` and no number ("no row").
std::string write_table(const SymbolRows& rows, const View& view);

// With name, kind, range, selection and parent, and the hover where `rows.with_hover`.
std::string write_table(const SymbolRows& rows);

// The rows of a table: read_table(write_table(rows, view)) gives `rows` back but for what its columns do not
// hold. Columns may stand in any order; a kind is a number or a word. Without SELECTION a row gets the empty
// range at its start, without PARENT nesting comes from DEPTH. Also read: one newline at the end, lines ended
// by CR LF, and a last cell that is empty and has lost its blank, as editors and mail leave a table. A last
// line `# truncated: …` is passed over.
//
// Errors: a column missing that rows cannot be made without, unknown or given twice (named); a row with a
// wrong number of cells; a cell that is not what its column holds; a PARENT whose `\^D` tells no row of that
// name. The message says line and column (in characters), both from 1, and what was expected there.
Result<SymbolRows> read_table(std::string_view text);

}  // namespace symbols::table
