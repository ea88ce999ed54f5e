// What clangd is given beside its command: flags for files in no compilation database, and an index.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/filesystem.h"
#include "base/result.h"
#include "proxy/servers/compilation_database.h"
#include "proxy/servers/guessed_flags.h"

namespace symbols::servers {

// For a file that is in no compilation database clangd guesses the compile command from the file's name. It
// then finds no header that needs a -I, and fails ("invalid AST") if its compiler does not know the
// extension: .ipp, .inl, .tpp, .cuh.
//
// The settings that clangd, started with `arguments` and `initialization_options` (a JSON object, or empty),
// has to be sent by workspace/didChangeConfiguration before it opens `file` (absolute), which is in the
// language `language_id`: a compile command, with the flags of compile_flags.txt, or else those that are
// guessed and fallbackFlags. Empty if it needs none. Nothing is guessed (null: never) where there is a
// database, or a `.clangd` with flags.
std::string clangd_settings(const fs::path& file, std::string_view language_id,
                            const std::vector<std::string>& arguments,
                            std::string_view initialization_options, GuessedFlags* guessed = nullptr);

// The flags in such settings; none in empty ones.
std::vector<std::string> flags_in_settings(std::string_view settings);

// The index of the project that `symbols context` needs from clangd: without it clangd knows only the
// references and callers in open files. clangd keeps it in .cache/clangd beside the compilation database;
// here that is a folder of the user's cache, so that nothing is written into the project.
//
// Changes clangd's arguments so that it indexes the files in `database`, a folder with compile commands, and
// keeps the index in $XDG_CACHE_HOME/symbols/clangd (by default in ~/.cache). Each database has its own
// folder there, with a link to the database, which is returned; folders whose database is gone are removed.
// Error: the user has no cache, or the folder or the link cannot be made; the arguments are unchanged.
Result<fs::path> index_outside_project(std::vector<std::string>& arguments, const fs::path& database);

// The same for clangd that must not see `database` itself, a compile_commands.json, but a copy of what is
// allowed of it (filtered_database.h), which is yet to be written into the folder that is returned. There the
// index is kept, apart from that of the whole database. Only --background-index is added to `arguments`.
Result<fs::path> index_beside_copy(std::vector<std::string>& arguments, const fs::path& database);

// For a project without a database: writes `commands` (GuessedFlags::database()) as one of the project at
// `root` into a folder beside those, and returns its path. Removed and errors: as above.
Result<fs::path> write_guessed_database(const std::string& commands, const fs::path& root);

// Whether clangd, started with these, will know only the references and callers in open files, for `file`.
bool knows_open_files_only(const std::vector<std::string>& arguments, const fs::path& file);

}  // namespace symbols::servers
