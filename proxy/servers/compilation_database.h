// Where clangd has the compile commands of a file from.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace symbols::servers {

inline constexpr const char* commands_file = "compile_commands.json";
inline constexpr const char* flags_file = "compile_flags.txt";

struct CompilationDatabase {
  std::filesystem::path file;  // a compile_commands.json or compile_flags.txt; empty: none
  // Whether somebody has said which one, in words that are not read here: it may be any, or none.
  bool is_unclear = false;

  // The folder of a compile_commands.json, without which clangd knows of no other file of the project.
  std::optional<std::filesystem::path> folder() const;
};

// That of the nearest folder above `file` (absolute) that has one, or has a build/compile_commands.json: what
// clangd takes where no `.clangd` says otherwise. Empty: none.
std::filesystem::path nearest_database(const std::filesystem::path& file);

// The one that clangd takes for `file`: the nearest, unless a `.clangd` names another. Of a `.clangd` the
// plain form is read, `CompilationDatabase: FOLDER` in a line; not a condition, nor braces. Of the user's own
// settings, `user_settings` (config.yaml, need not exist), nothing is read.
CompilationDatabase compilation_database_of(const std::filesystem::path& file,
                                            const std::filesystem::path& user_settings = {});

// Whether these arguments of clangd name another one.
bool names_compilation_database(const std::vector<std::string>& arguments);

// clangd's config.yaml of this user; empty where the user has no home.
std::filesystem::path users_clangd_settings();

}  // namespace symbols::servers
