// Finds the source of clangd's compile commands for a file.
#pragma once

#include <rapidjson/fwd.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/filesystem.h"

namespace symbols::servers {

inline constexpr const char* commands_file = "compile_commands.json";
inline constexpr const char* flags_file = "compile_flags.txt";
// The largest that is read. Chromium's has 400 MB.
inline constexpr std::size_t max_database = std::size_t{512} << 20;

struct CompilationDatabase {
  fs::path file;  // a compile_commands.json or compile_flags.txt; empty: none
  // A setting that is not understood here names the database: it may be any, or none.
  bool is_unclear = false;

  // Without a compile_commands.json clangd knows no other file of the project.
  bool names_files() const { return file.filename() == commands_file; }
};

// The database in the nearest folder above `file` (absolute) that has one, or a build/compile_commands.json:
// the one that clangd takes unless a `.clangd` says otherwise. Empty: none.
fs::path nearest_database(const fs::path& file);

// The database that clangd takes for `file`: the nearest, unless a `.clangd` names another. Only the plain
// form of a `.clangd` is understood, `CompilationDatabase: FOLDER` in a line, without conditions or braces.
// If the user's own settings set a database at all, the result is unclear.
CompilationDatabase compilation_database_of(const fs::path& file);

// Whether the file of settings has this key, or cannot be read though it is there.
bool has_key(const fs::path& settings, std::string_view key);
// The same of any `.clangd` above `file`: if one has CompileFlags (flags or databases), nothing is guessed.
bool has_clangd_key(const fs::path& file, std::string_view key);

// The compile_commands.json in a build folder below `root` (build*, out*, cmake-build-*, or a folder in one
// of these), which clangd does not look into: the one with the fewest folders above it, of these the newest.
// Empty: none. Links are not followed.
fs::path database_below(const fs::path& root);

// Whether these arguments of clangd name a database.
bool names_compilation_database(const std::vector<std::string>& arguments);

// The strings in an array; none for null and any other value.
std::vector<std::string> texts_in(const rapidjson::Value* list);

// The compiler and its arguments in an entry of a compile_commands.json; empty if it has none.
std::vector<std::string> words_of_entry(const rapidjson::Value& entry);

// This user's config.yaml of clangd; empty if the user has no home.
fs::path users_clangd_settings();

}  // namespace symbols::servers
