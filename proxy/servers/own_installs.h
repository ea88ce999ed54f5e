// Directories with npm packages of servers that are ours: tried after the PATH.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "proxy/servers/program_search.h"

namespace symbols::servers {

struct OwnInstalls {
  std::vector<std::filesystem::path> folders;  // each has a node_modules
  std::vector<std::string> refused;            // sentences: which one is not used, and why
};

// Of these, in this order: `named` ($SYMBOLS_SERVERS_DIR), .local/lib/symbols/servers in `home`, and beside
// `program`, which is the running one, ../lib/symbols/servers (installed) and ../scripts/servers (built from
// source). Of paths that are not absolute there are none. One that the user has not named is refused if other
// users can write to it (files/writable_by_others.h), and that in `home` if it is in the project; the project
// may contain the others, as ours does. What is inside is not looked at: only who may write to it has put it
// there.
OwnInstalls find_own_installs(const std::filesystem::path& named, const std::filesystem::path& home,
                              const std::filesystem::path& program, const ProjectBoundary& boundary);

}  // namespace symbols::servers
