#include "proxy/options/source_place.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/text.h"
#include "table/escape.h"

namespace symbols::options {
namespace {

constexpr std::uint32_t max_number = 2'000'000'000;

// `text` without a `:` and digits at its end.
struct Cut {
  std::string_view rest;
  std::string_view digits;
};

std::optional<Cut> cut_number(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos || colon == 0 || colon + 1 == text.size()) return {};
  const std::string_view digits = text.substr(colon + 1);
  const bool all = std::ranges::all_of(digits, is_digit);
  return all ? std::optional(Cut{text.substr(0, colon), digits}) : std::nullopt;
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
  const auto is_source = [&](std::string_view name) { return name == "-" || is_file(std::string(name)); };
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
  SourcePlace place{.file = std::string(has_column ? before->rest : last->rest), .line = *line};
  if (!has_column) return place;
  const Result<std::uint32_t> column = one_based("column", last->digits);
  if (!column) return column.error();
  place.column = *column;
  return place;
}

}  // namespace symbols::options
