// A place in a file as compilers print it: FILE:LINE or FILE:LINE:COLUMN.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "base/result.h"

namespace symbols::cli {

struct SourcePlace {
  std::string file;
  std::uint32_t line = 1;                 // one-based
  std::optional<std::uint32_t> column{};  // one-based, in UTF-16 units, as LSP counts
};

// Reads `word`. `is_file` tells what is a file: `-` always is. One number is taken off the end where a file
// is what remains, else two; of a file that is missing (which is said where it is read) as many as there are,
// two at most. So of `h.cpp` and a file whose own name is `h.cpp:3`, `h.cpp:3:5` is line 5 of the latter, and
// `h.cpp:3`, which would say no line of it, line 3 of the former.
//
// Errors: no number at the end, or the whole is a file's name and says no line; a number that is 0 or too
// large.
Result<SourcePlace> read_source_place(const std::string& word,
                                      const std::function<bool(const std::string&)>& is_file);

}  // namespace symbols::cli
