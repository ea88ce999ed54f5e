// `symbols servers`: what is known, what of it is here, and how to get the rest.
#pragma once

#include <filesystem>
#include <string>

#include "proxy/servers/server_lookup.h"
#include "proxy/servers/server_registry.h"

namespace symbols::servers {

// Lines of text, the last ended by a newline: the servers found, with version, program and files; those not
// found, with how to install them; then what there is to say of some. Versions of npm packages are read, the
// others' programs are asked, all at once and for five seconds at most. Control characters are escaped.
// `user_file` (user_servers_file(); may be empty) is named as the place for others.
std::string servers_list(const ServerRegistry& registry, const LookupOptions& options,
                         const std::filesystem::path& user_file);

}  // namespace symbols::servers
