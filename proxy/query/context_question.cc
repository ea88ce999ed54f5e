#include "proxy/query/context_question.h"

#include <fmt/format.h>

#include "lsp/json/json.h"
#include "lsp/json/json_edit.h"
#include "lsp/unicode.h"
#include "proxy/options/answer_option_values.h"
#include "proxy/query/request_params.h"
#include "table/escape.h"

namespace symbols::query {
namespace {

Error wrong(std::string_view what) {
  return {fmt::format("symbols.context: {}", what),
          R"(give [{"textDocument":{"uri":…},"position":{"line":…,"character":…}}], or a "name" in place of )"
          R"(the position)"};
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

}  // namespace symbols::query
