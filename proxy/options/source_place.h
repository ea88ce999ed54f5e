// A place in a file as compilers print it: FILE:LINE or FILE:LINE:COLUMN.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "base/result.h"

namespace symbols::options {

struct SourcePlace {
  std::string file;
  std::uint32_t line = 1;                 // one-based
  std::optional<std::uint32_t> column{};  // one-based, in UTF-16 units, as LSP counts
};

// Whether a `:` and digits are at its end.
bool has_line(const std::string& word);

// Reads `word`. `is_file` says whether a file exists; `-` always does. If the word without one number at its
// end is a file, that number is the line, else up to two numbers are removed. For a missing file (reported
// later, on reading) all numbers are removed, at most two. With files `h.cpp` and `h.cpp:3`, `h.cpp:3:5` is
// line 5 of the latter, and `h.cpp:3` is line 3 of the former, because it would give no line of the latter.
//
// Errors: no number at the end, or the whole word is a file's name and has no line; a number that is 0 or too
// large.
Result<SourcePlace> read_source_place(const std::string& word,
                                      const std::function<bool(const std::string&)>& is_file);

}  // namespace symbols::options
