// How the options of option_table.cc are read from a value and set.
#pragma once

#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "proxy/options/option_table.h"

namespace symbols::options {

// One of the option's words, true or false, or a number within its limits. Where it has words, those are the
// values of T in their order.
template <class T>
Result<T> read_value(const Option& option, const OptionValue& value) {
  if constexpr (std::is_same_v<T, bool>) {
    if (option.details.values.empty()) return value.boolean();
  }
  const Result<std::uint64_t> number = option.details.values.empty()
                                           ? value.number_within(option.details.least, option.details.most)
                                           : value.index_in(option.details.values);
  if (!number) return number.error();
  return static_cast<T>(*number);
}

Result<table::Format> read_format(const Option& option, const OptionValue& value);
Result<table::Verbosity> read_verbosity(const Option& option, const OptionValue& value);
Result<table::Levels> read_levels(const Option& option, const OptionValue& value);
Result<std::vector<table::SortKey>> read_sort(const Option& option, const OptionValue& value);
Result<std::vector<std::int64_t>> read_kinds(const Option& option, const OptionValue& value);
// Null for an empty expression: it matches every name, so it removes the session's filter.
Result<std::shared_ptr<const table::Pattern>> read_match(const Option& option, const OptionValue& value);
Result<IncludedParts> read_include(const Option& option, const OptionValue& value);
Result<std::chrono::milliseconds> read_time(const Option& option, const OptionValue& value);
Result<std::vector<std::string>> read_ignore(const Option& option, const OptionValue& value);
// Names that are not fields go to `unknown_fields`.
Result<void> set_fields(AnswerOptions& options, const Option& option, const OptionValue& value);

template <class T>
T value_type(std::optional<T> AnswerOptions::*);

template <auto member, auto read = read_value<decltype(value_type(member))>>
Result<void> set_to(AnswerOptions& options, const Option& option, const OptionValue& value) {
  auto given = read(option, value);
  if (!given) return given.error();
  options.*member = *std::move(given);
  return {};
}

template <auto member>
void fill_in(AnswerOptions& options, const AnswerOptions& base) {
  if (!(options.*member)) options.*member = base.*member;
}

template <auto member, auto read = read_value<decltype(value_type(member))>>
constexpr Setter sets = {set_to<member, read>, fill_in<member>};

}  // namespace symbols::options
