// How the options of option_table.cc are read from a value and set: by the type of AnswerOptions' member.
#pragma once

#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "proxy/files/ignore_rules.h"
#include "proxy/options/option_table.h"

namespace symbols::options {

template <class T>
Result<T> read_value(const Option& option, const OptionValue& value) {
  const std::string_view words = option.details.values;
  if constexpr (std::is_same_v<T, milliseconds>) {
    return value.time();
  } else if constexpr (std::is_same_v<T, IncludedParts>) {
    return IncludedParts::parse(value);
  } else if constexpr (std::is_same_v<T, table::Levels>) {
    // A number, or one of the words as a string.
    if (!value.text() && !value.number()) return value.error(R"("no", "yes", "auto" or a number of levels)");
    return table::parse_levels(value.option(), value.word());
  } else if constexpr (std::is_same_v<T, std::shared_ptr<const table::Pattern>>) {
    const std::optional<std::string> text = value.text();
    if (!text) return value.error("a regular expression, such as \"^test_\"");
    // Null for an empty expression: it matches every name, so it removes the session's filter.
    return text->empty() ? T() : table::parse_match(value.option(), *text);
  } else if constexpr (std::is_same_v<T, std::vector<table::SortKey>>) {
    const std::optional<std::vector<std::string>> list = value.list();
    if (!list) return value.error(R"(a list of fields, such as ["kind","-lines"])");
    return table::parse_sort(value.option(), *list);
  } else if constexpr (std::is_same_v<T, std::vector<std::int64_t>>) {
    // A single number without a list is accepted, like a single word.
    const std::optional<std::vector<std::string>> list =
        value.number() ? std::vector{value.word()} : value.list();
    if (!list) return value.error(R"(a list of kinds, such as ["Class",6])");
    return table::parse_kinds(value.option(), *list);
  } else if constexpr (std::is_same_v<T, std::vector<std::string>>) {
    std::optional<std::vector<std::string>> patterns = value.list();
    if (!patterns)
      return value.error(R"(a list of patterns as in .gitignore, such as ["vendor/","*.min.js"])");
    if (!files::IgnoreRules(files::ignore_text(*patterns)).is_whole())
      return value.error("fewer patterns, or fewer changes between patterns and exceptions");
    return *std::move(patterns);
  } else {
    if constexpr (std::is_same_v<T, bool>) {
      if (words.empty()) return value.boolean();
    }
    const Result<std::uint64_t> number = words.empty()
                                             ? value.number_within(option.details.least, option.details.most)
                                             : value.index_in(words);
    if (!number) return number.error();
    // Not every taker has all words of these two.
    if constexpr (std::is_same_v<T, table::Format>) {
      constexpr std::array others = {table::Format::ndjson, table::Format::pretty};
      return table::parse_format(value.option(), value.word(), others);
    } else if constexpr (std::is_same_v<T, table::Verbosity>) {
      return static_cast<T>(*value.index_in("counts minimal signatures standard full"));
    } else {
      return static_cast<T>(*number);  // words are the values of T in their order
    }
  }
}

template <class T>
T value_type(std::optional<T> AnswerOptions::*);

template <auto member>
Result<void> set_to(AnswerOptions& options, const Option& option, const OptionValue& value) {
  auto given = read_value<decltype(value_type(member))>(option, value);
  if (!given) return given.error();
  options.*member = *std::move(given);
  return {};
}

// Names that are not fields go to `unknown_fields`.
inline Result<void> set_fields(AnswerOptions& options, const Option&, const OptionValue& value) {
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

template <auto member>
void fill_in(AnswerOptions& options, const AnswerOptions& base) {
  if (!(options.*member)) options.*member = base.*member;
}

template <auto member>
constexpr Setter sets = {set_to<member>, fill_in<member>};

// Details of rows: an option of AnswerOptions whose type has all values, words, or a number; and what a
// command or tool reads.
template <auto member>
constexpr OptionDetails value(std::string_view otherwise = {}, std::string_view alias = {}) {
  return {.to = sets<member>, .alias = alias, .otherwise = otherwise};
}
template <auto member>
constexpr OptionDetails words(std::string_view values, std::string_view otherwise = {},
                              std::string_view alias = {}) {
  return {.to = sets<member>, .values = values, .alias = alias, .otherwise = otherwise};
}
template <auto member>
constexpr OptionDetails number(std::uint64_t least, std::uint64_t most, std::string_view otherwise = {}) {
  return {.to = sets<member>, .otherwise = otherwise, .least = least, .most = most};
}
constexpr OptionDetails one_of(std::string_view values) {
  return {.values = values};
}
constexpr OptionDetails within(std::uint64_t least, std::uint64_t most) {
  return {.least = least, .most = most};
}

}  // namespace symbols::options
