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
  struct Known {
    const fs::path& path;
    const char* missing;
    const char* advice;
  };
  const Known all[] = {
      // in the order of UserFolder
      {home, "HOME is not set to an absolute path", "set it, or give the file to write with --to"},
      {config, "neither HOME nor XDG_CONFIG_HOME is set to an absolute path",
       "set one of them, or give the file to write with --to"},
      {data, "neither HOME nor XDG_DATA_HOME is set to an absolute path", "set one of them"},
      {working, "the working folder no longer exists", "change to another one"}};
  const Known& known = all[static_cast<std::size_t>(folder)];
  if (known.path.empty()) return Error{known.missing, known.advice};
  return {boost::system::in_place_value, known.path};
}

}  // namespace symbols::files
