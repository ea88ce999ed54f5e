// Which server answers for which file: the built-in list and, before it, what a user's own servers.json adds.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "proxy/servers/known_servers.h"

namespace symbols::servers {

class ServerRegistry {
 public:
  // The built-in list alone.
  static ServerRegistry built_in();

  // The built-in list with the servers of `user_file`, a servers.json (servers_file.h); an empty path, or a
  // file that is not there, adds nothing. Errors: servers_file.h's.
  static Result<ServerRegistry> load(const std::filesystem::path& user_file);

  // Those of the user first, in the file's order, then the built-in ones in order of preference.
  const std::vector<ServerSpec>& servers() const { return servers_; }

  // The servers for `file` (a name or a path; it need not exist), the preferred one first. `first_line`, the
  // start of its text, is looked at where the name tells nothing: for "#!/usr/bin/env python3".
  std::vector<const ServerSpec*> candidates(const std::filesystem::path& file,
                                            std::string_view first_line = {}) const;

  // The preferred one, whether it is installed or not; null where none is known.
  const ServerSpec* for_file(const std::filesystem::path& file, std::string_view first_line = {}) const;

  const ServerSpec* by_name(std::string_view name) const;

  // The server that a program called `name` (without folder) is; "clangd-19" counts as "clangd".
  const ServerSpec* by_program(std::string_view name) const;

  // LSP's languageId for `file`, in the words of `spec` (null: of the preferred server). Empty where nothing
  // is known.
  std::string language_id(const std::filesystem::path& file, std::string_view first_line = {},
                          const ServerSpec* spec = nullptr) const;

 private:
  explicit ServerRegistry(std::vector<ServerSpec> servers) : servers_(std::move(servers)) {}

  std::vector<ServerSpec> servers_;
};

// How well `languages` fit a file: the language, and whether by whole name, by extension (the longer the
// better) or by interpreter. Null where none does.
struct LanguageMatch {
  const Language* language = nullptr;
  std::size_t rank = 0;  // higher is closer
};
LanguageMatch match_language(const std::vector<Language>& languages, const std::filesystem::path& file,
                             std::string_view first_line);

}  // namespace symbols::servers
