// `symbols PATH…`: everything from the arguments to the exit status.
#pragma once

#include "proxy/cli/command_line.h"

namespace symbols::cli {

// Prints to standard output and standard error; returns the exit status of docs/spec.md, section 8. Where a
// signal (SIGINT, SIGTERM, SIGHUP; SIGPIPE for a reader that is gone) ended the work, the servers are ended
// first and then this process by that signal.
int run_dump(const DumpArguments& arguments);

}  // namespace symbols::cli
