// servers.json: the list of servers that is built into the program (servers.json beside this file) and, in
// the same form, a user's own. The latter is read from the user's configuration folder and nowhere else: a
// file in the project would let the project choose what is run.
//
//   {"servers": [{"name": "zls", "command": ["zls"],
//                 "languages": ["zig", {"id": "zon", "extensions": [".zon"], "file_names": ["build.zon"]}],
//                 "root_markers": ["build.zig"], "initialization_options": {…}, "install": "…",
//                 "wait_for_progress": false, "answers_at_once": true, "version_arguments": ["version"]}]}
//
// The members are those of ServerSpec; `note` is a comment and not read. A language given by its name is one
// of the built-in list. Only that list may have: `languages` of its own, several commands for a server, and
// the settings that keep a server from running what is in a project, which a user's entry inherits from the
// built-in one for the same program.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "proxy/servers/known_servers.h"

namespace symbols::servers {

// $XDG_CONFIG_HOME/symbols/servers.json, or ~/.config/symbols/servers.json; empty if neither variable holds
// an absolute path. A relative one would be looked up in the current folder, which may be the project (and
// the XDG Base Directory Specification says to ignore it). Reads only the environment, no file.
std::filesystem::path user_servers_file();

// The servers in `text`, the content of `file` (named in errors). If `built_in` is null it is the built-in
// list itself. Else it is a user's, whose entries change the ones of `built_in` with their name: what such an
// entry leaves out stays; any other needs `command` and `languages`. Errors: not JSON, with line and column;
// a member of a wrong type, unknown, missing or duplicate, with its path and what is allowed there.
Result<std::vector<ServerSpec>> parse_servers(std::string_view text, const std::string& file,
                                              const std::vector<ServerSpec>* built_in);

// Reads a user's `file`; no servers if it is missing or hidden from us. Errors: parse_servers', and the
// system's.
Result<std::vector<ServerSpec>> read_user_servers(const std::filesystem::path& file,
                                                  const std::vector<ServerSpec>& built_in);

}  // namespace symbols::servers
