// servers.json: the list of servers that is built into the program (servers.json beside this file) and, in
// the same form, a user's own, from the user's configuration folder and nowhere else: a file of that name in
// a project would let the project choose what is run.
//
//   {"servers": [{"name": "zls", "command": ["zls"],
//                 "languages": ["zig", {"id": "zon", "extensions": [".zon"], "file_names": ["build.zon"]}],
//                 "root_markers": ["build.zig"], "initialization_options": {…}, "install": "…",
//                 "wait_for_progress": false, "answers_at_once": true, "version_arguments": ["version"]}]}
//
// The members are those of ServerSpec; `note` says why something is as it is and is not read. A language that
// is only named is one of the built-in list. That list has members of its own besides: `languages`, several
// commands for a server, and what keeps a server from running what lies in a project, which a user's entry
// has from the built-in one for the same program.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "proxy/servers/known_servers.h"

namespace symbols::servers {

// $XDG_CONFIG_HOME/symbols/servers.json, or ~/.config/symbols/servers.json; empty where neither variable
// holds an absolute path. A relative one would be looked up in the folder that we stand in, which may be the
// project (and the XDG Base Directory Specification has us ignore it). Reads the environment; looks at no
// file.
std::filesystem::path user_servers_file();

// The servers in `text`, the content of `file` (which errors call by its name). Null for `built_in`: it is
// the built-in list itself. Else it is a user's, whose entries change those of `built_in` that have their
// name: what such an entry leaves out stays; any other needs `command` and `languages`. Errors: what is no
// JSON, with line and column; what is of a wrong type, unknown, missing or double, with the member's path and
// what is allowed there.
Result<std::vector<ServerSpec>> parse_servers(std::string_view text, const std::string& file,
                                              const std::vector<ServerSpec>* built_in);

// Reads a user's `file`; none where it is not there to be seen. Errors: parse_servers', and what the system
// says.
Result<std::vector<ServerSpec>> read_user_servers(const std::filesystem::path& file,
                                                  const std::vector<ServerSpec>& built_in);

}  // namespace symbols::servers
