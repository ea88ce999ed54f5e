// Which files of a project have to be asked about: those whose rows may differ from those in the index.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/filesystem.h"
#include "proxy/engine/document_dispatcher.h"
#include "proxy/files/content_hash.h"
#include "proxy/index/index_store.h"
#include "proxy/servers/server_registry.h"

namespace symbols::index {

// Where a file's includes are looked for, absolute. A name may mean any of the files found, in whatever
// folder: one that comes or goes hides or shows another.
struct IncludeFolders {
  std::set<std::string> folders{};  // of -I and its kin, and the one that the compiler runs in
  std::set<std::string> forced{};   // names of -include

  auto operator<=>(const IncludeFolders&) const = default;
};

// `arguments` are a compiler's; paths among them are relative to `directory`.
IncludeFolders include_folders(const std::vector<std::string>& arguments, const fs::path& directory);

struct CompileCommand {
  files::ContentHash hash{};  // of the whole command
  IncludeFolders includes{};
};

class CompileCommands {
 public:
  // Reads `database`, a compile_commands.json or compile_flags.txt. One that cannot be parsed has no entries,
  // and the hash of its bytes. The hashes do not depend on where the project at `root` lies.
  CompileCommands(const fs::path& database, std::string root);
  CompileCommands() = default;  // no database

  // The command for the file at `path`, absolute. For a file without an entry (a header) the server may take
  // that of any other file, so it gets the hash of all entries, and all their folders.
  const CompileCommand& of(const std::string& path) const;

 private:
  void read_entries(const std::string& json, const fs::path& folder);

  std::string root_;
  std::map<std::string, CompileCommand> entries_;
  CompileCommand other_;
};

// The files of a project as they are now, and which of them a C or C++ file includes, directly and through
// others. Each is read only where its stamp is not the one known from before.
class SourceStates {
 public:
  // `known`: by the path relative to `root`, as the index has them.
  SourceStates(fs::path root, std::map<std::string, SourceState> known);

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
  void resolve(std::string_view name, const fs::path& beside, const IncludeFolders& folders,
               std::vector<std::string>& found);

  fs::path root_;
  std::map<std::string, SourceState> known_;
  std::map<std::string, std::optional<SourceState>> looked_;  // none: it cannot be read
  std::map<std::string, SourceState> changed_;
  std::map<IncludeFolders, Included> included_;
  std::map<std::string, bool> exists_;
};

// The inputs of a file's rows. The fingerprint covers the file's content; the server's name, command, and the
// path and content of its program; the configuration: for C and C++ the compile command, compile_flags.txt,
// .clangd and the user's settings of clangd, for others the files that mark a root for the server
// (tsconfig.json, package.json, pyproject.toml) in the folders above; and the content of the project's files
// that it includes. It does not depend on where the project lies.
struct FileState {
  std::string path;  // relative to the root
  files::ContentHash content{};
  files::ContentHash fingerprint{};
  std::vector<std::string> included{};  // relative to the root
};

class IndexPlan {
 public:
  // `registry` outlives it. `version`: of this program. `sources`: what the index has of them.
  IndexPlan(fs::path root, const servers::ServerRegistry& registry, std::string version,
            std::map<std::string, SourceState> sources);

  // The state of the file of `job` now. Error: it is not below the root, or cannot be read.
  Result<FileState> state_of(const engine::DocumentJob& job);

  // Whether all contents in `state` are still the same. If not, the server may have read either version.
  bool still_holds(const FileState& state) const;

  const SourceStates& sources() const { return sources_; }

 private:
  files::ContentHash server_hash(const engine::ServerLaunch& server, bool compiles);
  files::ContentHash program_hash(const std::string& file);
  files::ContentHash markers_hash(const fs::path& folder, const std::vector<std::string>& markers);
  const CompileCommands& commands_for(const std::string& path, const engine::ServerLaunch& server);

  fs::path root_;
  const servers::ServerRegistry& registry_;
  std::string version_;
  SourceStates sources_;
  // Caches: each is needed for most files.
  std::map<engine::ServerLaunch, files::ContentHash> servers_;
  std::map<std::pair<fs::path, std::vector<std::string>>, files::ContentHash> markers_;
  std::map<std::pair<fs::path, std::vector<std::string>>, fs::path> databases_;
  std::map<fs::path, CompileCommands> commands_;
};

}  // namespace symbols::index
