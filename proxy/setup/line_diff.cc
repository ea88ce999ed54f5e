#include "proxy/setup/line_diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <span>
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

using TextLines = std::span<const std::string_view>;

void append_changed(std::vector<Step>& steps, TextLines before, TextLines after) {
  const std::size_t rows = before.size();
  const std::size_t columns = after.size();
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
        cell(row, column) = before[row] == after[column]
                                ? cell(row + 1, column + 1) + 1
                                : std::max(cell(row + 1, column), cell(row, column + 1));
      }
    }
    while (i < rows && j < columns) {
      if (before[i] == after[j]) {
        steps.push_back({' ', before[i++]});
        ++j;
      } else if (cell(i + 1, j) >= cell(i, j + 1)) {
        steps.push_back({'-', before[i++]});
      } else {
        steps.push_back({'+', after[j++]});
      }
    }
  }
  while (i < rows) steps.push_back({'-', before[i++]});
  while (j < columns) steps.push_back({'+', after[j++]});
}

// Whether there is a change at `place`, or at most `context` lines from it.
bool is_near_change(std::span<const Step> steps, std::size_t place) {
  const std::size_t begin = place - std::min(context, place);
  const std::size_t end = std::min(place + context + 1, steps.size());
  return std::ranges::any_of(
      steps.subspan(begin, end - begin), [](char sign) { return sign != ' '; }, &Step::sign);
}

// "12,3": the first line and the number of lines; an empty range has the line before it.
std::string range_of(std::size_t first, std::size_t count) {
  return count == 1 ? fmt::format("{}", first + 1)
                    : fmt::format("{},{}", count == 0 ? first : first + 1, count);
}

}  // namespace

std::string line_diff(std::string_view path, std::string_view before, std::string_view after) {
  if (before == after) return {};
  const std::vector<std::string_view> old_lines = lines_of(before);
  const std::vector<std::string_view> new_lines = lines_of(after);
  const auto [old_change, new_change] =
      std::mismatch(old_lines.begin(), old_lines.end(), new_lines.begin(), new_lines.end());
  const auto [old_tail, new_tail] = std::mismatch(old_lines.rbegin(), std::reverse_iterator(old_change),
                                                  new_lines.rbegin(), std::reverse_iterator(new_change));

  std::vector<Step> steps;
  for (auto line = old_lines.begin(); line != old_change; ++line) steps.push_back({' ', *line});
  append_changed(steps, {old_change, old_tail.base()}, {new_change, new_tail.base()});
  for (auto line = old_tail.base(); line != old_lines.end(); ++line) steps.push_back({' ', *line});

  std::string out = fmt::format("--- {}\n+++ {}\n", path, path);
  std::size_t old_line = 0;
  std::size_t new_line = 0;
  for (std::size_t begin = 0, end = 0; begin < steps.size(); begin = end) {
    const bool is_shown = is_near_change(steps, begin);
    while (end < steps.size() && is_near_change(steps, end) == is_shown) ++end;
    const std::span<const Step> hunk = std::span(steps).subspan(begin, end - begin);
    const auto count = [hunk](char sign) {
      return static_cast<std::size_t>(std::ranges::count(hunk, sign, &Step::sign));
    };
    const std::size_t old_count = hunk.size() - count('+');
    const std::size_t new_count = hunk.size() - count('-');
    if (is_shown) {
      out += fmt::format("@@ -{} +{} @@\n", range_of(old_line, old_count), range_of(new_line, new_count));
      for (const Step& step : hunk) {
        out += step.sign;
        out += step.line;
        if (!step.line.ends_with('\n')) out += "\n\\ No newline at end of file\n";
      }
    }
    old_line += old_count;
    new_line += new_count;
  }
  return out;
}

}  // namespace symbols::setup
