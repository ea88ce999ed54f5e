#include "table/formats/range_text.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>

#include "base/text.h"
#include "table/escape.h"

namespace symbols::table {

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
  std::string_view rest = text;
  bool failed = false;
  bool too_large = false;
  const auto number = [&] {
    std::uint32_t value = 0;
    const auto [after, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
    const auto digits = static_cast<std::size_t>(after - rest.data());
    if (error == std::errc::result_out_of_range) too_large = true;
    if (error != std::errc{} || (digits > 1 && rest[0] == '0')) failed = true;
    rest.remove_prefix(digits);
    return value;
  };
  const auto expect = [&](char mark) {
    if (!take_mark(rest, mark)) failed = true;
  };
  lsp::Range range;
  range.start.line = number();
  expect(':');
  range.start.character = number();
  expect('-');
  range.end.line = range.start.line;
  range.end.character = number();
  bool repeated_line = false;
  if (take_mark(rest, ':')) {
    range.end.line = range.end.character;
    range.end.character = number();
    repeated_line = range.end.line == range.start.line;
  }
  failed = failed || !rest.empty();
  if (!failed && !repeated_line) return range;

  const char* const expected =
      too_large ? "a line or character is above 4294967295"
      : failed  ? "expected line:start-end, as in 52:6-61, or startLine:start-endLine:end, as in 24:8-28:3"
                : "both ends are on one line, which is then written once: line:start-end";
  return Error{fmt::format("cannot read {} as a range: {}", quoted(text), expected), {}};
}

}  // namespace symbols::table
