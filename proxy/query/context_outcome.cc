#include "proxy/query/context_outcome.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "lsp/json/json.h"
#include "lsp/reply.h"
#include "table/context_budget.h"
#include "table/escape.h"

namespace symbols::query {
namespace {

constexpr std::size_t most_places_listed = 20;

std::string no_symbol_text(const ContextFailure& failure, const ContextQuestion& question) {
  constexpr std::string_view advice = "textDocument/documentSymbol lists the symbols";
  if (question.name) {
    std::string near;
    for (const lsp::DocumentSymbol& symbol : failure.candidates)
      near += (near.empty() ? "; near it: " : ", ") + table::quoted(symbol.name);
    return fmt::format("there is no symbol called {}{}; {}", table::quoted(*question.name), near, advice);
  }
  const lsp::Position position = question.position.value_or(lsp::Position{question.line.value_or(0), 0});
  return fmt::format("there is no symbol at {}:{} (zero-based); {}", position.line, position.character,
                     advice);
}

std::string several_text(const ContextFailure& failure, const ContextQuestion& question) {
  std::string places;
  for (std::size_t i = 0; i < std::min(failure.candidates.size(), most_places_listed); ++i) {
    const lsp::Position start = failure.candidates[i].selection_range.start;
    places += fmt::format("{}{}:{}", i > 0 ? ", " : "", start.line, start.character);
  }
  if (failure.candidates.size() > most_places_listed) places += ", …";
  return fmt::format("{} symbols are called {}, at {} (zero-based); give the position of one",
                     failure.candidates.size(), table::quoted(question.name.value_or("")), places);
}

Answer write_failure(const ContextFailure& failure, const ContextQuestion& question) {
  std::string message;
  switch (failure.reason) {
    case ContextFailure::Reason::refused:
      return {true, failure.detail};
    case ContextFailure::Reason::unreadable:
      message = "the server's symbols cannot be read: " + failure.detail;
      break;
    case ContextFailure::Reason::no_symbol:
      message = no_symbol_text(failure, question);
      break;
    case ContextFailure::Reason::several:
      message = several_text(failure, question);
      break;
  }
  return Answer::error(lsp::error_code::request_failed, "symbols.context: " + message);
}

}  // namespace

ContextOutcome outcome_of(table::SymbolContext context, std::optional<table::TokenLimit> max_tokens) {
  ContextOutcome outcome;
  const auto tell_failure = [&outcome](const char* name, const std::string& failure) {
    if (!failure.empty()) outcome.failed_parts.emplace_back(name, failure);
  };
  tell_failure("_hover_error", context.hover_failure);
  tell_failure("_source_error", context.source.failure);
  tell_failure("_references_error", context.references.failure);
  tell_failure("_callers_error", context.callers.failure);
  tell_failure("_diagnostics_error", context.diagnostics.failure);
  if (!max_tokens) {
    outcome.text = table::write_context(context);
    return outcome;
  }
  table::BudgetedText fitted = table::fit_context(std::move(context), *max_tokens);
  outcome.text = std::move(fitted.text);
  outcome.notice = std::move(fitted.notice);
  return outcome;
}

Answer write_context_answer(const ContextOutcome& outcome, const ContextQuestion& question) {
  if (outcome.failure) return write_failure(*outcome.failure, question);
  std::string json = R"({"success":true,"format":"table","symbols":)";
  lsp::append_json_string(json, outcome.text);
  json += meta_member(outcome.hovers_missing, outcome.notice, outcome.failed_parts);
  return {false, json + '}'};
}

}  // namespace symbols::query
