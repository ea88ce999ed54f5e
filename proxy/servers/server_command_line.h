// `--server TEXT`: the name of a server that is known, or a command line of any other.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "proxy/servers/server_lookup.h"

namespace symbols::servers {

// The words of a command line, by the shell's rules for quoting and nothing else of a shell: '…' takes all as
// it stands, "…" all but a backslash before `"` or `\`, and outside of quotes a backslash takes the next
// character. Errors: a quote that is not closed, a backslash at the end, no word at all.
Result<std::vector<std::string>> split_command_line(std::string_view text);

// The server that `text` names: one of the registry by its name, else a command line. Its program is a path
// from `options.working_folder` where it has a slash, and then it may lie in the project, as the person has
// named it; else it is looked up on the PATH, as any other. A program that the registry knows gets what that
// server must be told (FoundServer::spec). Errors: find_server's, and split_command_line's.
Result<FoundServer> server_from_text(std::string_view text, const ServerRegistry& registry,
                                     const LookupOptions& options);

}  // namespace symbols::servers
