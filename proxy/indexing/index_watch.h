// `symbols index --watch`: keeps a project's index true while somebody works on the project.
#pragma once

#include "proxy/indexing/index_pass.h"
#include "proxy/servers/server_registry.h"
#include "proxy/settings/arguments.h"

namespace symbols::indexing {

// Makes a pass, and another one after each change of the project, until SIGINT, SIGTERM or SIGHUP, by which
// this process then ends. `document` has the project's folder as its path. Returns only if the project cannot
// be watched, or not any more, or the first pass cannot be made: the exit status.
int watch_index(const settings::DumpArguments& document, const IndexTarget& target,
                const servers::ServerRegistry& registry);

}  // namespace symbols::indexing
