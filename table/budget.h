// A budget in tokens (docs/spec.md, section 5): what an answer gives up to take about so many at the most,
// and how its reader is told.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "table/field.h"
#include "table/rows.h"

namespace symbols::table {

// A format: what the view shows of the rows, and the notice where it is not empty. It goes into a member
// `truncated` as it is, or, in text, to the end with append_notice.
using RowsWriter =
    std::function<std::string(const SymbolRows& rows, const View& view, std::string_view notice)>;

// Appends the line `# truncated: <notice>`, which no row of any format looks like, and no newline behind it.
// Nothing where the notice is empty.
void append_notice(std::string& text, std::string_view notice);

// What an answer tells beside the rows, such as a document's diagnostics, within the same budget.
struct BesideRows {
  std::string lines{};     // behind the rows and before the notice, without a newline at the end
  std::size_t tokens = 0;  // of what stands elsewhere in the answer and counts with the text
  // What the budget has taken of it already: as the notice names it ("53 diagnostics"), and its tokens.
  std::string given_up{};
  std::size_t tokens_given_up = 0;
};

struct BudgetedText {
  std::string text;
  std::string notice;  // "3500 -> 998 tokens; dropped: hover, levels>2, 37 rows"; empty where all is there
  std::size_t tokens = 0;  // of the text, by estimate_tokens, and of what stands beside it
};

// The rows as `write` has them if that takes at most `max_tokens`, else without, in this order and only as
// far as needed:
//   1. the prose of the hovers (where hover_parts tell it) and the field doc: a hover becomes its signature
//   2. the hovers and the field signature
//   3. selection, parent and every other field but name, kind, range and lines (the verbosity `minimal`)
//   4. the deepest levels, one by one, down to the top level
//   5. rows from the end
// The notice names what is gone: `hover prose`, then fields by their names (those of hovers where there are
// any), then `levels>N` (levels below the N-th), then how many rows are missing in all, and how many of these
// are missing from the end of what the level limit left, where there are both: `levels>1, 120 rows (37 from
// the end)`.
//
// The notice counts like the rest of the text. Where the budget is too small even for a text without rows,
// that text with the notice is what comes, and its `tokens` are over; where even that takes more than all of
// it, all of it comes. Where none of the view's fields remains the view is name, kind and range. The same
// input gives the same text. `write` is called about 10 times, plus the binary logarithms of the number of
// levels and of rows at top level. Of `beside` the tokens and what was given up count here; its lines are for
// `write` to append.
BudgetedText fit_budget(SymbolRows rows, View view, std::size_t max_tokens, const RowsWriter& write,
                        const BesideRows& beside = {});

// Why there is no budget with the format `json`, for the option that a user knows as `option`.
Error json_has_no_budget(std::string_view option);

}  // namespace symbols::table
