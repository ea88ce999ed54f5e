#include <re2/re2.h>

#include <algorithm>
#include <tuple>

#include "base/text.h"
#include "proxy/index/check.h"

namespace symbols::index {
namespace {

// Of two texts, for each line the number of what it is in both: 2n for the n-th line that they share, from 1;
// 2n+1 for lines of one of them alone behind that.
using LineNumbers = std::pair<std::vector<std::size_t>, std::vector<std::size_t>>;

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines = split(text, '\n');
  for (std::string_view& line : lines) line = line.substr(0, line.find_last_not_of('\r') + 1);
  return lines;
}

LineNumbers numbered_lines(std::string_view old_text, std::string_view new_text) {
  const std::vector<std::string_view> before = lines_of(old_text);
  const std::vector<std::string_view> after = lines_of(new_text);
  const std::size_t least = std::min(before.size(), after.size());
  std::size_t head = 0;
  while (head < least && before[head] == after[head]) ++head;
  std::size_t tail = 0;
  while (tail < least - head && before[before.size() - 1 - tail] == after[after.size() - 1 - tail]) ++tail;
  const std::size_t rows = before.size() - head - tail;
  const std::size_t columns = after.size() - head - tail;
  // The longest common subsequence of what is between; none is looked for where that is long.
  constexpr std::size_t max_cells = 4'000'000;
  const bool is_short = rows == 0 || columns <= max_cells / rows;
  std::vector<std::uint32_t> longest(is_short ? (rows + 1) * (columns + 1) : 0);
  const auto cell = [&](std::size_t row, std::size_t column) -> std::uint32_t& {
    return longest[row * (columns + 1) + column];
  };
  for (std::size_t row = rows; is_short && row-- > 0;) {
    for (std::size_t column = columns; column-- > 0;)
      cell(row, column) = before[head + row] == after[head + column]
                              ? cell(row + 1, column + 1) + 1
                              : std::max(cell(row + 1, column), cell(row, column + 1));
  }
  LineNumbers numbers;
  std::size_t shared = 0;
  const auto share = [&](std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      numbers.first.push_back(2 * ++shared);
      numbers.second.push_back(2 * shared);
    }
  };
  share(head);
  for (std::size_t row = 0, column = 0; row < rows || column < columns;) {
    if (is_short && row < rows && column < columns && before[head + row] == after[head + column]) {
      share(1);
      ++row;
      ++column;
    } else if (column == columns ||
               (row < rows && (!is_short || cell(row + 1, column) >= cell(row, column + 1)))) {
      numbers.first.push_back(2 * shared + 1);
      ++row;
    } else {
      numbers.second.push_back(2 * shared + 1);
      ++column;
    }
  }
  share(tail);
  return numbers;
}

// What makes a diagnostic the same one in another text. Messages may name places: "m.go:4:2: other
// declaration".
auto identity(const lsp::Diagnostic& diagnostic, const std::vector<std::size_t>& numbers) {
  static const RE2 place(R"(:\d+:\d+)");
  std::string message = diagnostic.message;
  RE2::GlobalReplace(&message, place, "");
  const std::size_t line = diagnostic.range.start.line;
  // Numbers there are none where nothing differs. A text that ends in a newline has one more line.
  const std::size_t number = numbers.empty() ? line : line < numbers.size() ? numbers[line] : SIZE_MAX;
  return std::tuple(number, diagnostic.severity, diagnostic.code, diagnostic.source, std::move(message));
}

}  // namespace

std::vector<lsp::Diagnostic> new_diagnostics(const std::vector<lsp::Diagnostic>& before,
                                             std::string_view old_text, std::vector<lsp::Diagnostic> after,
                                             std::string_view new_text) {
  const LineNumbers numbers = numbered_lines(old_text, new_text);
  std::map<decltype(identity({}, {})), std::size_t> known;
  for (const lsp::Diagnostic& diagnostic : before) ++known[identity(diagnostic, numbers.first)];
  std::erase_if(after, [&](const lsp::Diagnostic& diagnostic) {
    if (diagnostic.severity > 2) return true;
    std::size_t& left = known[identity(diagnostic, numbers.second)];
    return left > 0 && left-- > 0;
  });
  std::ranges::stable_sort(after, {},
                           [](const lsp::Diagnostic& diagnostic) { return diagnostic.range.start; });
  return after;
}

}  // namespace symbols::index
