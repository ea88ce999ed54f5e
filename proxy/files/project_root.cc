#include "proxy/files/project_root.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <system_error>

#include "proxy/files/regular_file.h"

namespace symbols::files {
namespace {

bool has(const fs::path& folder, const std::string& marker) {
  return !marker.empty() && is_there(folder / marker);
}

bool is_shared_by_strangers(const fs::path& folder) {
  struct stat status {};
  constexpr mode_t shared = S_ISVTX | S_IWOTH;
  return ::stat(folder.c_str(), &status) == 0 && (status.st_mode & shared) == shared;
}

fs::path absolute_variable(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr && value[0] == '/' ? fs::path(value) : fs::path();
}

}  // namespace

bool is_there(const fs::path& path) {
  std::error_code failure;
  return fs::exists(path, failure);
}

bool is_folder(const fs::path& path) {
  std::error_code failure;
  return fs::is_directory(path, failure);
}

bool is_file(const fs::path& path) {
  std::error_code failure;
  return fs::is_regular_file(path, failure);
}

fs::path working_folder() {
  std::error_code failure;
  return fs::current_path(failure);
}

bool contains(const fs::path& folder, const fs::path& path) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
}

Result<fs::path> absolute_source_path(const fs::path& file) {
  const fs::path name = file.filename();
  if (name.empty() || name == "." || name == "..")
    return Error{"cannot find the folder of '" + file.string() + "': it does not end in the name of a file",
                 "name a file"};
  std::error_code failure;
  // With a dot, so that a file in a folder's place is an error, and no folder the current one.
  const fs::path folder = fs::canonical(file.parent_path() / ".", failure);
  if (failure) return system_error("find the folder of", file.string(), failure.value());
  return {boost::system::in_place_value, folder / name};
}

fs::path absolute_path(const fs::path& path) {
  std::error_code failure;
  const fs::path absolute = fs::absolute(path, failure).lexically_normal();
  return absolute.has_filename() ? absolute : absolute.parent_path();
}

fs::path find_marked_root(const fs::path& file, const RootMarkers& markers, const fs::path& home) {
  fs::path workspace;
  fs::path project;
  fs::path repository;
  for (fs::path folder = file.parent_path(); folder.has_relative_path(); folder = folder.parent_path()) {
    if (!is_shared_by_strangers(folder)) {
      const auto is_here = [&folder](const std::string& marker) { return has(folder, marker); };
      if (repository.empty() && workspace.empty() && std::ranges::any_of(markers.workspace, is_here))
        workspace = folder;
      if (project.empty() && std::ranges::any_of(markers.project, is_here)) project = folder;
      if (repository.empty() && folder != home && has(folder, ".git")) repository = folder;
      if (!repository.empty() && !workspace.empty()) return workspace;
      if (!project.empty() && (markers.workspace.empty() || !repository.empty())) return project;
    }
    if (folder == home) break;
  }
  return project.empty() ? repository : project;
}

fs::path folder_of_package(const fs::path& file, const std::string& marker) {
  fs::path folder = file.parent_path();
  while (folder.has_relative_path() && has(folder, marker)) folder = folder.parent_path();
  return folder == file.parent_path() ? fs::path() : folder;
}

bool holds_unrelated_things(const fs::path& folder, const fs::path& home) {
  return !folder.has_relative_path() || contains(folder, home) || is_shared_by_strangers(folder);
}

fs::path unmarked_root(const fs::path& file, const fs::path& asked, const fs::path& home) {
  const fs::path own = file.parent_path();
  const auto [end, part] = std::mismatch(asked.begin(), asked.end(), own.begin(), own.end());
  fs::path folder = asked.empty() || end != asked.end() ? own : asked;
  for (auto next = part; folder != own && holds_unrelated_things(folder, home); ++next) folder /= *next;
  return folder.has_relative_path() ? folder : fs::path();
}

fs::path find_project_root(const fs::path& file, const RootMarkers& markers, const fs::path& home) {
  fs::path root = find_marked_root(file, markers, home);
  return root.empty() ? unmarked_root(file, {}, home) : root;
}

fs::path home_folder() {
  const char* const home = std::getenv("HOME");
  if (home == nullptr || *home == '\0') return {};
  std::error_code failure;
  fs::path folder = fs::canonical(home, failure);
  return failure ? fs::path() : folder;
}

UserFolders UserFolders::from_environment() {
  UserFolders folders;
  folders.home = absolute_variable("HOME");
  folders.config = absolute_variable("XDG_CONFIG_HOME");
  folders.data = absolute_variable("XDG_DATA_HOME");
  folders.cache = absolute_variable("XDG_CACHE_HOME");
  if (folders.cache.empty() && !folders.home.empty()) folders.cache = folders.home / ".cache";
  if (folders.config.empty() && !folders.home.empty()) folders.config = folders.home / ".config";
  if (folders.data.empty() && !folders.home.empty()) folders.data = folders.home / ".local" / "share";
  folders.working = working_folder();
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
