// The files of a project as they are now, and which of them a C or C++ file includes, directly and through
// others, by the compiler's command for it. Each is read only where its stamp is not the one known from
// before.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "proxy/files/content_hash.h"
#include "proxy/index/index_store.h"

namespace symbols::index {

// Where a file's includes are looked for, absolute. A name may mean any of the files found, in whatever folder:
// one that comes or goes hides or shows another.
struct IncludeFolders {
  std::set<std::string> folders{};  // of -I and its kin, and the one that the compiler runs in
  std::set<std::string> forced{};   // names of -include

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

  // The state of the source at `path`, relative to the root, or of the program at an absolute one; looked up
  // once. Null where it cannot be read. Good as long as this object.
  const SourceState* find(const std::string& path);

  // Whether the file has the content that it had when it was looked up.
  bool is_unchanged(const std::string& path) const;

  // The files below the root that the file at `path` may include when it is compiled with `folders`, each
  // once and sorted; paths relative to the root. A name is looked up beside the file that includes it, in
  // `folders`, and in the root. Files elsewhere are left out.
  std::vector<std::string> included_by(const std::string& path, const IncludeFolders& folders);

  // Those that differ from what was known; for the index.
  const std::map<std::string, SourceState>& changed() const { return changed_; }

 private:
  using Included = std::map<std::string, std::vector<std::string>>;  // what each file includes directly

  std::optional<SourceState> look(const std::string& path, const SourceState& known) const;
  const std::vector<std::string>& direct(const std::string& path, const IncludeFolders& folders,
                                         Included& included);
  // Appends the files that `name` may mean.
  void resolve(std::string_view name, const std::filesystem::path& beside, const IncludeFolders& folders,
               std::vector<std::string>& found);

  std::filesystem::path root_;
  std::map<std::string, SourceState> known_;
  std::map<std::string, std::optional<SourceState>> looked_;  // none: it cannot be read
  std::map<std::string, SourceState> changed_;
  std::map<IncludeFolders, Included> included_;
  std::map<std::string, bool> exists_;
};

}  // namespace symbols::index
