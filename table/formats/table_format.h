// The formats `table` and `tsv` (docs/spec.md, section 2): one line per row, under a header. `table`, whose
// cells are joined by ` | `, is the default and what existing readers know; `tsv` is for spreadsheets, awk
// and cut. Also the one row that answers a hover.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "lsp/position.h"
#include "table/escape.h"
#include "table/field.h"
#include "table/rows.h"

namespace symbols::table {

// The fixed words and marks, which other lines of an answer use too.
inline constexpr CellEscape table_cell_escape("|");
inline constexpr std::string_view table_separator = " | ";
// The last column of a table with HOVER_INFO, and its cells.
inline constexpr std::string_view table_end_title = "EOL";
inline constexpr std::string_view table_end_marker = "<<<";

inline constexpr std::string_view table_header = "NAME | KIND | RANGE | SELECTION | PARENT";
inline constexpr std::string_view table_header_with_hover =
    "NAME | KIND | RANGE | SELECTION | PARENT | HOVER_INFO | EOL";

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

// The same with tabs between cells and a header of field names. Nothing is quoted: a tab, newline or
// backslash in a cell is `\t`, `\n`, `\\`. Not read back.
std::string write_tsv(const SymbolRows& rows, const View& view);

// The answer to a textDocument/hover request as text (docs/spec.md, section 7): the one row of the table that
// the position belongs to, so a reader of tables needs no second notation for a hover. Its cells before
// escaping; the text must live only during the call.
struct HoverRow {
  std::string_view name;             // the word at the position
  std::optional<std::int64_t> kind;  // none if no symbol has its selection there
  // Those of the symbol, or the hover's own; none if neither is known.
  std::optional<lsp::Range> range;
  std::optional<lsp::Range> selection;
  std::string_view parent;  // the innermost symbol around the position; empty at top level or if unknown
  std::string_view hover;   // flattened (hover_text.h)
  bool kind_names = false;  // the kind as LSP's word
};

// The table's header with HOVER_INFO, one newline and the row, without a newline after it; valid UTF-8. Cells
// are escaped and written as in write_table; absent ones are empty. PARENT has no `\^` mark, because there
// are no other rows to refer to.
//
// It reads back with read_table if it has kind, range and selection: as a symbol at top level with `parent`
// as its container_name.
std::string write_hover_row(const HoverRow& row);

}  // namespace symbols::table
