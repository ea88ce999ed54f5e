// Which files of a project have to be asked about: those whose rows may differ from those in the index.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "proxy/batch/document_dispatcher.h"
#include "proxy/index/index_store.h"
#include "proxy/index/source_states.h"
#include "proxy/servers/server_registry.h"

namespace symbols::index {

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
  IndexPlan(std::filesystem::path root, const servers::ServerRegistry& registry, std::string version,
            std::map<std::string, SourceState> sources);

  // The state of the file of `job` now. Error: it is not below the root, or cannot be read.
  Result<FileState> state_of(const batch::DocumentJob& job);

  // Whether all contents in `state` are still the same. If not, the server may have read either version.
  bool still_holds(const FileState& state) const;

  const SourceStates& sources() const { return sources_; }

 private:
  files::ContentHash server_hash(const batch::ServerLaunch& server, bool compiles);
  files::ContentHash program_hash(const std::string& file);
  files::ContentHash markers_hash(const std::filesystem::path& folder,
                                  const std::vector<std::string>& markers);
  const CompileCommands& commands_for(const std::string& path, const batch::ServerLaunch& server);

  std::filesystem::path root_;
  const servers::ServerRegistry& registry_;
  std::string version_;
  SourceStates sources_;
  // Caches: each is needed for most files.
  std::map<batch::ServerLaunch, files::ContentHash> servers_;
  std::map<std::pair<std::filesystem::path, std::vector<std::string>>, files::ContentHash> markers_;
  std::map<std::pair<std::filesystem::path, std::vector<std::string>>, std::filesystem::path> databases_;
  std::map<std::filesystem::path, CompileCommands> commands_;
};

}  // namespace symbols::index
