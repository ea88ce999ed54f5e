// `symbols servers`: the known servers, which of them are installed, and how to get the others.
#pragma once

#include <string>
#include <vector>

#include "base/clock.h"
#include "base/filesystem.h"
#include "base/result.h"
#include "proxy/process/child_process.h"
#include "proxy/servers/server_lookup.h"
#include "proxy/servers/server_registry.h"

namespace symbols::servers {

// Lines of text, the last ended by a newline: the servers found, with version, program and files; those not
// found, with how to install them; then notes on some. Versions of npm packages are read from their files;
// other programs are asked, all at once and for five seconds at most. Control characters are escaped.
// `user_file` (user_servers_file(); may be empty) is named as the place for others.
std::string servers_list(const ServerRegistry& registry, const LookupOptions& options,
                         const fs::path& user_file);

// The versions of `programs`, in their order: "19.1.7". All are asked at once. Every program is run from `/`
// (so that no version manager's shim looks at the current folder), with empty standard input, in its own
// process group, which is killed after `limit`. Error: it could not be run, failed (with the first line that
// it wrote, preferably to standard error), did not end in time, or wrote nothing that looks like a version.
std::vector<Result<std::string>> ask_versions(const std::vector<process::ProcessOptions>& programs,
                                              milliseconds limit);

}  // namespace symbols::servers
