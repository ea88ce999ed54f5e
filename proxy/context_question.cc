#include "proxy/context_question.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cstddef>
#include <utility>

#include "lsp/json_document.h"
#include "lsp/json_edit.h"
#include "table/escape.h"

namespace symbols::proxy {
namespace {

constexpr std::size_t highest_limit = 10'000;

constexpr std::array<std::pair<std::string_view, std::size_t table::ContextLimits::*>, 5> parts = {{
    {"children", &table::ContextLimits::children},
    {"source", &table::ContextLimits::source},
    {"references", &table::ContextLimits::references},
    {"callers", &table::ContextLimits::callers},
    {"diagnostics", &table::ContextLimits::diagnostics},
}};

Error wrong_include(std::string_view value) {
  return {fmt::format("include: {} is no value of it", table::quoted(value)),
          fmt::format("give parts such as \"references:50,callers:0\", of children, source, references, "
                      "callers and diagnostics, with limits from 0 to {}",
                      highest_limit)};
}

std::string_view without_blanks(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

// One part, as "references:50" or "references".
bool read_part(std::string_view text, table::ContextLimits& limits) {
  text = without_blanks(text);
  const std::size_t colon = text.find(':');
  for (const auto& [name, limit] : parts) {
    if (text.substr(0, colon) != name) continue;
    if (colon == std::string_view::npos) return true;
    const std::string_view digits = text.substr(colon + 1);
    std::size_t number = 0;
    const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (code != std::errc() || end != digits.data() + digits.size() || number > highest_limit) return false;
    limits.*limit = number;
    return true;
  }
  return false;
}

// A list of parts joined by commas; an empty one names none.
bool read_parts(std::string_view list, table::ContextLimits& limits) {
  if (without_blanks(list).empty()) return true;
  for (;;) {
    const std::size_t comma = list.find(',');
    if (!read_part(list.substr(0, comma), limits)) return false;
    if (comma == std::string_view::npos) return true;
    list.remove_prefix(comma + 1);
  }
}

std::string_view text_of(const rapidjson::Value& value) {
  return {value.GetString(), value.GetStringLength()};
}

Result<table::ContextLimits> read_include(std::string_view json) {
  table::ContextLimits limits;
  const Result<rapidjson::Document> value = lsp::parse_json(json);
  if (!value || !(value->IsString() || value->IsArray() || value->IsNull())) return wrong_include(json);
  if (value->IsString() && !read_parts(text_of(*value), limits)) return wrong_include(text_of(*value));
  if (!value->IsArray()) return limits;
  for (const rapidjson::Value& part : value->GetArray()) {
    if (!part.IsString()) return wrong_include(json);
    if (!read_parts(text_of(part), limits)) return wrong_include(text_of(part));
  }
  return limits;
}

Error wrong(std::string_view what) {
  return {fmt::format("symbols.context: {}", what),
          R"(give [{"textDocument":{"uri":…},"position":{"line":…,"character":…}}], or a "name" in place of )"
          R"(the position)"};
}

}  // namespace

Result<ContextQuestion> read_context_question(std::string_view argument, const AnswerOptions& session) {
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

  if (const auto include = lsp::member_value(argument, "include")) {
    const Result<table::ContextLimits> limits = read_include(*include);
    if (!limits) return limits.error();
    question.limits = *limits;
  }
  // `include` is an option of this command alone: elsewhere it is refused.
  const Result<std::string> others =
      lsp::without_members(argument, std::array<std::string_view, 1>{"include"});
  if (!others) return others.error();
  const Result<AnswerOptions> options = read_answer_options(*others);
  if (!options) return options.error();
  if (options->format && !options->is_text()) {
    return Error{"format: symbols.context answers in no other than table", "leave it out"};
  }
  question.levels = options->return_children;
  question.options = options->over(session);
  return question;
}

}  // namespace symbols::proxy
