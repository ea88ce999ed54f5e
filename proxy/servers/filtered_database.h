// A copy of a project's compilation database with only the flags that are known to write nothing
// (compile_flags.h), and with the project's own paths if it is of another checkout: copied from another
// machine, or made before the folder was moved. For a clangd that the kernel does not keep from writing, or
// that would follow paths to nowhere.
//
//   "file": "/home/u/store/db/a.cc"    no such file, but the project has db/a.cc:
//                                      /home/u/store is replaced by the project's root
//
// The first entries decide. One that is there, or whose folder is, is of this checkout.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"

namespace symbols::servers {

// Writes what is allowed of `database`, one of the project at `root` (empty: unknown) or empty, as a database
// in `folder`. Returns how many flags were left out. Error: it cannot be read or written, or is not a
// compilation database.
Result<std::size_t> write_filtered_database(const std::string& database, const std::string& folder,
                                            const std::string& root);

// Writes a database in one step, since another run may be reading it, and only if it differs. Error: it
// cannot be written.
Result<void> write_database(const std::string& file, std::string_view text);

// Whether `database` is one of another checkout of the project at `root`, a canonical path. Reads no more
// than its start.
bool is_of_another_checkout(const std::filesystem::path& database, const std::filesystem::path& root);

// The text of such a database with this project's paths; any other as it is.
std::string in_this_checkout(std::string json, const std::filesystem::path& root);

}  // namespace symbols::servers
