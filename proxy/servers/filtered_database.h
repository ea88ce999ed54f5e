// A copy of a project's compilation database with the flags that are known to write nothing
// (compile_flags.h): for a clangd that the kernel does not keep from writing.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include "base/result.h"

namespace symbols::servers {

// The compile_commands.json or compile_flags.txt that clangd takes for `file` (absolute) where no `.clangd`
// says otherwise: of the nearest folder above it that has one, or has a build/compile_commands.json. Empty:
// none.
std::string database_file_for(const std::filesystem::path& file);

// Writes what is allowed of `database`, a database_file_for() or empty, as a database in `folder`. Gives how
// many flags were left out. Error: it cannot be read, or is no such file.
Result<std::size_t> write_filtered_database(const std::string& database, const std::string& folder);

}  // namespace symbols::servers
