// What the readers of text formats share: lines, with errors by line and column; ranges and numbers.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "base/text.h"
#include "lsp/position.h"

namespace symbols::table {

// A base of readers. Functions that return false have set error_.
class LineReader {
 protected:
  // `what` the text is, for errors: "the table". It and the text must outlive this.
  LineReader(std::string_view what, std::string_view text) : rest_(text), what_(what) {}

  // To the next line, without its newline or CR LF. To be called while rest_ is not empty, and once at first.
  void next_line();
  // To the next line of a text that a budget's notice may end; false after the last one before it.
  bool next_row();

  // Puts the error at `offset` bytes in the line, or where `part`, which is a part of the line, starts.
  bool fail(std::size_t offset, std::string_view what_is_wrong, std::string advice = {});
  bool fail_in(std::string_view part, std::string_view what_is_wrong, std::string advice = {}) {
    return fail(offset_of(part), what_is_wrong, std::move(advice));
  }
  std::size_t offset_of(std::string_view part) const {
    return static_cast<std::size_t>(part.data() - line_.data());
  }

  std::string_view rest_;  // what follows line_
  std::string_view line_;
  std::size_t line_number_ = 0;
  Error error_;

 private:
  std::string_view what_;
};

// Reads exactly what append_range() writes: no spaces, signs or leading zeros, and the short form whenever
// possible, so a range has only one text. None for anything else, and for a number above 4294967295.
std::optional<lsp::Range> parse_range(std::string_view text);

// The whole of `text` as a number in its only spelling: digits without leading zeros, with an optional minus
// for a signed Integer. None for anything else, and for numbers that an Integer cannot hold.
template <class Integer>
std::optional<Integer> parse_number(std::string_view text) {
  const std::string_view digits = text.substr(text.starts_with('-') ? 1 : 0);
  if (digits.starts_with('0') && text != "0") return {};
  return whole_number<Integer>(text);
}

}  // namespace symbols::table
