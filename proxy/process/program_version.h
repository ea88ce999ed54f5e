// Asks programs for their versions: all at once, and with a time limit, as some wait for input or start for
// minutes.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "proxy/process/child_process.h"

namespace symbols::process {

// The versions of `programs`, in their order: "19.1.7". Every program is run from `/`
// (so that no version manager's shim looks at the current folder), with empty standard input, in its own
// process group, which is killed after `limit`. Error: it could not be run, failed (with the first line that
// it wrote, preferably to standard error), did not end in time, or wrote nothing that looks like a version.
std::vector<Result<std::string>> ask_versions(const std::vector<ProcessOptions>& programs,
                                              std::chrono::milliseconds limit);

// The first thing in `text` that looks like a version, at least two numbers with a dot: "0.16.1" in "gopls
// v0.16.1". Letters, digits and marks that belong to it are kept ("0.14.0-dev.1"). Empty if there is none.
std::string version_in(std::string_view text);

}  // namespace symbols::process
