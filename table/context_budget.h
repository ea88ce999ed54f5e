// A budget in tokens for everything about one symbol (docs/spec.md, sections 5 and 6).
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "table/context_text.h"

namespace symbols::table {

struct FittedContext {
  std::string text;    // as write_context() has it
  std::string notice;  // what was left out, as in the text's last line; empty where all is there
};

// The context as a text of at most `max_tokens` (estimated), if there is a limit. It gives up, in this order
// and only as far as needed: the hovers of the children; the children; source lines; references; callers;
// diagnostics, each halved until it fits or none is left; then the prose of the symbol's hover; then its
// signature, halved likewise. A heading stays and tells how many there are (`# references 0 of 37`). The last
// line says what is missing:
//
//   # truncated: 1210 -> 388 tokens; dropped: hovers of children, 12 children, 20 source lines
//
// Where the budget is too small for what cannot be given up, that is what comes: the table's header, the
// symbol's row without a hover, the headings, the reasons of parts that failed, and the notice. That takes
// some 150 tokens, more where names and reasons are long.
FittedContext fit_context(SymbolContext context, std::optional<std::size_t> max_tokens);

}  // namespace symbols::table
