// What `symbols context` asks of clangd beyond what hovers need: an index of the project, without which
// clangd knows the references and callers in open files alone. clangd keeps it in .cache/clangd beside the
// compilation database; here that is a folder of the user's cache, so that nothing is written into the
// project.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "lsp/result.h"
#include "proxy/document_dispatcher.h"

namespace symbols::proxy {

// The folder whose compile_commands.json clangd takes for `file` (absolute): the nearest above it that has
// one, or has one in its `build`, unless a nearer compile_flags.txt comes first or a `.clangd` names another.
// None where there is no such file: clangd then knows of no other file of the project. A condition in
// `.clangd` is not looked at.
std::optional<std::filesystem::path> compilation_database_of(const std::filesystem::path& file);

// Makes these arguments of clangd those of one that indexes what `database`, a folder, has the commands of,
// and keeps the index below `cache` (absolute, created where it is missing): in a folder for each database,
// which has a link to it. Error: the folder or the link cannot be made; the arguments are as before.
Result<void> index_outside_project(std::vector<std::string>& arguments, const std::filesystem::path& database,
                                   const std::filesystem::path& cache);

// Whether clangd started with these knows the references and callers of open files alone, for `file`.
bool knows_open_files_only(const std::vector<std::string>& arguments, const std::filesystem::path& file);

// Has the clangd of `job` know the references and callers in all files of its project, with its index in
// $XDG_CACHE_HOME/symbols/clangd (else that of ~/.cache); or notes in the job that it will not. A command
// that is the user's own is left as it is, and so is where its index goes.
void let_clangd_search(DocumentJob& job, bool is_users_command);

}  // namespace symbols::proxy
