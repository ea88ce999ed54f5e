#include "proxy/query/context_question.h"

#include <fmt/format.h>

#include <algorithm>

#include "lsp/json/json.h"
#include "lsp/json/raw_json.h"
#include "lsp/requests.h"
#include "lsp/unicode.h"
#include "proxy/options/option_table.h"
#include "proxy/query/request_params.h"
#include "table/context_text.h"
#include "table/escape.h"
#include "table/formats/format.h"

namespace symbols::query {
namespace {

Error wrong(std::string_view what) {
  return {fmt::format("symbols.context: {}", what),
          R"(give [{"textDocument":{"uri":…},"position":{"line":…,"character":…}}], or a "name" in place of )"
          R"(the position)"};
}

constexpr std::size_t max_places_listed = 20;

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

// `what`: such as "symbols are".
std::string places_text(std::string_view what, const std::vector<lsp::DocumentSymbol>& symbols,
                        const ContextQuestion& question) {
  std::string places;
  for (std::size_t i = 0; i < std::min(symbols.size(), max_places_listed); ++i) {
    const lsp::Position start = symbols[i].selection_range.start;
    places += fmt::format("{}{}:{}", i > 0 ? ", " : "", start.line, start.character);
  }
  if (symbols.size() > max_places_listed) places += ", …";
  return fmt::format("{} {} called {}, at {} (zero-based)", symbols.size(), what,
                     table::quoted(question.name.value_or("")), places);
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
      message = places_text("symbols are", failure.candidates, question) + "; give the position of one";
      break;
  }
  return Answer::error(lsp::error_code::request_failed, "symbols.context: " + message);
}

std::string loading_word(const Loading& loading) {
  if (loading.percentage) {
    const bool is_index = loading.text.find("ndex") != std::string::npos;  // as servers call it
    return fmt::format("{} {} %", is_index ? "index" : "loading", *loading.percentage);
  }
  std::string word = "still loading";
  if (!loading.text.empty()) table::table_cell_escape.append(word += ": ", loading.text);
  return word;
}

}  // namespace

Result<ContextQuestion> read_context_question(std::string_view argument,
                                              const options::AnswerOptions& session) {
  ContextQuestion question;
  std::optional<std::string> uri = document_uri(argument);
  if (!uri) return wrong("no document");
  question.uri = *std::move(uri);

  const auto given = [argument](std::string_view name) {
    const auto value = lsp::member_value(argument, name);
    return value == "null" ? std::optional<std::string_view>() : value;
  };
  const auto position = given("position");
  const auto name = given("name");
  if (position.has_value() == name.has_value()) {
    return wrong(position ? "both position and name" : "neither position nor name");
  }
  if (position) {
    question.position = position_of(argument);
    if (!question.position) return wrong("the position is not a Position");
  } else {
    const std::optional<std::string> text = lsp::json_string_text(*name);
    if (!text) return wrong("the name is not a string");
    question.name = lsp::to_valid_utf8(*text);
  }

  const Result<options::AnswerOptions> options = options::read_answer_options(argument);
  if (!options) return options.error();
  if (options->format && options->format != table::Format::table) {
    return Error{fmt::format("format cannot be {}: symbols.context answers only as a table",
                             table::quoted(table::format_name(*options->format))),
                 "leave it out"};
  }
  if (session.include) question.limits = session.include->over(question.limits);
  if (options->include) question.limits = options->include->over(question.limits);
  question.levels = options->return_children;
  question.options = options->over(session);
  return question;
}

std::string completeness(const SearchScope& scope, const std::optional<Loading>& loading,
                         const std::optional<std::string>& folder) {
  // More than these will not be known when it has loaded.
  if (scope.open_files_only) return "open files only";
  std::string word = loading ? loading_word(*loading) : std::string();
  if (const std::string& part = scope.part_of_project; !part.empty()) {
    const std::string path = folder ? table::path_from(*folder, part) : part;
    word += word.empty() ? "in " : ", in ";
    table::table_cell_escape.append(word, path == "." ? "this folder" : path);
    word += " only";
  }
  return word.empty() ? "loaded files only" : word;
}

Answer write_context_answer(const ContextOutcome& outcome, const ContextQuestion& question) {
  if (outcome.failure) return write_failure(*outcome.failure, question);
  std::string json = R"({"success":true,"format":"table","symbols":)";
  lsp::append_json_string(json, outcome.text);
  auto parts = outcome.failed_parts;
  if (const std::size_t count = outcome.others.size(); count > 0)
    parts.emplace_back(
        "others", places_text(count == 1 ? "more symbol is" : "more symbols are", outcome.others, question));
  json += meta_member(outcome.hovers_missing, outcome.notice, parts);
  return {false, json + '}'};
}

}  // namespace symbols::query
