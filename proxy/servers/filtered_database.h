// A copy of a project's compilation database with only the flags that are known to write nothing
// (allowed_compile_flags()), and with the project's own paths if it is of another checkout: copied from
// another machine, or made before the folder was moved. For a clangd that the kernel does not keep from
// writing, or that would follow paths to nowhere.
//
//   "file": "/home/u/store/db/a.cc"    no such file, but the project has db/a.cc:
//                                      /home/u/store is replaced by the project's root
//
// The first entries decide. One that is there, or whose folder is, is of this checkout.
//
// clang has dozens of flags that name a file to write or a plugin to load, and new ones with every release,
// so the allowed ones are a list of those that are known to do neither; all others are left out.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/filesystem.h"
#include "base/result.h"

namespace symbols::servers {

struct AllowedFlags {
  // Each is one word that begins with `-`, its value joined to it: no word can be taken for another flag's
  // value, and none begins with `@`, which would be a file of further flags.
  std::vector<std::string> flags;
  // The number of flags left out that may matter for the answer, so without those that only say what to write
  // (-c, -o, -MD, -g) or how to link.
  std::size_t left_out = 0;
};

// The flags in the text of a compile_flags.txt: one per line, as clangd reads it.
std::vector<std::string> flags_in_lines(std::string_view text);

// The allowed flags among `arguments`, a compiler's without its own name. File names are dropped.
AllowedFlags allowed_compile_flags(const std::vector<std::string>& arguments);

// The compiler's name for clangd, from the first words of a command: "g++-12" of "/usr/bin/ccache
// /opt/bin/g++-12 …", "clang" if no known name is found. Without a folder, because clang reads flags from a
// file beside its program.
std::string allowed_compiler(const std::vector<std::string>& command);

// Writes what is allowed of `database`, one of the project at `root` (empty: unknown) or empty, as a database
// in `folder`. Returns how many flags were left out. Error: it cannot be read, written or decoded.
Result<std::size_t> write_filtered_database(const std::string& database, const std::string& folder,
                                            const std::string& root);

// Writes a database in one step (another run may be reading it), if it differs. Error: it cannot be written.
Result<void> write_database(const std::string& file, std::string_view text);

// Whether `database` is of another checkout of the project at `root`, a canonical path. Reads only its start.
bool is_of_another_checkout(const fs::path& database, const fs::path& root);

// The text of such a database with this project's paths; any other as it is.
std::string in_this_checkout(std::string json, const fs::path& root);

}  // namespace symbols::servers
