#include "proxy/options/answer_option_values.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <iterator>
#include <type_traits>
#include <utility>

#include "lsp/json/json_edit.h"

namespace symbols::options {
namespace {

constexpr std::uint64_t most_characters = 1'000'000'000;
constexpr std::uint64_t most_tokens = 1'000'000'000;
constexpr std::uint64_t longest_timeout = 24 * 60 * 60 * 1000;

using Set = Result<void>;

// Sets `to` to the value of `read`.
template <class T, class Read>
Set take(std::optional<T>& to, Read&& read) {
  if (!read) return read.error();
  to = T(*std::forward<Read>(read));
  return {};
}

// One of a few words.
template <class T>
Set take_word(std::optional<T>& to, const OptionValue& value,
              std::initializer_list<std::pair<std::string_view, std::type_identity_t<T>>> words) {
  const std::string word = value.word();
  std::string allowed;
  for (const auto& [name, meaning] : words) {
    if (word == name) {
      to = meaning;
      return {};
    }
    const bool is_last = name == std::rbegin(words)->first;
    allowed += fmt::format("{}{}", allowed.empty() ? "" : is_last ? " or " : ", ", name);
  }
  return value.error_of(word, allowed);
}

template <std::optional<bool> AnswerOptions::*option>
Set set_bool(AnswerOptions& options, const OptionValue& value) {
  options.*option = value.boolean();
  return options.*option ? Set() : Set(value.error("true or false"));
}

template <auto option, std::uint64_t least, std::uint64_t most>
Set set_number(AnswerOptions& options, const OptionValue& value) {
  return take(options.*option, value.number_within(least, most));
}

Set set_format(AnswerOptions& options, const OptionValue& value) {
  return take(options.format, table::parse_format(value.option(), value.word()));
}

Set set_levels(AnswerOptions& options, const OptionValue& value) {
  // A number, or one of the words as a string.
  if (!value.text() && !value.number()) {
    return value.error(R"("no", "yes", "auto" or a number of levels)");
  }
  return take(options.return_children, table::parse_levels(value.option(), value.word()));
}

Set set_verbosity(AnswerOptions& options, const OptionValue& value) {
  using enum table::Verbosity;
  return take_word(options.verbosity, value,
                   {{"counts", counts},
                    {"minimal", minimal},
                    {"signatures", signatures},
                    {"standard", standard},
                    {"full", full}});
}

Set set_fold(AnswerOptions& options, const OptionValue& value) {
  return take_word(options.fold, value, {{"locals", true}, {"no", false}});
}

Set set_ends(AnswerOptions& options, const OptionValue& value) {
  return take_word(options.all_ends, value, {{"all", true}, {"long", false}});
}

Set set_fields(AnswerOptions& options, const OptionValue& value) {
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

Set set_sort(AnswerOptions& options, const OptionValue& value) {
  const std::optional<std::vector<std::string>> words = value.list();
  if (!words) return value.error(R"(a list of fields, such as ["kind","-lines"])");
  return take(options.sort_by, table::parse_sort(value.option(), *words));
}

Set set_kinds(AnswerOptions& options, const OptionValue& value) {
  // A single number without a list is accepted, like a single word.
  const std::optional<std::uint64_t> number = value.number();
  const std::optional<std::vector<std::string>> words =
      number ? std::vector<std::string>{std::to_string(*number)} : value.list();
  if (!words) return value.error(R"(a list of kinds, such as ["Class",6])");
  return take(options.filter_kind, table::parse_kinds(value.option(), *words));
}

Set set_match(AnswerOptions& options, const OptionValue& value) {
  const std::optional<std::string> text = value.text();
  if (!text) return value.error("a regular expression, such as \"^test_\"");
  if (text->empty()) {  // it matches every name, so it removes the session's filter
    options.match = nullptr;
    return {};
  }
  return take(options.match, table::parse_match(value.option(), *text));
}

Set set_tokenizer(AnswerOptions& options, const OptionValue& value) {
  using enum table::Tokenizer;
  return take_word(options.tokenizer, value, {{"o200k", o200k}, {"digits", digits}});
}

Set set_include(AnswerOptions& options, const OptionValue& value) {
  return take(options.include, IncludedParts::parse(value));
}

Set set_hover_reply(AnswerOptions& options, const OptionValue& value) {
  using enum HoverReply;
  return take_word(options.hover_reply, value, {{"row", row}, {"text", text}, {"standard", standard}});
}

Set set_carrier(AnswerOptions& options, const OptionValue& value) {
  return take_word(options.carrier, value, {{"object", Carrier::object}, {"symbol", Carrier::symbol}});
}

struct Option {
  std::string_view name;
  Set (*set)(AnswerOptions& options, const OptionValue& value);
};

constexpr auto known_options = std::to_array<Option>({
    {"format", set_format},
    {"include_hover", set_bool<&AnswerOptions::include_hover>},
    {"return_children", set_levels},
    {"verbosity", set_verbosity},
    {"fields", set_fields},
    {"sort_by", set_sort},
    {"kind_names", set_bool<&AnswerOptions::kind_names>},
    {"positions", set_bool<&AnswerOptions::positions>},
    {"fold", set_fold},
    {"ends", set_ends},
    {"filter_kind", set_kinds},
    {"match", set_match},
    {"max_tokens", set_number<&AnswerOptions::max_tokens, 1, most_tokens>},
    {"tokenizer", set_tokenizer},
    {"include", set_include},
    {"hover_chars", set_number<&AnswerOptions::hover_chars, 0, most_characters>},
    {"hover_reply", set_hover_reply},
    {"carrier", set_carrier},
    {"timeout_ms", set_number<&AnswerOptions::timeout, 1, longest_timeout>},
});

constexpr auto option_names = [] {
  std::array<std::string_view, known_options.size()> names{};
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = known_options[i].name;
  return names;
}();

}  // namespace

std::span<const std::string_view> answer_option_names() {
  return option_names;
}

Result<void> set_answer_option(AnswerOptions& options, std::string_view name, const OptionValue& value) {
  const auto* const option = std::ranges::find(known_options, name, &Option::name);
  return option == known_options.end() ? Error{fmt::format("{}: there is no such option", name), ""}
                                       : option->set(options, value);
}

Result<AnswerOptions> read_answer_options(std::string_view object) {
  std::array<std::string_view, known_options.size()> values{};
  // Of several members of one name the last one counts, as everywhere (json_edit.h).
  (void)lsp::for_each_member(object, [&](std::string_view name, std::string_view value) {
    const auto* const option = std::ranges::find(option_names, name);
    if (option != option_names.end()) values[static_cast<std::size_t>(option - option_names.begin())] = value;
  });
  AnswerOptions options;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i].empty() || values[i] == "null") continue;
    const Set set = known_options[i].set(options, OptionValue::of_json(option_names[i], values[i]));
    if (!set) return set.error();
  }
  return options;
}

std::string describe_answer_options(std::string_view version) {
  std::array<std::string_view, table::all_formats.size()> formats{};
  std::transform(table::all_formats.begin(), table::all_formats.end(), formats.begin(), table::format_name);
  return fmt::format(R"({{"version":"{}","formats":["{}"],"options":["{}"]}})", version,
                     fmt::join(formats, R"(",")"), fmt::join(option_names, R"(",")"));
}

}  // namespace symbols::options
