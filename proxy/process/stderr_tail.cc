#include "proxy/process/stderr_tail.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "base/text.h"
#include "table/escape.h"

namespace symbols::process {
namespace {

// Whether a line begins a stack of a program that has failed, as Rust and LLVM print it; what went wrong
// stands before it.
bool is_heading(std::string_view line) {
  return line.starts_with("stack backtrace:") || line.starts_with("Stack backtrace:") ||
         line.starts_with("Stack dump:");
}

// Whether a line, without its indentation, is a frame of one: `12: main`, `at ./src/main.rs:3:5`,
// `#4 0x00005581`, `1.\tParsing`.
bool is_frame(std::string_view line) {
  if (line.starts_with("at ")) return line.find_first_of(":(") != std::string_view::npos;
  const bool marked = line.starts_with('#');
  if (marked) line.remove_prefix(1);
  constexpr std::size_t frame_digits = 4;  // more are a time
  const std::size_t digits = std::min(line.find_first_not_of("0123456789"), line.size());
  if (digits == 0 || digits > frame_digits) return false;
  const std::string_view behind = line.substr(digits);
  return marked ? behind.starts_with(' ') : behind.starts_with(": ") || behind.starts_with(".\t");
}

}  // namespace

void StderrTail::add(std::string_view bytes) {
  if (bytes.size() > limit_) bytes.remove_prefix(bytes.size() - limit_);
  tail_.append(bytes);
  if (tail_.size() > limit_) tail_.erase(0, tail_.size() - limit_);
}

std::string StderrTail::text() const {
  constexpr std::size_t max_lines = 3;
  constexpr std::size_t max_line = 300;  // bytes
  constexpr std::string_view blanks = " \t\r";
  std::vector<std::string_view> lines;
  std::vector<std::string_view> stack;  // for a program that printed nothing else
  std::optional<std::size_t> reason;    // the line before the last stack
  bool in_stack = false;
  for (std::string_view line : split(tail_, '\n')) {
    const std::size_t first = line.find_first_not_of(blanks);
    if (first == std::string_view::npos) continue;
    line = line.substr(first, max_line);
    if (is_heading(line) || ((in_stack || first > 0) && is_frame(line))) {
      if (!std::exchange(in_stack, true) && !lines.empty()) reason = lines.size() - 1;
      stack.push_back(line);
    } else {
      in_stack = false;
      lines.push_back(line);
    }
  }
  if (lines.empty()) lines = std::move(stack);
  const std::size_t start = lines.size() - std::min(lines.size(), max_lines);
  if (reason && *reason < start) lines[start] = lines[*reason];
  std::string out;
  for (std::size_t i = start; i < lines.size(); ++i) {
    if (!out.empty()) out += " / ";
    out += table::escaped(lines[i].substr(0, lines[i].find_last_not_of(blanks) + 1));
  }
  return out;
}

}  // namespace symbols::process
