// `symbols proxy [options] -- SERVER ARG…`: everything from the arguments to the exit status.
#pragma once

#include "proxy/cli/command_line.h"

namespace symbols::cli {

// Starts the server and relays between it and the client on standard input and output until both have ended.
// Returns the exit status of docs/spec.md, section 8: the server's own, 128+N if signal N ended it, 126 or
// 127 if it cannot be run or is not found; the client's first request is then answered with the reason.
int run_proxy(const ProxyArguments& arguments);

}  // namespace symbols::cli
