// What a question for the context of a symbol comes to, before it is put in a form: JSON for a client of the
// proxy, text for who reads the command's output.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lsp/document_symbol.h"
#include "proxy/query/answer.h"
#include "proxy/query/context_question.h"
#include "table/context_text.h"

namespace symbols::query {

// Why there is no context at all.
struct ContextFailure {
  enum class Reason {
    refused,     // the server refused documentSymbol
    unreadable,  // its symbols cannot be read
    no_symbol,   // none is at the position, on the line, of the name
    several,     // of that name
  };
  Reason reason = Reason::refused;
  std::string detail;  // refused: the server's error object; unreadable: what is wrong
  // several: those that places tell apart, each with a place where it is found as the start of its selection,
  // and its parent's name as container_name
  std::vector<lsp::DocumentSymbol> candidates{};
};

struct ContextOutcome {
  std::string text;    // as table::write_context() has it
  std::string notice;  // what a budget left out
  // Each part that failed: the member of `meta` that tells it ("_callers_error"), and the reason.
  std::vector<std::pair<std::string, std::string>> failed_parts{};
  std::size_t hovers_missing = 0;
  std::optional<ContextFailure> failure{};  // nothing else then counts
};

// Of a context that is complete: its text within the budget, if there is one, and what failed.
ContextOutcome outcome_of(table::SymbolContext context, std::optional<table::TokenLimit> max_tokens);

// As the result of workspace/executeCommand (docs/spec.md, section 7).
Answer write_context_answer(const ContextOutcome& outcome, const ContextQuestion& question);

}  // namespace symbols::query
