// A copy of a project's compilation database with only the flags that are known to write nothing
// (compile_flags.h): for a clangd that the kernel does not keep from writing.
#pragma once

#include <cstddef>
#include <string>

#include "base/result.h"

namespace symbols::servers {

// Writes what is allowed of `database`, a nearest_database() or empty, as a database in `folder`. Returns how
// many flags were left out. Error: it cannot be read or written, or is not a compilation database.
Result<std::size_t> write_filtered_database(const std::string& database, const std::string& folder);

}  // namespace symbols::servers
