// A user's own servers, from servers.json in the user's configuration folder and nowhere else: a file of that
// name in a project would let the project choose what is run.
//
//   {"servers": [{"name": "zls", "command": ["zls"],
//                 "languages": [{"id": "zig", "extensions": [".zig"], "file_names": ["build.zig.zon"]}],
//                 "root_markers": ["build.zig"], "initialization_options": {…}, "install": "…",
//                 "wait_for_progress": false}]}
//
// An entry whose name is that of a built-in server changes it: what it leaves out stays. Any other needs
// `command` and `languages`.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "proxy/servers/known_servers.h"

namespace symbols::servers {

struct UserServer {
  std::string name;
  std::optional<std::vector<std::string>> command;
  std::optional<std::vector<Language>> languages;
  std::optional<std::vector<std::string>> root_markers;
  std::optional<std::string> initialization_options;  // JSON object
  std::optional<std::string> install;
  std::optional<bool> wait_for_progress;
};

// $XDG_CONFIG_HOME/symbols/servers.json, or ~/.config/symbols/servers.json; empty where neither variable
// holds an absolute path. A relative one would be looked up in the folder that we stand in, which may be the
// project (and the XDG Base Directory Specification has us ignore it). Reads the environment; looks at no
// file.
std::filesystem::path user_servers_file();

// The servers in `text`, the content of `file` (which errors call by its name). Errors: what is no JSON, with
// line and column; what is of a wrong type, unknown, missing or double, with the member's path and what is
// allowed there.
Result<std::vector<UserServer>> parse_user_servers(std::string_view text, const std::string& file);

// Reads `file`; none where it is not there to be seen. Errors: parse_user_servers', and what the system says.
Result<std::vector<UserServer>> read_user_servers(const std::filesystem::path& file);

}  // namespace symbols::servers
