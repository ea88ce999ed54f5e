// The environment of a server in a project that is not trusted. A variable can name code to load:
// NODE_OPTIONS, LD_PRELOAD, PYTHONPATH, CLANGD_FLAGS, … Interpreters and tools have hundreds of them, so what
// a server needs is listed (server_environment.cc), and it gets nothing else.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "proxy/servers/program_search.h"

namespace symbols::servers {

// The variables of this process: NAME=VALUE.
std::vector<std::string> own_environment();

// Those of `variables` (NAME=VALUE) that a server may inherit, in their order. A path that is relative, empty
// or in the project is left out: the variable, or the element of a list. Without PATH, for which there is
// allowed_path().
std::vector<std::string> allowed_environment(const std::vector<std::string>& variables,
                                             const ProjectBoundary& boundary);

}  // namespace symbols::servers
