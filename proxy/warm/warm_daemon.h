// The process that keeps servers warm: takes the runs of other calls, of this build and with this
// environment, and does them as those calls would, with the servers of the runs before.
#pragma once

#include <string>

namespace symbols::warm {

// Listens on `socket` until it is told to stop, or nothing was asked for a while and no server is left.
// Returns the exit status.
int run_warm_daemon(const std::string& socket);

}  // namespace symbols::warm
