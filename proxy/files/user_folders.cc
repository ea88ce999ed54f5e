#include "proxy/files/user_folders.h"

#include <cstdlib>
#include <string>
#include <system_error>

namespace symbols::files {
namespace {

namespace fs = std::filesystem;

fs::path absolute_variable(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr && value[0] == '/' ? fs::path(value) : fs::path();
}

}  // namespace

UserFolders UserFolders::from_environment() {
  UserFolders folders;
  folders.home = absolute_variable("HOME");
  folders.config = absolute_variable("XDG_CONFIG_HOME");
  folders.data = absolute_variable("XDG_DATA_HOME");
  folders.cache = absolute_variable("XDG_CACHE_HOME");
  if (folders.cache.empty() && !folders.home.empty()) folders.cache = folders.home / ".cache";
  if (folders.config.empty() && !folders.home.empty()) folders.config = folders.home / ".config";
  if (folders.data.empty() && !folders.home.empty()) folders.data = folders.home / ".local" / "share";
  std::error_code unknown;
  folders.working = fs::current_path(unknown);
  return folders;
}

Result<fs::path> UserFolders::at(UserFolder folder) const {
  const auto known = [](const fs::path& path, const std::string& what,
                        const std::string& advice) -> Result<fs::path> {
    if (path.empty()) return Error{what, advice};
    return {boost::system::in_place_value, path};
  };
  switch (folder) {
    case UserFolder::home:
      return known(home, "HOME is not set to an absolute path",
                   "set it, or give the file to write with --to");
    case UserFolder::config:
      return known(config, "neither HOME nor XDG_CONFIG_HOME is set to an absolute path",
                   "set one of them, or give the file to write with --to");
    case UserFolder::data:
      return known(data, "neither HOME nor XDG_DATA_HOME is set to an absolute path", "set one of them");
    case UserFolder::working:
      return known(working, "the working folder no longer exists", "change to another one");
  }
  return Error{"no such folder", ""};
}

}  // namespace symbols::files
