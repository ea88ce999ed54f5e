// A copy of a project's compilation database with only the flags that are known to write nothing
// (compile_flags.h), and with the project's own paths if it is of another checkout (moved_database.h): for a
// clangd that the kernel does not keep from writing, or that would follow paths to nowhere.
#pragma once

#include <cstddef>
#include <string>

#include "base/result.h"

namespace symbols::servers {

// Writes what is allowed of `database`, one of the project at `root` (empty: unknown) or empty, as a database
// in `folder`. Returns how many flags were left out. Error: it cannot be read or written, or is not a
// compilation database.
Result<std::size_t> write_filtered_database(const std::string& database, const std::string& folder,
                                            const std::string& root);

}  // namespace symbols::servers
