// The diagnostics of a document, besides its symbols and in a symbol's context (docs/spec.md, section 6):
// lines of text, or LSP's Diagnostic[].
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "lsp/replies.h"
#include "table/budget.h"
#include "table/token_estimate.h"

namespace symbols::table {

// A part of an answer besides the symbols, under its own heading: its value, or the reason why there is none.
// If neither member is set, it was not requested.
template <class T>
struct ContextPart {
  std::optional<T> value{};
  std::string failure{};

  bool wanted() const { return value || !failure.empty(); }
};

// Appends, on a line of its own and without a newline after it, `# name`, or `# name: failure`.
void append_heading(std::string& out, std::string_view name, std::string_view failure = {});

// Appends the heading of a requested part; true if its value follows.
template <class T>
bool append_part_heading(std::string& out, std::string_view name, const ContextPart<T>& part) {
  if (part.wanted()) append_heading(out, name, part.value ? std::string_view() : part.failure);
  return part.value.has_value();
}

// Appends ` 10 of 37`, or ` 37` if all are shown.
void append_count(std::string& out, std::size_t shown, std::size_t total);

using Diagnostics = ContextPart<lsp::DiagnosticList>;

// "error", "warning", "information"; "hint" for any other.
std::string_view severity_word(std::int64_t severity);

// Keeps at most `most` diagnostics: those that touch `range`, if there is one, before the others, each by
// severity, the most severe first, else in the server's order.
void keep_diagnostics(lsp::DiagnosticList& list, std::size_t most,
                      const std::optional<lsp::Range>& range = std::nullopt);

// Appends, on lines of their own and without a newline at the end:
//
//   # diagnostics 2 of 7                        `# diagnostics 2` if all are shown
//   range | severity | message | source code    one each; zero-based
//
// A failed part is only its heading with the reason: `# diagnostics: not offered by the server`. A part that
// was not requested adds nothing. Text from the server is escaped as in the table's cells.
void append_diagnostics(std::string& out, const Diagnostics& part);

// The list as LSP's Diagnostic[], pure ASCII, with range, severity, code, source and message.
std::string diagnostics_json(const lsp::DiagnosticList& list);

// Appends the same as members of an object: `,"diagnostics":[…]` and, if some are left out,
// `,"diagnostics_total":31`; or `,"_diagnostics_error":"…"`; nothing if not requested.
void append_diagnostics_members(std::string& json, const Diagnostics& part);

// Where an answer has them.
enum class DiagnosticsPlace {
  behind_rows,   // lines of the same text
  lines_beside,  // lines in a member of their own
  json_beside,   // members of an object
};

// The content besides the rows for `part`. With a budget the list is first halved until it takes at most half
// of `max_tokens` (estimate_tokens) in that place.
BesideRows fit_diagnostics(Diagnostics& part, DiagnosticsPlace place,
                           std::optional<TokenLimit> max_tokens = {});

}  // namespace symbols::table
