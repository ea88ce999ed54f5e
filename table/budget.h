// A budget in tokens (docs/spec.md, section 5): what an answer drops to keep it, and the reader's notice.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "table/rows.h"
#include "table/token_estimate.h"

namespace symbols::table {

// A format: the rows as the view shows them, and the notice if it is not empty. JSON has the notice in a
// member `truncated`, text at the end (append_notice).
using RowsWriter =
    std::function<std::string(const SymbolRows& rows, const View& view, std::string_view notice)>;

// Appends the line `# truncated: <notice>`, which no row of any format looks like, without a newline after
// it. Appends nothing if the notice is empty.
void append_notice(std::string& text, std::string_view notice);

// Content of an answer besides the rows, such as a document's diagnostics, within the same budget.
struct BesideRows {
  std::string lines{};     // after the rows and before the notice, without a newline at the end
  std::size_t tokens = 0;  // of other parts of the answer that count with the text
  // Already removed for the budget: as the notice names it ("53 diagnostics"), and its tokens.
  std::string given_up{};
  std::size_t tokens_given_up = 0;
};

struct BudgetedText {
  std::string text{};
  std::string
      notice{};  // "3500 -> 998 tokens; dropped: hover, levels>2, 37 rows"; empty if nothing is missing
  std::size_t tokens = 0;  // of the text, by estimate_tokens, and of the content besides it
};

// The rows as `write` writes them. Over `max_tokens`, these are dropped in this order, only as far as needed:
//   1. the prose of the hovers (if hover_parts has it) and the field doc: a hover becomes its signature
//   2. the hovers and the field signature
//   3. selection and every other field except name, kind, range, lines and parent; then parent (the verbosity
//      `minimal`)
//   4. the deepest levels, one by one, down to the top level
//   5. rows from the end
// The rest of the budget is filled from the top: the first rows keep their prose (after 1) or the hover's
// signature (after 2 and 3), and of the level that was dropped last the first rows stay (after 4).
//
// The notice, which counts like the rest of the text, names what was dropped: `hover prose`, then fields by
// name (those of hovers if there are any), each with ` of the last 12 rows` if the rows before have it; then
// `levels>N` (levels below the N-th) with ` but 5 rows` if these are shown, then the number of missing rows:
// `levels>1, 120 rows (37 from the end)`.
//
// If the budget is too small even for a text without rows, that text with the notice is returned, and its
// `tokens` exceed the budget; if even that takes more than the whole text, the whole text. The same input
// gives the same text. `write` is called about 10 times, plus the binary logarithm of the number of rows, and
// appends the lines of `beside`.
BudgetedText fit_budget(SymbolRows rows, View view, TokenLimit max_tokens, const RowsWriter& write,
                        const BesideRows& beside = {});

// The greatest number below `too_many` for which `fit` holds; 0 if it holds for none from 1 on. `fit` may be
// false for a number only if it is for all greater ones.
template <class Fit>
std::size_t most_that_fits(std::size_t too_many, Fit fit) {
  std::size_t found = 0;
  while (too_many > found + 1) {
    const std::size_t tried = found + (too_many - found) / 2;
    (fit(tried) ? found : too_many) = tried;
  }
  return found;
}

// A text with a notice that includes its own token count; `written` gives the one with a number of tokens.
// The count depends on its number of digits, so it is found by trying, first with the budget `most`;
// more digits never take fewer tokens.
template <class Written>
BudgetedText with_own_count(std::size_t most, Written written) {
  std::size_t count = most;
  BudgetedText result = written(count);
  for (int i = 0; i < 3 && result.tokens != count; ++i) {
    count = result.tokens;
    result = written(count);
  }
  return result;
}

}  // namespace symbols::table
