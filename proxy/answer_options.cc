#include "proxy/answer_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

#include "lsp/json.h"
#include "lsp/json_edit.h"
#include "table/escape.h"
#include "table/hover_text.h"

namespace symbols::proxy {
namespace {

constexpr std::array<std::string_view, 7> known_options = {
    "format", "include_hover", "return_children", "hover_chars", "hover_reply", "carrier", "timeout_ms"};
constexpr std::array<std::string_view, 15> all_options = {
    "format",     "include_hover", "return_children", "hover_chars", "hover_reply",
    "carrier",    "timeout_ms",    "verbosity",       "fields",      "sort_by",
    "kind_names", "filter_kind",   "match",           "max_tokens",  "include"};

constexpr std::uint64_t most_characters = 1'000'000'000;
constexpr std::uint64_t longest_timeout = 24 * 60 * 60 * 1000;

Error wrong(std::string_view option, std::string_view value, std::string_view allowed) {
  return {fmt::format("{}: {} is no value of it", option, table::quoted(value)),
          fmt::format("give {}", allowed)};
}

std::optional<std::uint64_t> whole_number(std::string_view json) {
  std::uint64_t number = 0;
  const auto [end, code] = std::from_chars(json.data(), json.data() + json.size(), number);
  if (code != std::errc() || end != json.data() + json.size()) return {};
  return number;
}

Result<std::uint64_t> number_within(std::string_view option, std::string_view json, std::uint64_t least,
                                    std::uint64_t most) {
  const std::optional<std::uint64_t> number = whole_number(json);
  if (!number || *number < least || *number > most) {
    return wrong(option, json, fmt::format("a whole number from {} to {}", least, most));
  }
  return *number;
}

// Sets `to` to what `parsed` has, or `failure` to its error.
template <class T, class Parsed>
void take(std::optional<T>& to, const Parsed& parsed, std::optional<Error>& failure) {
  if (parsed) {
    to = T(*parsed);
  } else {
    failure = parsed.error();
  }
}

Result<bool> read_bool(std::string_view option, std::string_view json) {
  if (json == "true") return true;
  if (json == "false") return false;
  return wrong(option, json, "true or false");
}

Result<table::Levels> read_levels(std::string_view option, std::string_view json) {
  // A number, or one of the words as a string.
  if (const auto text = lsp::json_string_text(json)) return table::parse_levels(option, *text);
  if (whole_number(json)) return table::parse_levels(option, json);
  return wrong(option, json, R"("no", "yes", "auto" or a number of levels)");
}

template <class T>
Result<T> read_word(std::string_view option, std::string_view json,
                    Result<T> (*parse)(std::string_view option, std::string_view text)) {
  // What is no string has no text that could be one of the words.
  const std::optional<std::string> text = lsp::json_string_text(json);
  return parse(option, text ? std::string_view(*text) : json);
}

// `name` is one of all_options.
void read_option(AnswerOptions& options, std::string_view name, std::string_view json,
                 std::optional<Error>& failure) {
  if (json == "null") return;
  if (name == "format") {
    take(options.format, read_word(name, json, parse_format), failure);
  } else if (name == "include_hover") {
    take(options.include_hover, read_bool(name, json), failure);
  } else if (name == "return_children") {
    take(options.return_children, read_levels(name, json), failure);
  } else if (name == "hover_chars") {
    take(options.hover_chars, number_within(name, json, 0, most_characters), failure);
  } else if (name == "hover_reply") {
    take(options.hover_reply, read_word(name, json, parse_hover_reply), failure);
  } else if (name == "carrier") {
    take(options.carrier, read_word(name, json, parse_carrier), failure);
  } else if (name == "timeout_ms") {
    take(options.timeout, number_within(name, json, 1, longest_timeout), failure);
  } else {
    failure = Error{fmt::format("{}: this version has no such option", name),
                    fmt::format("it has {}", fmt::join(known_options, ", "))};
  }
}

}  // namespace

AnswerOptions AnswerOptions::over(const AnswerOptions& base) const {
  const auto either = [](const auto& first, const auto& second) { return first ? first : second; };
  return {.format = either(format, base.format),
          .include_hover = either(include_hover, base.include_hover),
          .return_children = either(return_children, base.return_children),
          .hover_chars = either(hover_chars, base.hover_chars),
          .hover_reply = either(hover_reply, base.hover_reply),
          .carrier = either(carrier, base.carrier),
          .timeout = either(timeout, base.timeout)};
}

table::Levels AnswerOptions::levels() const {
  return return_children.value_or(
      table::Levels{.rule = is_text() ? table::Levels::Rule::top_level : table::Levels::Rule::all});
}

std::size_t AnswerOptions::row_hover_chars() const {
  return hover_chars.value_or(table::default_hover_characters);
}

std::chrono::milliseconds AnswerOptions::hover_timeout() const {
  return timeout.value_or(std::chrono::milliseconds(10'000));
}

std::span<const std::string_view> answer_option_names() {
  return all_options;
}

Result<AnswerOptions> read_answer_options(std::string_view object) {
  std::array<std::string_view, all_options.size()> values{};
  // Of several members of one name the last one counts, as everywhere (json_edit.h).
  (void)lsp::for_each_member(object, [&](std::string_view name, std::string_view value) {
    const auto option = std::find(all_options.begin(), all_options.end(), name);
    if (option != all_options.end()) values[static_cast<std::size_t>(option - all_options.begin())] = value;
  });
  AnswerOptions options;
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::optional<Error> failure;
    if (!values[i].empty()) read_option(options, all_options[i], values[i], failure);
    if (failure) return *failure;
  }
  return options;
}

Result<AnswerFormat> parse_format(std::string_view option, std::string_view text) {
  if (text == "table") return AnswerFormat::table;
  if (text == "json" || text == "standard") return AnswerFormat::json;
  return wrong(option, text, "table or json (standard is the same)");
}

Result<HoverReply> parse_hover_reply(std::string_view option, std::string_view text) {
  if (text == "row") return HoverReply::row;
  if (text == "text") return HoverReply::text;
  if (text == "standard") return HoverReply::standard;
  return wrong(option, text, "row, text or standard");
}

Result<Carrier> parse_carrier(std::string_view option, std::string_view text) {
  if (text == "object") return Carrier::object;
  if (text == "symbol") return Carrier::symbol;
  return wrong(option, text, "object or symbol");
}

std::string describe_answer_options(std::string_view version) {
  return fmt::format(R"({{"version":"{}","formats":["table","json"],"options":["{}"]}})", version,
                     fmt::join(known_options, R"(",")"));
}

}  // namespace symbols::proxy
