// Folds any whitespace to single spaces, so a text of many lines becomes one line.
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

}  // namespace symbols::table
