#include "table/formats/line_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "lsp/unicode.h"
#include "table/escape.h"
#include "table/formats/row_cells.h"

namespace symbols::table {

void LineReader::next_line() {
  const std::size_t newline = rest_.find('\n');
  line_ = rest_.substr(0, newline);
  rest_.remove_prefix(newline == std::string_view::npos ? rest_.size() : newline + 1);
  if (newline != std::string_view::npos && line_.ends_with('\r')) line_.remove_suffix(1);
  ++line_number_;
}

bool LineReader::next_row() {
  if (rest_.empty()) return false;
  next_line();
  return !rest_.empty() || !line_.starts_with(truncated_start);
}

bool LineReader::fail(std::size_t offset, std::string_view what_is_wrong, std::string advice) {
  error_ = {fmt::format("cannot read {} at line {}, column {}: {}", what_, line_number_,
                        lsp::scalar_count(line_.substr(0, offset)) + 1, what_is_wrong),
            std::move(advice)};
  return false;
}

std::optional<lsp::Range> parse_range(std::string_view text) {
  std::string_view rest = text;
  const auto number = [&rest](std::uint32_t& value) {
    const auto [after, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
    rest.remove_prefix(static_cast<std::size_t>(after - rest.data()));
    return error == std::errc{};
  };
  const auto mark = [&rest](char expected) {
    const bool found = rest.starts_with(expected);
    if (found) rest.remove_prefix(1);
    return found;
  };
  lsp::Range range;
  const bool has_start = number(range.start.line) && mark(':') && number(range.start.character);
  range.end.line = range.start.line;
  if (!has_start || !mark('-') || !number(range.end.character)) return {};
  if (mark(':')) {
    range.end.line = range.end.character;
    if (!number(range.end.character)) return {};
  }
  std::string only_spelling;
  append_range(only_spelling, range);
  return only_spelling == text ? std::optional(range) : std::nullopt;
}

}  // namespace symbols::table
