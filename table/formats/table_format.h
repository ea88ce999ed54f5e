// The fixed words and marks of the format `table`, which other lines of an answer use too, and the one row
// that answers a hover.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "lsp/position.h"
#include "table/escape.h"

namespace symbols::table {

inline constexpr CellEscape table_cell_escape("|");
inline constexpr std::string_view table_separator = " | ";
// The last column of a table with HOVER_INFO, and its cells.
inline constexpr std::string_view table_end_title = "EOL";
inline constexpr std::string_view table_end_marker = "<<<";

inline constexpr std::string_view table_header = "NAME | KIND | RANGE | SELECTION | PARENT";
inline constexpr std::string_view table_header_with_hover =
    "NAME | KIND | RANGE | SELECTION | PARENT | HOVER_INFO | EOL";

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
// are escaped and written as in write_table(); absent ones are empty. PARENT has no `\^` mark, because there
// are no other rows to refer to.
//
// It reads back with read_table() if it has kind, range and selection: as a symbol at top level with `parent`
// as its container_name.
std::string write_hover_row(const HoverRow& row);

}  // namespace symbols::table
