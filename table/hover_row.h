// The answer to a textDocument/hover request as text (docs/spec.md, section 7): the one row of the table that
// the position belongs to, so that a reader of tables needs no second notation for a hover.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "lsp/range.h"

namespace symbols::table {

// What stands in the row's cells, as it is before it is escaped. The text need live only for the call.
struct HoverRow {
  std::string_view name;             // the word at the position
  std::optional<std::int64_t> kind;  // none where no symbol has its selection there
  // Of the symbol, or the hover's own; none where neither is known.
  std::optional<lsp::Range> range;
  std::optional<lsp::Range> selection;
  std::string_view parent;  // the innermost symbol around the position; empty at top level or not known
  std::string_view hover;   // flattened (hover_text.h)
  bool kind_names = false;  // the kind as LSP's word
};

// The table's header with HOVER_INFO, one newline and the row, without a newline after it; valid UTF-8. Cells
// are escaped and written as write_table has them, an absent one is empty. PARENT has no `\^` mark: there are
// no rows that it could lead to.
//
// It reads back with read_table where kind, range and selection are there: a symbol at top level that has
// `parent` for its container_name.
std::string write_hover_row(const HoverRow& row);

}  // namespace symbols::table
