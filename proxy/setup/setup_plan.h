// What `symbols setup NAME` would write where: found out without writing anything.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "proxy/files/user_folders.h"
#include "proxy/setup/local_commands.h"
#include "proxy/setup/replace_file.h"
#include "proxy/setup/setup_targets.h"

namespace symbols::setup {

struct PlannedFile {
  FileState before;
  std::string after;
  bool is_own = false;     // one of ours alone, not somebody's configuration
  Copy copy = Copy::keep;  // none of what setup wrote itself, and nobody edited

  bool changes() const { return !before.exists || before.text != after; }
};

// Why a file of the user's cannot take what is ours, and what that is, for the person to put in.
struct SetupRefusal {
  Error error;
  std::filesystem::path path;
  std::string lines;  // empty where there is nothing that could be put in by hand
};

struct SetupPlan {
  std::vector<PlannedFile> files;
  // Files that setup wrote into the target's own folder, as they were written, and that are no longer
  // shipped.
  std::vector<FileState> gone;
  // Then no configuration is to be written. Files of our own may be: the lines to put in by hand load them.
  std::optional<SetupRefusal> refusal;
};

// The folder of a target's own files, and the user's file that gets its configuration (empty where there is
// none): the places of the table, or `to`, an absolute path, where it is not empty.
struct SetupPaths {
  std::filesystem::path own_folder;
  std::filesystem::path configuration;
};
Result<SetupPaths> setup_paths(const SetupTarget& target, const files::UserFolders& folders,
                               const std::filesystem::path& to);

// Reads the files that are there and composes those to be. What is composed has been read back by the rules
// of its language, as far as they are known here.
// `table`: of a target that has two configurations, the one whose answer is a table.
SetupPlan plan_setup(const SetupTarget& target, const SetupPaths& paths, LocalCommands& commands,
                     bool table = false);

}  // namespace symbols::setup
