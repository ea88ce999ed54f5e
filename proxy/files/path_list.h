// A list of paths in a file, as `find`, `git ls-files` and build systems write it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace symbols::files {

// A million paths of 256 bytes. A list is kept in memory as a whole, as a split into shards needs all of it.
inline constexpr std::size_t max_path_list_bytes = std::size_t{256} << 20;

enum class PathSeparator { newline, nul };

// The paths in `text`, in its order; empty ones are skipped. With newlines a CR before one is part of the
// separator. Errors, which name `name` and the line (with NUL the number of the path): a path longer than the
// system's limit; `-`, which would be standard input; a NUL byte in a list of lines.
Result<std::vector<std::string>> parse_path_list(std::string_view text, PathSeparator separator,
                                                 const std::string& name);

// Reads the list in the file `path`, which may be a pipe, or in standard input where `path` is `-`. Errors:
// the system's, a list above max_path_list_bytes, and those of parse_path_list.
Result<std::vector<std::string>> read_path_list(const std::string& path, PathSeparator separator);

}  // namespace symbols::files
