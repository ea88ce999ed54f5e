// Finds programs on the PATH and in what we have installed, and nowhere else, and tells whether they may be
// run, and by what if they are scripts: the project is not trusted, so a program inside it is skipped,
// however the PATH or a symbolic link leads there.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/filesystem.h"
#include "proxy/servers/trust_boundary.h"

namespace symbols::servers {

// The programs found: absolute paths, in the PATH's order, symbolic links not followed.
struct ProgramSearch {
  std::vector<fs::path> found;
  std::vector<fs::path> forbidden;  // inside the untrusted project
};

// Whether `path` is a regular file, or a link to one, that we may execute.
bool is_program(const fs::path& path);

// Searches the folders of `path`, the value of PATH, for programs called `name`, or looks there if that is
// an absolute path. Empty and relative entries are skipped: they refer to the current folder.
ProgramSearch find_programs(std::string_view name, std::string_view path, const ProjectBoundary& boundary);

// The program that the "#!" line at the start of `text` names, unchanged: "/usr/bin/python3" or, through env,
// "node". Empty if there is no such line.
std::string_view interpreter_in(std::string_view text);

// The same for the file `script`.
std::string interpreter_of(const fs::path& script);

// The clangds on `path`, the newest first: Debian's `clangd` is 14, which answers hovers some hundred times
// slower than the clangd-19 beside it. None is run: the version is that of the name, also once links are
// followed, or of the only …/lib/clang/N beside it. One of unknown version counts as the newest: it is not a
// distribution's link, so the user chose it.
ProgramSearch find_clangds(std::string_view path, const ProjectBoundary& boundary);

// Directories with npm packages of servers that are ours: tried after the PATH.
struct OwnInstalls {
  std::vector<fs::path> folders;     // each has a node_modules
  std::vector<std::string> refused;  // sentences: which one is not used, and why
};

// Of these, in this order: `named` ($SYMBOLS_SERVERS_DIR), .local/lib/symbols/servers in `home`, and beside
// the running `program` ../lib/symbols/servers (installed) and ../scripts/servers (built from source). Only
// absolute paths count. All but the named one are refused if other users can write there, and that in `home`
// if it is in the project; the project may contain the others, as ours does.
OwnInstalls find_own_installs(const fs::path& named, const fs::path& home, const fs::path& program,
                              const ProjectBoundary& boundary);

}  // namespace symbols::servers
