// What `symbols context` asks of clangd beyond what hovers need: an index of the project, without which
// clangd knows the references and callers in open files alone. clangd keeps it in .cache/clangd beside the
// compilation database; here that is a folder of the user's cache, so that nothing is written into the
// project.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "proxy/servers/compilation_database.h"

namespace symbols::servers {

// Makes these arguments of clangd those of one that indexes what `database`, a folder, has the commands of,
// and keeps the index below `cache` (absolute, created where it is missing): in a folder for each database,
// which has a link to it. Those of databases that are gone are removed. Error: the folder or the link cannot
// be made; the arguments are as before.
Result<void> index_outside_project(std::vector<std::string>& arguments, const std::filesystem::path& database,
                                   const std::filesystem::path& cache);

// Whether clangd started with these knows the references and callers of open files alone, for `file`.
bool knows_open_files_only(const std::vector<std::string>& arguments, const std::filesystem::path& file);

struct ProjectSearch {
  bool open_files_only = false;          // clangd will know the references and callers of open files alone
  std::filesystem::path index_folder{};  // where it writes its index; empty: nowhere, or where it likes
};

// Makes these arguments of clangd those of one that knows the references and callers in all files of the
// project of `file` (absolute), with its index in $XDG_CACHE_HOME/symbols/clangd (else that of ~/.cache).
// Where there is no place for an index they stay as they are; so does a command that is the user's own.
ProjectSearch let_clangd_search(std::vector<std::string>& arguments, const std::filesystem::path& file,
                                bool is_users_command);

}  // namespace symbols::servers
