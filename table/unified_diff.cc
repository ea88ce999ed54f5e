#include "table/unified_diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "base/text.h"

namespace symbols::table {
namespace {

constexpr std::size_t context_lines = 3;

// Whole lines of the text before, numbers `first` to `last` (not itself), and what takes their place.
struct Change {
  std::size_t first = 0;
  std::size_t last = 0;
  std::string after;
};

// With the line ends.
std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

// As git and patch read it: a name with a blank ends in a tab, one with other characters is quoted as in C.
std::string file_line(std::string_view mark, std::string_view side, std::string_view name) {
  std::string path(side);
  bool quoted = false;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7F || c == '"' || c == '\\') {
      quoted = true;
      path += fmt::format("\\{:03o}", byte);
    } else {
      path += c;
    }
  }
  if (quoted) return fmt::format("{}\"{}\"\n", mark, path);
  return fmt::format("{}{}{}\n", mark, path, name.find(' ') == name.npos ? "" : "\t");
}

std::vector<Change> changes_of(std::string_view before, const std::vector<std::string_view>& lines,
                               const std::vector<Replacement>& replacements) {
  std::vector<std::size_t> starts;
  for (const std::string_view line : lines)
    starts.push_back(static_cast<std::size_t>(line.data() - before.data()));
  const auto start_of = [&](std::size_t line) { return line < starts.size() ? starts[line] : before.size(); };
  const auto line_at = [&](std::size_t offset) {
    const auto after = std::ranges::upper_bound(starts, offset) - starts.begin();
    return static_cast<std::size_t>(std::max<std::ptrdiff_t>(after, 1) - 1);
  };
  std::vector<Change> changes;
  std::size_t copied = 0;  // of the text before, in the last change
  const auto finish = [&] {
    if (changes.empty()) return;
    Change& change = changes.back();
    const std::size_t begin = start_of(change.first);
    const std::size_t end = start_of(change.last);
    change.after += before.substr(copied, end - copied);
    if (change.after == before.substr(begin, end - begin)) changes.pop_back();
  };
  for (const Replacement& replacement : replacements) {
    const std::size_t first = line_at(replacement.begin);
    const std::size_t last = std::min(line_at(replacement.end) + 1, lines.size());
    if (changes.empty() || first > changes.back().last) {
      finish();
      changes.push_back({.first = first, .last = last, .after = {}});
      copied = start_of(first);
    }
    Change& change = changes.back();
    change.last = std::max(change.last, last);
    change.after += before.substr(copied, replacement.begin - copied);
    change.after += replacement.text;
    copied = replacement.end;
  }
  finish();
  return changes;
}

void append_lines(std::string& out, char mark, std::span<const std::string_view> lines) {
  for (const std::string_view line : lines) {
    out += mark;
    out += line;
    if (!line.ends_with('\n')) out += "\n\\ No newline at end of file\n";
  }
}

}  // namespace

void append_unified_diff(std::string& out, std::string_view name, std::string_view before,
                         const std::vector<Replacement>& replacements) {
  const std::vector<std::string_view> lines = lines_of(before);
  const std::vector<Change> changes = changes_of(before, lines, replacements);
  if (changes.empty()) return;
  out += file_line("--- ", "a/", name) + file_line("+++ ", "b/", name);
  const auto slice = [&lines](std::size_t first, std::size_t last) {
    return std::span(lines).subspan(first, last - first);
  };
  std::ptrdiff_t shift = 0;  // of line numbers, by the hunks before
  for (auto change = changes.begin(); change != changes.end();) {
    auto end = change + 1;
    while (end != changes.end() && end->first <= (end - 1)->last + 2 * context_lines) ++end;
    const std::size_t first = change->first - std::min(change->first, context_lines);
    const std::size_t last = std::min((end - 1)->last + context_lines, lines.size());
    std::string body;
    std::size_t at = first;
    std::size_t lines_after = last - first;
    for (; change != end; ++change) {
      append_lines(body, ' ', slice(at, change->first));
      append_lines(body, '-', slice(change->first, change->last));
      const std::vector<std::string_view> after = lines_of(change->after);
      append_lines(body, '+', after);
      lines_after = lines_after + after.size() - (change->last - change->first);
      at = change->last;
    }
    append_lines(body, ' ', slice(at, last));
    // Of no lines, the number of the line before.
    const auto range = [](std::size_t start, std::size_t count) {
      return fmt::format("{},{}", count > 0 ? start + 1 : start, count);
    };
    const auto start_after = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(first) + shift);
    out +=
        fmt::format("@@ -{} +{} @@\n{}", range(first, last - first), range(start_after, lines_after), body);
    shift += static_cast<std::ptrdiff_t>(lines_after) - static_cast<std::ptrdiff_t>(last - first);
  }
}

}  // namespace symbols::table
