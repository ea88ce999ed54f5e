// The process that keeps servers warm: takes the runs of other calls, of this build and with this
// environment, and does them as those calls would, with the servers of the runs before.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "proxy/runs/document_run.h"
#include "proxy/terminal/terminal.h"

namespace symbols::warm {

// The run that a command line asks for, read in the working folder for this console. None: the command line
// is wrong, or is not about documents.
using PrepareDump = std::function<std::optional<runs::Dump>(const std::vector<std::string>& words,
                                                            const terminal::Console& console)>;

// Listens on `socket` until it is told to stop, or nothing was asked for a while and no server is left.
// Returns the exit status.
int run_warm_daemon(const std::string& socket, PrepareDump prepare_dump);

}  // namespace symbols::warm
