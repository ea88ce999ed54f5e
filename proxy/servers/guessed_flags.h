// Compile flags for the files of a project that comes without a compilation database.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "proxy/servers/build_settings.h"
#include "proxy/servers/include_folders.h"

namespace symbols::servers {

// Single-threaded. What it has read does not change until changed(): make a new one to see files that came or
// went.
class GuessedFlags {
 public:
  // `root`: canonical; the project's folder, outside of which nothing is looked at.
  explicit GuessedFlags(std::filesystem::path root) : root_(std::move(root)), headers_(root_) {}

  // For `file`, absolute: only -x of a `.h`, -std, -D of plain names, -I and -iquote of folders in the root,
  // each one word. Empty if none are needed, if the project is too large (include_folders.h), or if the file
  // lies elsewhere.
  std::vector<std::string> flags_for(const std::filesystem::path& file);

  // The text of `file`, absolute, which need not exist: standard input.
  void set_text(const std::filesystem::path& file, std::string_view text);

  // The text of `file`, absolute, has changed.
  void changed(const std::filesystem::path& file);

 private:
  std::filesystem::path root_;
  ProjectHeaders headers_;
  std::map<std::filesystem::path, BuildSettings> settings_;  // by folder
};

}  // namespace symbols::servers
