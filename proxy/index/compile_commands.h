// How the compiler is told to read each file: the entries of a compile_commands.json, or the flags of a
// compile_flags.txt.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "proxy/files/content_hash.h"

namespace symbols::index {

// Where a file's includes are looked for; folders are absolute.
struct IncludeFolders {
  std::vector<std::string> quoted;   // of -iquote, in which only names in quotes are looked for
  std::vector<std::string> folders;  // of -I, then -isystem, then -idirafter
  std::vector<std::string> forced;   // of -include, as written
  std::string directory;             // what these are relative to
  // It is not known which of the folders count, or in which order: a name may be any of the files found.
  bool is_guess = false;

  auto operator<=>(const IncludeFolders&) const = default;
};

// `arguments` are a compiler's; paths among them are relative to `directory`.
IncludeFolders include_folders(const std::vector<std::string>& arguments,
                               const std::filesystem::path& directory);

struct CompileCommand {
  files::ContentHash hash;  // of all that it says
  IncludeFolders includes;
};

class CompileCommands {
 public:
  // Reads `database`, a compile_commands.json or compile_flags.txt. One that cannot be read or understood has
  // no entries, and its bytes as the hash. Where the project at `root` lies is no part of the hashes.
  CompileCommands(const std::filesystem::path& database, std::string root);
  CompileCommands() = default;  // no database

  // For the file at `path`, absolute. One without an entry (a header) gets what the server may take for it:
  // the command of any other, so the hash of them all, and all their folders.
  const CompileCommand& of(const std::string& path) const;

 private:
  void read_entries(const std::string& json, const std::filesystem::path& folder);

  std::string root_;
  std::map<std::string, CompileCommand> entries_;
  CompileCommand other_;
};

}  // namespace symbols::index
