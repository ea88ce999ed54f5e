// Which server answers for which file: the built-in list and, before it, what a user's own servers.json adds.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/filesystem.h"
#include "base/result.h"
#include "proxy/servers/servers_file.h"

namespace symbols::servers {

class ServerRegistry {
 public:
  // Only the built-in list.
  static ServerRegistry built_in() { return ServerRegistry(known_servers()); }

  // The built-in list with the servers of `user_file`, a servers.json (servers_file.h), if it is there and
  // not hidden from us. Errors: parse_servers', and the system's.
  static Result<ServerRegistry> load(const fs::path& user_file = user_servers_file());

  // The user's first, in the file's order, then the built-in ones in order of preference.
  const std::vector<ServerSpec>& servers() const { return servers_; }

  // The servers for `file` (a name or a path; it need not exist), the preferred one first. `first_line`, the
  // start of its text, matters if the name tells nothing: for "#!/usr/bin/env python3".
  std::vector<const ServerSpec*> candidates(const fs::path& file, std::string_view first_line = {}) const;

  // The preferred one, installed or not; null if none is known.
  const ServerSpec* for_file(const fs::path& file, std::string_view first_line = {}) const;

  const ServerSpec* by_name(std::string_view name) const;

  // The server that a program called `name` (without folder) is; "clangd-19" counts as "clangd".
  const ServerSpec* by_program(std::string_view name) const { return server_of_program(servers_, name); }

  // LSP's languageId for `file`, as `spec` names it (null: the preferred server). Empty if it is not known.
  std::string language_id(const fs::path& file, std::string_view first_line = {},
                          const ServerSpec* spec = nullptr) const;

 private:
  explicit ServerRegistry(std::vector<ServerSpec> servers) : servers_(std::move(servers)) {}

  std::vector<ServerSpec> servers_;
};

}  // namespace symbols::servers
