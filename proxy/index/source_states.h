// The files of a project as they are now, and which of them a C or C++ file includes, directly and through
// others, by the compiler's command for it. Each is read only where its stamp is not the one known from
// before.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "proxy/files/content_hash.h"
#include "proxy/index/index_store.h"

namespace symbols::index {

// Where a file's includes are looked for; folders are absolute.
struct IncludeFolders {
  std::vector<std::string> quoted{};   // of -iquote: searched only for names in quotes
  std::vector<std::string> folders{};  // of -I, then -isystem, then -idirafter
  std::vector<std::string> forced{};   // of -include, as written
  std::string directory{};             // what these are relative to
  // Which of the folders count, and their order, are unknown: a name may mean any of the files found.
  bool is_guess = false;

  auto operator<=>(const IncludeFolders&) const = default;
};

// `arguments` are a compiler's; paths among them are relative to `directory`.
IncludeFolders include_folders(const std::vector<std::string>& arguments,
                               const std::filesystem::path& directory);

struct CompileCommand {
  files::ContentHash hash{};  // of the whole command
  IncludeFolders includes{};
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

class SourceStates {
 public:
  // `known`: by the path relative to `root`, as the index has them.
  SourceStates(std::filesystem::path root, std::map<std::string, SourceState> known);

  enum class Includes { leave, find };

  // The state of the file at `path`, relative to the root or absolute; looked up once. Null where it cannot
  // be read. With Includes::find, its includes are there. Good as long as this object.
  const SourceState* find(const std::string& path, Includes includes);

  // Whether the file has the content that it had when it was looked up.
  bool is_unchanged(const std::string& path) const;

  // The files below the root that the file at `path` includes when it is compiled with `folders`, each once
  // and sorted; paths relative to the root. What a name means is looked up as a compiler does: beside the
  // file that includes it (if quoted), then in `folders`; also, last, in the root. Files elsewhere are left
  // out.
  std::vector<std::string> included_by(const std::string& path, const IncludeFolders& folders);

  // Those that differ from what was known; for the index.
  const std::map<std::string, SourceState>& changed() const { return changed_; }

 private:
  using Included = std::map<std::string, std::vector<std::string>>;  // what each file includes directly

  std::optional<SourceState> look(const std::string& path, Includes includes, const SourceState* known);
  const std::vector<std::string>& direct(const std::string& path, const IncludeFolders& folders,
                                         Included& included);
  void resolve(const std::string& name, const std::filesystem::path& beside, const IncludeFolders& folders,
               std::vector<std::string>& found);

  std::filesystem::path root_;
  std::map<std::string, SourceState> known_;
  std::map<std::string, std::optional<SourceState>> looked_;  // none: it cannot be read
  std::map<std::string, SourceState> changed_;
  std::map<IncludeFolders, Included> included_;
  std::map<std::string, bool> exists_;
};

}  // namespace symbols::index
