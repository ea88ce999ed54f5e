// A range as every text format writes it (docs/spec.md, section 1): `line:start-end` on one line, else
// `startLine:start-endLine:end`; zero-based, in the units of lsp::Position.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "lsp/range.h"

namespace symbols::table {

void append_range(std::string& out, const lsp::Range& range);

// Appends its lines, which count from 1: `53-59`, or `53` for one.
void append_line_span(std::string& out, const lsp::Range& range);

// Reads exactly what append_range writes: no spaces, signs or leading zeros, and the short form whenever
// possible, so a range has only one text. Allocates only for errors. Errors: another form, or a number above
// 4294967295; the message has the text.
Result<lsp::Range> parse_range(std::string_view text);

}  // namespace symbols::table
