// A place in a file as compilers print it: FILE:LINE or FILE:LINE:COLUMN.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "lsp/result.h"

namespace symbols::proxy {

struct SourcePlace {
  std::string file;
  std::uint32_t line = 1;                 // one-based
  std::optional<std::uint32_t> column{};  // one-based, in UTF-16 units, as LSP counts
};

// Reads `word`. `is_file` tells what is a file: `-` always is. Two numbers are taken off the end where a file
// is what remains, else one; else again two or one, of a file that is missing (which is said where it is
// read). So a file whose own name ends in `:12` is meant only where there is no file of the shorter name.
//
// Errors: no number at the end, or the whole is a file's name and says no line; a number that is 0 or too
// large.
Result<SourcePlace> read_source_place(const std::string& word,
                                      const std::function<bool(const std::string&)>& is_file);

}  // namespace symbols::proxy
