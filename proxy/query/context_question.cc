#include "proxy/query/context_question.h"

#include <fmt/format.h>

#include <optional>

#include "lsp/json/json_document.h"
#include "lsp/json/json_edit.h"
#include "proxy/options/answer_option_values.h"
#include "table/escape.h"

namespace symbols::query {
namespace {

std::string_view text_of(const rapidjson::Value& value) {
  return {value.GetString(), value.GetStringLength()};
}

Error wrong(std::string_view what) {
  return {fmt::format("symbols.context: {}", what),
          R"(give [{"textDocument":{"uri":…},"position":{"line":…,"character":…}}], or a "name" in place of )"
          R"(the position)"};
}

}  // namespace

Result<ContextQuestion> read_context_question(std::string_view argument,
                                              const options::AnswerOptions& session) {
  ContextQuestion question;
  const auto document = lsp::member_value(argument, "textDocument");
  const Result<rapidjson::Document> read = lsp::parse_json(document.value_or("null"));
  const rapidjson::Value* uri = read ? lsp::member(*read, "uri") : nullptr;
  if (uri == nullptr || !uri->IsString()) return wrong("no document");
  question.uri = text_of(*uri);

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
    const Result<rapidjson::Document> value = lsp::parse_json(*position);
    if (value) question.position = lsp::read_position(*value);
    if (!question.position) return wrong("the position is none");
  } else {
    const Result<rapidjson::Document> value = lsp::parse_json(*name);
    if (!value || !value->IsString()) return wrong("the name is no string");
    question.name = lsp::to_valid_utf8(text_of(*value));
  }

  const Result<options::AnswerOptions> options = options::read_answer_options(argument);
  if (!options) return options.error();
  if (options->format && options->format != table::Format::table) {
    return Error{fmt::format("format cannot be {}: symbols.context answers in no other than table",
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
