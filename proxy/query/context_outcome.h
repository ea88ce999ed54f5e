// The outcome of a question for a symbol's context, before it is written: as JSON for a client of the proxy,
// as text by the command.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lsp/document_symbol.h"
#include "proxy/query/answer.h"
#include "proxy/query/context_question.h"

namespace symbols::query {

// Why there is no context at all.
struct ContextFailure {
  enum class Reason {
    refused,     // the server refused documentSymbol
    unreadable,  // its symbols cannot be read
    no_symbol,   // none at the position, on the line, or of the name
    several,     // more than one has the name
  };
  Reason reason = Reason::refused;
  std::string detail;  // refused: the server's error object; unreadable: what is wrong
  // no_symbol of a name: those that may have been meant. several: those that a position can tell apart. Each
  // has as the start of its selection a position that finds it, and as container_name its parent's name.
  std::vector<lsp::DocumentSymbol> candidates{};
};

struct ContextOutcome {
  std::string text;    // written by table::write_context()
  std::string notice;  // what a budget left out
  // Each part that failed: its member of `meta` ("_callers_error"), and the reason.
  std::vector<std::pair<std::string, std::string>> failed_parts{};
  // Asked by name: those that have it as well, outside of the symbol; as ContextFailure's candidates.
  std::vector<lsp::DocumentSymbol> others{};
  std::size_t hovers_missing = 0;
  // All requests were answered: the same question about the same sources has the same outcome.
  bool is_repeatable = false;
  std::optional<ContextFailure> failure{};  // if set, the rest means nothing
};

// Writes it as the result of workspace/executeCommand (docs/spec.md, section 7).
Answer write_context_answer(const ContextOutcome& outcome, const ContextQuestion& question);

}  // namespace symbols::query
