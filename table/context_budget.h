// A budget in tokens for everything about one symbol (docs/spec.md, sections 5 and 6).
#pragma once

#include "table/budget.h"
#include "table/context_text.h"

namespace symbols::table {

// The context as write_context() has it, in at most `max_tokens` (estimated). These are dropped, in this
// order and only as far as needed, one by one from the end: the hovers of the children; the children; source
// lines; references; callers; diagnostics; then the prose of the symbol's hover; then the characters of its
// signature. What the last of them leaves of the budget goes to the ones before. A heading stays and has the
// full count (`# references 0 of 37`). The last line lists what is missing:
//
//   # truncated: 1210 -> 388 tokens; dropped: 24 hovers of children, 24 children, 20 source lines
//
// If the budget is too small, the parts that are never dropped are returned: the table's header, the symbol's
// row without a hover, the headings, the reasons of parts that failed, and the notice. They take about 150
// tokens, more with long names and reasons.
BudgetedText fit_context(SymbolContext context, TokenLimit max_tokens);

}  // namespace symbols::table
