// `symbols index --watch`: keeps a project's index true while somebody works on the project.
#pragma once

#include "proxy/cli/command_line.h"
#include "proxy/cli/index_pass.h"
#include "proxy/servers/server_registry.h"

namespace symbols::cli {

// Makes a pass, and another one after each change of the project, until SIGINT, SIGTERM or SIGHUP, by which
// this process then ends. `document` has the project's folder as its path. Returns only if the project cannot
// be watched, or not any more, or the first pass cannot be made: the exit status.
int watch_index(const DumpArguments& document, const IndexTarget& target,
                const servers::ServerRegistry& registry);

}  // namespace symbols::cli
