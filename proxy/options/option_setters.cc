#include "proxy/options/option_setters.h"

#include "table/escape.h"

namespace symbols::options {

Result<table::Format> read_format(const Option& option, const OptionValue& value) {
  const Result<std::size_t> allowed = value.index_in(option.details.values);
  if (!allowed) return allowed.error();
  constexpr std::array others = {table::Format::ndjson, table::Format::pretty};
  return table::parse_format(value.option(), value.word(), others);
}

// A tool has fewer words.
Result<table::Verbosity> read_verbosity(const Option& option, const OptionValue& value) {
  const Result<std::size_t> allowed = value.index_in(option.details.values);
  if (!allowed) return allowed.error();
  return static_cast<table::Verbosity>(*value.index_in("counts minimal signatures standard full"));
}

Result<table::Levels> read_levels(const Option&, const OptionValue& value) {
  // A number, or one of the words as a string.
  if (!value.text() && !value.number()) {
    return value.error(R"("no", "yes", "auto" or a number of levels)");
  }
  return table::parse_levels(value.option(), value.word());
}

Result<void> set_fields(AnswerOptions& options, const Option&, const OptionValue& value) {
  const std::optional<std::vector<std::string>> words = value.list();
  if (!words) return value.error(R"(a list of fields, such as ["name","lines"])");
  std::vector<table::Field> fields;
  options.unknown_fields.clear();
  for (const std::string& word : *words) {
    const std::optional<table::Field> field = table::find_field(word);
    if (!field) {
      options.unknown_fields.push_back(word);
    } else if (!table::holds(fields, *field)) {
      fields.push_back(*field);
    }
  }
  if (fields.empty()) fields = table::fields_of(table::Verbosity::standard);
  options.fields = std::move(fields);
  return {};
}

Result<std::vector<table::SortKey>> read_sort(const Option&, const OptionValue& value) {
  const std::optional<std::vector<std::string>> words = value.list();
  if (!words) return value.error(R"(a list of fields, such as ["kind","-lines"])");
  return table::parse_sort(value.option(), *words);
}

Result<std::vector<std::int64_t>> read_kinds(const Option&, const OptionValue& value) {
  // A single number without a list is accepted, like a single word.
  const std::optional<std::uint64_t> number = value.number();
  const std::optional<std::vector<std::string>> words =
      number ? std::vector<std::string>{std::to_string(*number)} : value.list();
  if (!words) return value.error(R"(a list of kinds, such as ["Class",6])");
  return table::parse_kinds(value.option(), *words);
}

Result<std::shared_ptr<const table::Pattern>> read_match(const Option&, const OptionValue& value) {
  const std::optional<std::string> text = value.text();
  if (!text) return value.error("a regular expression, such as \"^test_\"");
  if (text->empty()) return std::shared_ptr<const table::Pattern>();
  return table::parse_match(value.option(), *text);
}

Result<IncludedParts> read_include(const Option&, const OptionValue& value) {
  return IncludedParts::parse(value);
}

Result<std::chrono::milliseconds> read_time(const Option&, const OptionValue& value) {
  return value.time();
}

Result<std::vector<std::string>> read_ignore(const Option&, const OptionValue& value) {
  std::optional<std::vector<std::string>> patterns = value.list();
  if (!patterns) return value.error(R"(a list of patterns as in .gitignore, such as ["vendor/","*.min.js"])");
  return *std::move(patterns);
}

}  // namespace symbols::options
