#include "table/formats/line_reader.h"

#include <fmt/format.h>

#include "lsp/unicode.h"
#include "table/escape.h"

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

}  // namespace symbols::table
