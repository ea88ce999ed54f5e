#include "proxy/options/option_value.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>

#include "lsp/json/json.h"
#include "lsp/json/json_document.h"
#include "table/escape.h"
#include "table/selection.h"

namespace symbols::options {
namespace {

constexpr std::uint32_t max_number = 2'000'000'000;

// `text` without a `:` and digits at its end.
struct Cut {
  std::string rest;
  std::string digits;
};

std::optional<Cut> cut_number(const std::string& text) {
  static const re2::RE2 numbered("(?s)(.+):([0-9]+)", re2::RE2::Latin1);
  Cut cut;
  return re2::RE2::FullMatch(text, numbered, &cut.rest, &cut.digits) ? std::optional(cut) : std::nullopt;
}

Result<std::uint32_t> one_based(std::string_view what, std::string_view digits) {
  const std::optional<std::uint32_t> number = whole_number<std::uint32_t>(digits);
  if (number > 0 && number <= max_number) return *number;
  return Error{fmt::format("{} is not a {}", table::quoted(digits), what),
               fmt::format("lines and columns are numbers from 1 to {}", max_number)};
}

}  // namespace

std::optional<std::string> OptionValue::text() const {
  return is_json_ ? lsp::json_string_text(raw_) : std::string(raw_);
}

Result<bool> OptionValue::boolean() const {
  if (raw_ == "true" || (!is_json_ && raw_ == "1")) return true;
  if (raw_ == "false" || (!is_json_ && raw_ == "0")) return false;
  return error(is_json_ ? "true or false" : "true, false, 1 or 0");
}

Result<std::uint64_t> OptionValue::number_within(std::uint64_t least, std::uint64_t most) const {
  const std::optional<std::uint64_t> given = number();
  if (!given || *given < least || *given > most)
    return error(fmt::format("a whole number from {} to {}", least, most));
  return *given;
}

Result<milliseconds> OptionValue::time() const {
  constexpr std::uint64_t day = 24 * 60 * 60 * 1000;
  static const RE2 form("([0-9]+)(ms|s|m|)");
  const std::string given = word();
  std::uint64_t number = 0;
  std::string unit;
  const bool is_time = RE2::FullMatch(given, form, &number, &unit);
  const std::uint64_t factor = unit == "s" ? 1000 : unit == "m" ? 60'000 : 1;
  if (is_time && number > 0 && number <= day / factor) return milliseconds(number * factor);
  return error_of(
      given, "milliseconds, at least 1 and at most a day, or a number with the unit ms, s or m, such as 30s");
}

Result<std::uint64_t> OptionValue::index_in(std::string_view words) const {
  const std::string given = word();
  const std::vector<std::string_view> all = split(words, ' ');
  const auto found = std::ranges::find(all, given);
  if (found != all.end()) return static_cast<std::uint64_t>(found - all.begin());
  std::string allowed(all.front());
  for (std::size_t i = 1; i < all.size(); ++i)
    allowed.append(i + 1 == all.size() ? " or " : ", ").append(all[i]);
  return error_of(given, allowed);
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

Error OptionValue::error_of(std::string_view word, std::string_view allowed) const {
  return {fmt::format("{} cannot be {}", option_, table::quoted(word)), fmt::format("give {}", allowed)};
}

std::string nearest_name(std::string_view typed, const std::vector<std::string>& names) {
  constexpr std::size_t max_length = 64;
  constexpr std::size_t min_part = 3;
  constexpr std::size_t max_changes = 3;
  if (typed.size() > max_length) return {};
  std::string nearest;
  std::size_t least = std::size_t(-1);
  for (const std::string& name : names) {
    const std::size_t shorter = std::min(typed.size(), name.size());
    const std::size_t changes = edit_distance(typed, name);
    const bool contains =
        shorter >= min_part && (typed.find(name) != typed.npos || name.find(typed) != name.npos);
    const bool is_near =
        contains || (changes <= max_changes && 2 * changes < std::max(typed.size(), name.size()));
    if (is_near && changes < least) {
      least = changes;
      nearest = name;
    }
  }
  return nearest;
}

std::string did_you_mean(std::string_view typed, const std::vector<std::string>& names) {
  const std::string nearest = nearest_name(typed, names);
  return nearest.empty() ? "" : fmt::format(" (did you mean {}?)", nearest);
}

bool has_line(const std::string& word) {
  return cut_number(word).has_value();
}

Result<SourcePlace> read_source_place(const std::string& word,
                                      const std::function<bool(const std::string&)>& is_file) {
  const auto is_source = [&](const std::string& name) { return name == "-" || is_file(name); };
  const std::optional<Cut> last = cut_number(word);
  const std::optional<Cut> before = last ? cut_number(last->rest) : std::nullopt;
  if (!last || (is_source(word) && !is_source(last->rest) && !(before && is_source(before->rest)))) {
    return Error{fmt::format("{} does not say which symbol", table::quoted(word)),
                 "give FILE:LINE, FILE:LINE:COLUMN or FILE NAME, such as: symbols context src/app.ts:24"};
  }
  // Takes the longest file name that exists and leaves a line; for a missing file the shortest.
  const bool has_column = before && !is_source(last->rest);
  const Result<std::uint32_t> line = one_based("line", has_column ? before->digits : last->digits);
  if (!line) return line.error();
  SourcePlace place{.file = has_column ? before->rest : last->rest, .line = *line};
  if (!has_column) return place;
  const Result<std::uint32_t> column = one_based("column", last->digits);
  if (!column) return column.error();
  place.column = *column;
  return place;
}

}  // namespace symbols::options
