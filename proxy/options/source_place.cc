#include "proxy/options/source_place.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <string_view>

#include "base/text.h"
#include "table/escape.h"

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
