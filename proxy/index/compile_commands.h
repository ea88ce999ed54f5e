// The compiler's command for each file: the entries of a compile_commands.json, or the flags of a
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
  std::vector<std::string> quoted;   // of -iquote: searched only for names in quotes
  std::vector<std::string> folders;  // of -I, then -isystem, then -idirafter
  std::vector<std::string> forced;   // of -include, as written
  std::string directory;             // what these are relative to
  // Which of the folders count, and their order, are unknown: a name may mean any of the files found.
  bool is_guess = false;

  auto operator<=>(const IncludeFolders&) const = default;
};

// `arguments` are a compiler's; paths among them are relative to `directory`.
IncludeFolders include_folders(const std::vector<std::string>& arguments,
                               const std::filesystem::path& directory);

struct CompileCommand {
  files::ContentHash hash;  // of the whole command
  IncludeFolders includes;
};

class CompileCommands {
 public:
  // Reads `database`, a compile_commands.json or compile_flags.txt. One that cannot be parsed has no entries,
  // and the hash of its bytes. The hashes do not depend on where the project at `root` lies.
  CompileCommands(const std::filesystem::path& database, std::string root);
  CompileCommands() = default;  // no database

  // The command for the file at `path`, absolute. For a file without an entry (a header) the server may take
  // that of any other file, so it gets the hash of all entries, and all their folders.
  const CompileCommand& of(const std::string& path) const;

 private:
  void read_entries(const std::string& json, const std::filesystem::path& folder);

  std::string root_;
  std::map<std::string, CompileCommand> entries_;
  CompileCommand other_;
};

}  // namespace symbols::index
