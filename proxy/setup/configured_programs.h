// What the configurations of editors and agent harnesses on this machine start of ours, whoever wrote them:
// `symbols setup` or a person. Nothing is run.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "proxy/files/user_folders.h"
#include "proxy/setup/setup_targets.h"

namespace symbols::setup {

struct StartedProgram {
  std::string program;  // a `symbols`, as it stands there: a path or a name
  std::string server;   // the program behind `proxy … --`; empty if there is none

  bool operator==(const StartedProgram&) const = default;
};

struct FoundConfiguration {
  const SetupTarget* target;
  std::filesystem::path file;
  std::optional<Error> error{};            // it cannot be read, or is not in its language
  std::vector<StartedProgram> programs{};  // each once; empty: it has nothing of ours
};

// The existing files of setup_targets.h that `symbols setup` would write to.
std::vector<FoundConfiguration> found_configurations(const files::UserFolders& folders);

// The programs in `text`: strings whose last part is `symbols`, in double quotes, or in single ones if
// `quoting` is doubled. Lines that begin with `comment` are skipped, unless it is empty.
std::vector<StartedProgram> started_programs(std::string_view text, Quoting quoting,
                                             std::string_view comment);

}  // namespace symbols::setup
