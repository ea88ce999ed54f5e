#include "proxy/query/context_question.h"

#include <fmt/format.h>

#include <algorithm>

#include "lsp/json/json.h"
#include "lsp/json/json_document.h"
#include "lsp/requests.h"
#include "lsp/symbol_search.h"
#include "proxy/options/option_table.h"
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
    case ContextFailure::Reason::no_symbol:
      message = no_symbol_text(failure, question);
      break;
    case ContextFailure::Reason::other:
      message = failure.detail;
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

ContextSymbol symbol_or_failure(const lsp::SymbolTree& tree, const lsp::DocumentSymbol* symbol) {
  if (symbol != nullptr) return {.index = static_cast<std::size_t>(symbol - tree.symbols.data())};
  return {.failure = ContextFailure{.reason = ContextFailure::Reason::no_symbol, .detail = {}}};
}

const lsp::DocumentSymbol* find_at(const lsp::SymbolTree& tree, lsp::Position position,
                                   const std::string* text, lsp::PositionEncoding encoding) {
  if (text != nullptr) {
    // A character past its line's end means the end (LSP 3.17, "Position").
    const lsp::PositionIndex document(*text, encoding);
    if (position.line >= document.line_count()) return nullptr;
    position = document.position(document.offset(position));
  }
  const lsp::DocumentSymbol* symbol = lsp::symbol_at(tree, position);
  if (symbol == nullptr) symbol = lsp::innermost_around(tree, position);
  // The position may be in the comment after a declaration, or in the whitespace before it.
  return symbol != nullptr ? symbol : lsp::symbol_on_line(tree, position.line);
}

const lsp::DocumentSymbol* find_on_line(const lsp::SymbolTree& tree, std::uint32_t line,
                                        const std::string* text, lsp::PositionEncoding encoding) {
  if (const lsp::DocumentSymbol* named = lsp::symbol_on_line(tree, line)) return named;
  lsp::Position first{line, 0};
  if (text != nullptr) {
    const lsp::PositionIndex document(*text, encoding);
    if (line >= document.line_count()) return nullptr;
    const std::string_view rest = std::string_view(*text).substr(document.offset(first));
    const std::size_t blanks = std::min(rest.find_first_not_of(" \t"), rest.size());
    first = document.position(document.offset(first) + blanks);
  }
  return lsp::innermost_around(tree, first);
}

constexpr std::size_t max_told_apart = 200;  // each costs a pass over the whole tree
constexpr std::size_t max_near = 5;

// A position at which a question finds this symbol: usually the start of its name, unless another symbol has
// the same selection (a macro that opens three namespaces).
lsp::Position telling_place(const lsp::SymbolTree& tree, const lsp::DocumentSymbol& symbol) {
  for (const lsp::Position place :
       {symbol.selection_range.start, symbol.selection_range.end, symbol.range.start}) {
    if (find_at(tree, place, nullptr, {}) == &symbol) return place;
  }
  return symbol.selection_range.start;
}

// The symbol as a candidate among which a person chooses: with a position that finds it, and its parent.
lsp::DocumentSymbol told(const lsp::SymbolTree& tree, const lsp::DocumentSymbol& symbol,
                         lsp::Position place) {
  lsp::DocumentSymbol candidate = symbol;
  candidate.selection_range.start = place;
  if (symbol.parent >= 0)
    candidate.container_name = tree.symbols[static_cast<std::size_t>(symbol.parent)].name;
  return candidate;
}

bool is_within(const lsp::SymbolTree& tree, const lsp::DocumentSymbol* symbol,
               const lsp::DocumentSymbol* around) {
  while (symbol != around && symbol->parent >= 0)
    symbol = &tree.symbols[static_cast<std::size_t>(symbol->parent)];
  return symbol == around;
}

ContextSymbol find_called(const lsp::SymbolTree& tree, const std::string& name) {
  const lsp::NamedSymbols named = lsp::symbols_named(tree, name);
  ContextSymbol result;
  if (named.found.size() == 1) {
    const lsp::DocumentSymbol* symbol = named.found.front();
    // The server is asked by position. Of symbols that a macro opens at one place, that means the innermost.
    const lsp::DocumentSymbol* meant = lsp::symbol_at(tree, symbol->selection_range.start);
    const bool is_same = meant != nullptr && meant->name == symbol->name && meant->kind == symbol->kind;
    result = symbol_or_failure(tree, is_same ? meant : symbol);
    for (const lsp::DocumentSymbol* other : named.others) {
      if (!is_within(tree, other, symbol))
        result.others.push_back(told(tree, *other, other->selection_range.start));
    }
    return result;
  }
  if (named.found.empty()) {
    result = symbol_or_failure(tree, nullptr);
    for (const lsp::DocumentSymbol* near : lsp::symbols_nearly_named(tree, name, max_near))
      result.failure->candidates.push_back(told(tree, *near, near->selection_range.start));
    return result;
  }
  result.failure = ContextFailure{.reason = ContextFailure::Reason::several, .detail = {}};
  const bool few = named.found.size() <= max_told_apart;
  for (const lsp::DocumentSymbol* symbol : named.found) {
    const lsp::Position place = few ? telling_place(tree, *symbol) : symbol->selection_range.start;
    result.failure->candidates.push_back(told(tree, *symbol, place));
  }
  return result;
}

}  // namespace

Result<ContextQuestion> read_context_question(std::string_view argument,
                                              const options::AnswerOptions& session) {
  const Result<rapidjson::Document> json = lsp::parse_json(argument);
  const rapidjson::Value* const document = json ? lsp::member(*json, "textDocument") : nullptr;
  const std::optional<std::string> uri = document ? lsp::string_member(*document, "uri") : std::nullopt;
  if (!uri) return wrong("no document");
  ContextQuestion question{.uri = *uri};

  const auto given = [&json](std::string_view name) {
    const rapidjson::Value* const value = lsp::member(*json, name);
    return value == nullptr || value->IsNull() ? nullptr : value;
  };
  const rapidjson::Value* const position = given("position");
  const rapidjson::Value* const name = given("name");
  if ((position != nullptr) == (name != nullptr))
    return wrong(position ? "both position and name" : "neither position nor name");
  if (position) {
    question.position = lsp::read_position(position);
    if (!question.position) return wrong("the position is not a Position");
  } else {
    question.name = lsp::string_member(*json, "name");
    if (!question.name) return wrong("the name is not a string");
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
  std::string word = loading               ? loading_word(*loading)
                     : scope.guessed_flags ? "by guessed flags"
                                           : std::string();
  if (const std::string& part = scope.part_of_project; !part.empty()) {
    const std::string path = folder ? table::path_from(*folder, part) : part;
    word += word.empty() ? "in " : ", in ";
    table::table_cell_escape.append(word, path == "." ? "this folder" : path);
    word += " only";
  }
  return word.empty() ? "loaded files only" : word;
}

ContextSymbol find_context_symbol(const lsp::SymbolTree& tree, const ContextQuestion& question,
                                  const std::string* text, lsp::PositionEncoding encoding) {
  if (question.name) return find_called(tree, *question.name);
  if (question.position) return symbol_or_failure(tree, find_at(tree, *question.position, text, encoding));
  return symbol_or_failure(tree, find_on_line(tree, question.line.value_or(0), text, encoding));
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
