// Which files of a project have to be asked for: those whose rows would not be what the index has.
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

// What the rows of a file depend on. The fingerprint is that of the file's content; of the server: its name,
// command, and its program's path and content; of what chooses how the file is read: for C and
// C++ its compile command, compile_flags.txt, .clangd and the user's settings of clangd, for others the files
// that mark a root for the server (tsconfig.json, package.json, pyproject.toml) in the folders above; and of
// the content of the project's files that it includes. Where the project lies is no part of it.
struct FileState {
  std::string path;  // relative to the root
  files::ContentHash content;
  files::ContentHash fingerprint;
  std::vector<std::string> included;  // relative to the root
};

class IndexPlan {
 public:
  // `registry` outlives it. `version`: of this program. `sources`: what the index has of them.
  IndexPlan(std::filesystem::path root, const servers::ServerRegistry& registry, std::string version,
            std::map<std::string, SourceState> sources);

  // The state of the file of `job` now. Error: it is not below the root, or cannot be read.
  Result<FileState> state_of(const batch::DocumentJob& job);

  // Whether everything that `state` tells of contents is still so; one that is not may have been read either
  // way by the server.
  bool still_holds(const FileState& state) const;

  const SourceStates& sources() const { return sources_; }

 private:
  files::ContentHash server_hash(const batch::ServerLaunch& server, bool compiles);
  files::ContentHash program_hash(const std::string& file);
  files::ContentHash file_hash(const std::filesystem::path& file);
  files::ContentHash markers_hash(const std::filesystem::path& folder,
                                  const std::vector<std::string>& markers);
  const CompileCommands& commands_for(const std::string& path, const batch::ServerLaunch& server);

  std::filesystem::path root_;
  const servers::ServerRegistry& registry_;
  std::string version_;
  SourceStates sources_;
  // Each is asked for with most files.
  std::map<batch::ServerLaunch, files::ContentHash> servers_;
  std::map<std::filesystem::path, files::ContentHash> files_;
  std::map<std::pair<std::filesystem::path, std::vector<std::string>>, files::ContentHash> markers_;
  std::map<std::pair<std::filesystem::path, std::vector<std::string>>, std::filesystem::path> databases_;
  std::map<std::filesystem::path, CompileCommands> commands_;
};

}  // namespace symbols::index
