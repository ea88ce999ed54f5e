// What is wrong with a document, as it is told beside its symbols and in the context of one (docs/spec.md,
// section 6): lines of text, or LSP's own Diagnostic[].
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "lsp/diagnostic.h"
#include "table/budget.h"
#include "table/context_part.h"

namespace symbols::table {

using Diagnostics = ContextPart<lsp::DiagnosticList>;

// Keeps at most `most` diagnostics: those that touch `range` before the others, among each the worst first,
// else in the server's order.
void keep_diagnostics(lsp::DiagnosticList& list, const lsp::Range& range, std::size_t most);
// The same for a whole document: the worst first.
void keep_diagnostics(lsp::DiagnosticList& list, std::size_t most);

// Appends, on lines of their own and without a newline at the end:
//
//   # diagnostics 2 of 7                        `# diagnostics 2` where all are shown
//   range | severity | message | source code    one each; zero-based
//
// A part that failed is its heading alone, with the reason: `# diagnostics: not offered by the server`;
// nothing of one that nobody wants. What comes from the server is escaped as in the table's cells.
void append_diagnostics(std::string& out, const Diagnostics& part);

// The list as LSP's Diagnostic[], pure ASCII, with range, severity, code, source and message.
std::string diagnostics_json(const lsp::DiagnosticList& list);

// Appends the members that tell the same in an object: `,"diagnostics":[…]` and, where some are left out,
// `,"diagnostics_total":31`; or `,"_diagnostics_error":"…"`; nothing of what nobody wants.
void append_diagnostics_members(std::string& json, const Diagnostics& part);

// Where an answer tells them.
enum class DiagnosticsPlace {
  behind_rows,   // lines of the same text
  lines_beside,  // lines in a member of their own
  json_beside,   // members of an object
};

// What stands beside the rows because of `part`. Where there is a budget the list is halved before, until it
// takes no more than half of `max_tokens` (estimate_tokens) in that place.
BesideRows fit_diagnostics(Diagnostics& part, DiagnosticsPlace place,
                           std::optional<std::size_t> max_tokens = {});

}  // namespace symbols::table
