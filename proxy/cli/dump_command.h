// `symbols PATH…`: everything from the arguments to the exit status.
#pragma once

#include "proxy/cli/command_line.h"

namespace symbols::cli {

// Prints to standard output and standard error; returns the exit status of docs/spec.md, section 8. If a
// signal ends the work (SIGINT, SIGTERM, SIGHUP; SIGPIPE if the reader is gone), the servers are ended first,
// and then this process by that signal.
int run_dump(const DumpArguments& arguments);

}  // namespace symbols::cli
