#include "proxy/setup/line_diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace symbols::setup {
namespace {

constexpr std::size_t context = 3;
// The most cells of the table for the longest common sequence. Above this, all lines between the first and
// the last change count as changed.
constexpr std::size_t most_cells = std::size_t{4} << 20;

// Lines with their line ends, because the last one may lack it.
std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

struct Step {
  char sign;  // ' ', '-' or '+'
  std::string_view line;
};

using TextLines = std::vector<std::string_view>;

void append_middle(std::vector<Step>& steps, const TextLines& before, const TextLines& after,
                   std::size_t begin, std::size_t before_end, std::size_t after_end) {
  const std::size_t rows = before_end - begin;
  const std::size_t columns = after_end - begin;
  std::size_t i = 0;
  std::size_t j = 0;
  if (rows > 0 && columns > 0 && (rows + 1) <= most_cells / (columns + 1)) {
    // longest[i][j]: the length of the common sequence after line i and line j.
    std::vector<std::uint32_t> longest((rows + 1) * (columns + 1));
    const auto cell = [&](std::size_t row, std::size_t column) -> std::uint32_t& {
      return longest[row * (columns + 1) + column];
    };
    for (std::size_t row = rows; row-- > 0;) {
      for (std::size_t column = columns; column-- > 0;) {
        cell(row, column) = before[begin + row] == after[begin + column]
                                ? cell(row + 1, column + 1) + 1
                                : std::max(cell(row + 1, column), cell(row, column + 1));
      }
    }
    while (i < rows && j < columns) {
      if (before[begin + i] == after[begin + j]) {
        steps.push_back({' ', before[begin + i]});
        ++i;
        ++j;
      } else if (cell(i + 1, j) >= cell(i, j + 1)) {
        steps.push_back({'-', before[begin + i++]});
      } else {
        steps.push_back({'+', after[begin + j++]});
      }
    }
  }
  while (i < rows) steps.push_back({'-', before[begin + i++]});
  while (j < columns) steps.push_back({'+', after[begin + j++]});
}

// "12,3": the first line and the number of lines; an empty range has the line before it.
std::string range_of(std::size_t first, std::size_t count) {
  return count == 1 ? fmt::format("{}", first + 1)
                    : fmt::format("{},{}", count == 0 ? first : first + 1, count);
}

}  // namespace

std::string line_diff(std::string_view path, std::string_view before, std::string_view after) {
  if (before == after) return {};
  const TextLines old_lines = lines_of(before);
  const TextLines new_lines = lines_of(after);
  const std::size_t shorter = std::min(old_lines.size(), new_lines.size());
  std::size_t same = 0;
  while (same < shorter && old_lines[same] == new_lines[same]) ++same;
  std::size_t tail = 0;
  while (tail < shorter - same &&
         old_lines[old_lines.size() - 1 - tail] == new_lines[new_lines.size() - 1 - tail])
    ++tail;

  std::vector<Step> steps;
  for (std::size_t i = 0; i < same; ++i) steps.push_back({' ', old_lines[i]});
  append_middle(steps, old_lines, new_lines, same, old_lines.size() - tail, new_lines.size() - tail);
  for (std::size_t i = old_lines.size() - tail; i < old_lines.size(); ++i)
    steps.push_back({' ', old_lines[i]});

  std::string out = fmt::format("--- {}\n+++ {}\n", path, path);
  std::size_t old_line = 0;
  std::size_t new_line = 0;
  for (std::size_t at = 0; at < steps.size();) {
    // A hunk: from `context` lines before a change to as many after the last change within that distance.
    std::size_t first = at;
    while (first < steps.size() && steps[first].sign == ' ') ++first;
    if (first == steps.size()) break;
    const std::size_t begin = first - std::min(context, first - at);
    std::size_t end = first;
    for (std::size_t i = first; i < steps.size() && i < end + 2 * context + 1; ++i) {
      if (steps[i].sign != ' ') end = i + 1;
    }
    end = std::min(end + context, steps.size());
    old_line += begin - at;
    new_line += begin - at;
    std::string body;
    std::size_t old_count = 0;
    std::size_t new_count = 0;
    for (std::size_t i = begin; i < end; ++i) {
      if (steps[i].sign != '+') ++old_count;
      if (steps[i].sign != '-') ++new_count;
      body += steps[i].sign;
      body += steps[i].line;
      if (!steps[i].line.ends_with('\n')) body += "\n\\ No newline at end of file\n";
    }
    out += fmt::format("@@ -{} +{} @@\n", range_of(old_line, old_count), range_of(new_line, new_count));
    out += body;
    old_line += old_count;
    new_line += new_count;
    at = end;
  }
  return out;
}

}  // namespace symbols::setup
