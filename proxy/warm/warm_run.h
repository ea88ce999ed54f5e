// `symbols --warm PATH…` and `symbols context --warm`: the run is left to the process that keeps servers
// (warm_daemon.h), and what it writes is passed on.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "proxy/runs/document_run.h"
#include "proxy/terminal/terminal.h"

namespace symbols::warm {

// Whether the user wants it, and it can be: not with standard input or a log.
bool may_be_warm(const runs::DumpArguments& in_effect);

// The exit status. None: it could not be answered that way, nothing has been written, and the caller answers
// it. Does not return if the reader of standard output is gone.
std::optional<int> run_warm(const runs::DumpArguments& in_effect, const terminal::Console& console);

}  // namespace symbols::warm
