// Where a person's configuration lies, by the XDG Base Directory Specification: $XDG_CONFIG_HOME or
// ~/.config, $XDG_DATA_HOME or ~/.local/share. Of these variables only absolute paths count.
#pragma once

#include <filesystem>

#include "base/result.h"

namespace symbols::files {

enum class UserFolder { home, config, data, working };

struct UserFolders {
  std::filesystem::path home;  // each is empty where it is not known
  std::filesystem::path config;
  std::filesystem::path data;
  std::filesystem::path cache;
  std::filesystem::path working;

  static UserFolders from_environment();

  // Error: it is not known; says which variable to set.
  Result<std::filesystem::path> at(UserFolder folder) const;
};

}  // namespace symbols::files
