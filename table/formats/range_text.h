// Numbers and ranges as the text formats write them, read back. A range (docs/spec.md, section 1) is
// `line:start-end` on one line, else `startLine:start-endLine:end`; zero-based, in the units of
// lsp::Position.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/text.h"
#include "lsp/position.h"

namespace symbols::table {

void append_range(std::string& out, const lsp::Range& range);

// Appends its lines, which count from 1: `53-59`, or `53` for one.
void append_line_span(std::string& out, const lsp::Range& range);

// Reads exactly what append_range writes: no spaces, signs or leading zeros, and the short form whenever
// possible, so a range has only one text. Allocates only for errors. Errors: another form, or a number above
// 4294967295; the message has the text.
Result<lsp::Range> parse_range(std::string_view text);

// The whole of `text` as a number in its only spelling: digits without leading zeros, with an optional minus
// for a signed Integer. None for anything else, and for numbers that an Integer cannot hold.
template <class Integer>
std::optional<Integer> parse_number(std::string_view text) {
  const std::string_view digits = text.substr(text.starts_with('-') ? 1 : 0);
  if (digits.starts_with('0') && text != "0") return {};
  return whole_number<Integer>(text);
}

// Appends the numbers of `text`, which one space each separates, to `numbers`. Returns the first part that is
// no number; none if all are.
inline std::optional<std::string_view> read_numbers(std::string_view text,
                                                    std::vector<std::int64_t>& numbers) {
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t space = std::min(text.find(' ', start), text.size());
    const std::string_view part = text.substr(start, space - start);
    const std::optional<std::int64_t> number = parse_number<std::int64_t>(part);
    if (!number) return part;
    numbers.push_back(*number);
    start = space + 1;
  }
  return {};
}

// Removes the digits at the start of `text`. Returns whether there were any.
inline bool take_digits(std::string_view& text) {
  std::size_t length = 0;
  while (length < text.size() && is_digit(text[length])) ++length;
  text.remove_prefix(length);
  return length > 0;
}

// Removes `mark` if `text` starts with it. Returns whether it did.
inline bool take_mark(std::string_view& text, char mark) {
  const bool found = text.starts_with(mark);
  if (found) text.remove_prefix(1);
  return found;
}

}  // namespace symbols::table
