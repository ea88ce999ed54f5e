// `symbols servers`: the known servers, which of them are installed, and how to get the others.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "proxy/servers/server_lookup.h"
#include "proxy/servers/server_registry.h"

namespace symbols::servers {

// Lines of text, the last ended by a newline: the servers found, with version, program and files; those not
// found, with how to install them; then notes on some. Versions of npm packages are read from their files;
// other programs are asked, all at once and for five seconds at most. Control characters are escaped.
// `user_file` (user_servers_file(); may be empty) is named as the place for others.
std::string servers_list(const ServerRegistry& registry, const LookupOptions& options,
                         const std::filesystem::path& user_file);

// The versions of found servers, in their order, as that list has them. Error: why there is none; one that is
// not known is not asked.
std::vector<Result<std::string>> server_versions(const std::vector<FoundServer>& found);

}  // namespace symbols::servers
