// `symbols servers`: prints the list of proxy/servers/servers_list.h.
#pragma once

#include "proxy/cli/command_line.h"

namespace symbols::cli {

// Returns the exit status: 1 if the user's servers.json is wrong or standard output cannot be written.
int run_servers(const ServersArguments& arguments);

}  // namespace symbols::cli
