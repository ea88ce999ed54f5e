// Text as one line: any whitespace folded to single spaces, and cut to a length in Unicode scalar values
// (docs/spec.md, section 3).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace symbols::table {

// Bytes of the whitespace character at the start of `text`, 0 if there is none. Whitespace has the Unicode
// property White_Space: line ends, NBSP and the typographic spaces too.
std::size_t whitespace_at(std::string_view text);

// `text` with each run of whitespace as one space, and none at the ends.
std::string fold_whitespace(std::string_view text);

// `text` (valid UTF-8) with at most `max_characters` Unicode scalar values. A longer one is cut to
// `max_characters` - 1 and `…`. 0 means no limit.
std::string cut_text(std::string_view text, std::size_t max_characters);

}  // namespace symbols::table
