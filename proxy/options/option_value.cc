#include "proxy/options/option_value.h"

#include <fmt/format.h>

#include "base/number.h"
#include "lsp/json/json.h"
#include "lsp/json/json_document.h"
#include "table/escape.h"
#include "table/selection.h"

namespace symbols::options {

std::optional<std::string> OptionValue::text() const {
  return is_json_ ? lsp::json_string_text(raw_) : std::string(raw_);
}

std::string OptionValue::word() const {
  return text().value_or(std::string(raw_));
}

std::optional<bool> OptionValue::boolean() const {
  if (raw_ == "true") return true;
  if (raw_ == "false") return false;
  return {};
}

std::optional<std::uint64_t> OptionValue::number() const {
  return whole_number<std::uint64_t>(raw_);
}

Result<std::uint64_t> OptionValue::number_within(std::uint64_t least, std::uint64_t most) const {
  const std::optional<std::uint64_t> given = number();
  if (!given || *given < least || *given > most) {
    return error(fmt::format("a whole number from {} to {}", least, most));
  }
  return *given;
}

std::optional<std::vector<std::string>> OptionValue::list() const {
  if (const std::optional<std::string> one = text()) return table::split_list(*one);
  const Result<rapidjson::Document> array = lsp::parse_json(raw_);
  if (!array || !array->IsArray()) return {};
  std::vector<std::string> words;
  for (const rapidjson::Value& element : array->GetArray()) {
    if (element.IsString()) {
      words.emplace_back(element.GetString(), element.GetStringLength());
    } else if (element.IsInt64()) {
      words.push_back(std::to_string(element.GetInt64()));
    } else {
      return {};
    }
  }
  return words;
}

Error OptionValue::error(std::string_view allowed) const {
  return error_of(raw_, allowed);
}

Error OptionValue::error_of(std::string_view word, std::string_view allowed) const {
  return {fmt::format("{} cannot be {}", option_, table::quoted(word)), fmt::format("give {}", allowed)};
}

}  // namespace symbols::options
