#include "table/formats/range_text.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>

#include "base/append_number.h"
#include "table/escape.h"
#include "table/whitespace.h"

namespace symbols::table {
namespace {

// Steps through the text; after a failure it stays failed.
class RangeReader {
 public:
  explicit RangeReader(std::string_view text) : at_(text.data()), end_(at_ + text.size()) {}

  std::uint32_t number() {
    std::uint32_t value = 0;
    const bool leading_zero = end_ - at_ >= 2 && at_[0] == '0' && is_digit(at_[1]);
    const auto [after, error] = std::from_chars(at_, end_, value);
    if (error == std::errc::result_out_of_range) too_large_ = true;
    if (error != std::errc{} || leading_zero) failed_ = true;
    at_ = after;
    return value;
  }
  bool mark(char c) {
    if (at_ == end_ || *at_ != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!mark(c)) failed_ = true;
  }
  bool read_all() const { return !failed_ && at_ == end_; }
  bool too_large() const { return too_large_; }

 private:
  const char* at_;
  const char* end_;
  bool failed_ = false;
  bool too_large_ = false;
};

}  // namespace

void append_range(std::string& out, const lsp::Range& range) {
  append_number(out, range.start.line);
  out += ':';
  append_number(out, range.start.character);
  out += '-';
  if (range.end.line != range.start.line) {
    append_number(out, range.end.line);
    out += ':';
  }
  append_number(out, range.end.character);
}

void append_line_span(std::string& out, const lsp::Range& range) {
  append_number(out, std::uint64_t{range.start.line} + 1);
  if (range.end.line == range.start.line) return;
  out += '-';
  append_number(out, std::uint64_t{range.end.line} + 1);
}

Result<lsp::Range> parse_range(std::string_view text) {
  RangeReader reader(text);
  lsp::Range range;
  range.start.line = reader.number();
  reader.expect(':');
  range.start.character = reader.number();
  reader.expect('-');
  range.end.line = range.start.line;
  range.end.character = reader.number();
  bool repeated_line = false;
  if (reader.mark(':')) {
    range.end.line = range.end.character;
    range.end.character = reader.number();
    repeated_line = range.end.line == range.start.line;
  }
  if (reader.read_all() && !repeated_line) return range;

  const char* const expected =
      reader.too_large() ? "a line or character is above 4294967295"
      : reader.read_all()
          ? "both ends are on one line, which is then written once: line:start-end"
          : "expected line:start-end, as in 52:6-61, or startLine:start-endLine:end, as in 24:8-28:3";
  return Error{fmt::format("cannot read {} as a range: {}", quoted(text), expected), {}};
}

}  // namespace symbols::table
