// Which folder a server is started for: a server answers well only for files inside of the root it was given,
// and may index all of that root, so no subfolder or home folder will do. And the user's own folders.
#pragma once

#include <string>
#include <vector>

#include "base/filesystem.h"
#include "base/result.h"

namespace symbols::files {

// The absolute path of `file` for the servers: its folder without symbolic links, `.` and `..`; its own name
// as it is, so that a link stays in the project that has it. `file` need not exist, its folder must. Errors:
// the folder is not there or cannot be looked into; the path ends in no name.
Result<fs::path> absolute_source_path(const fs::path& file);

// `path` as an absolute and normal one, by its names alone: for paths that have no symbolic links, of which
// none is looked at again. Without a slash at its end. Empty if the working folder is gone.
fs::path absolute_path(const fs::path& path);

// Whether something is at `path`, and can be looked at. Symbolic links are followed.
bool is_there(const fs::path& path);
bool is_folder(const fs::path& path);
bool is_file(const fs::path& path);

// Empty if it is gone.
fs::path working_folder();

// Whether `path` is `folder` or lies in it, going by their names alone.
bool contains(const fs::path& folder, const fs::path& path);

// Files and folders that mark the root of a project: names, or relative paths such as
// `build/compile_commands.json`.
struct RootMarkers {
  // Mark a workspace of several projects, such as a lock file. These take precedence, but only inside the
  // repository of the file (the nearest folder with `.git`).
  std::vector<std::string> workspace{};
  std::vector<std::string> project{};

  auto operator<=>(const RootMarkers&) const = default;
};

// The root of the project that `file`, an absolute_source_path, lies in: the nearest folder above it that has
// one of `markers`, else the nearest that has `.git`, else none (empty). Never above `home` (empty: unknown)
// for a file in it, and not `home` itself for the sake of its `.git`, which is most often that of a person's
// settings. Folders where everybody may create files but not remove those of others, such as /tmp, mark no
// project: a stranger's marker there would choose what a server reads or runs. Never `/`.
fs::path find_marked_root(const fs::path& file, const RootMarkers& markers, const fs::path& home);

// The folder that holds the package that `file`, an absolute_source_path, belongs to: the parent of the
// outermost of the folders above the file that have a `marker` ("__init__.py"), without a gap. Empty where
// its own folder has none. From there a language's imports find the package by its name.
fs::path folder_of_package(const fs::path& file, const std::string& marker);

// Whether unrelated things lie in `folder`, absolute: `/`, `home`, a folder above it, or a shared one.
bool holds_unrelated_things(const fs::path& folder, const fs::path& home);

// What is taken for the root of `file` where no folder is marked: `asked`, the folder above it that was asked
// about, so that its files share a server that sees them all; empty: the file's own. Where unrelated things
// lie in `asked` it is the first folder below it, on the way to the file, that is not so. Empty for a file
// that lies in `/`: a server is then sent no root.
fs::path unmarked_root(const fs::path& file, const fs::path& asked, const fs::path& home);

// The marked root, else the file's own folder.
fs::path find_project_root(const fs::path& file, const RootMarkers& markers, const fs::path& home);

// The canonical home folder of the person running us, from $HOME; empty where that names no folder.
fs::path home_folder();

enum class UserFolder { home, config, data, working };

// Where a person's configuration lies, by the XDG Base Directory Specification: $XDG_CONFIG_HOME or
// ~/.config, $XDG_DATA_HOME or ~/.local/share. Of these variables only absolute paths count.
struct UserFolders {
  fs::path home;  // each is empty where it is not known
  fs::path config;
  fs::path data;
  fs::path cache;
  fs::path working;

  static UserFolders from_environment();

  // Error: it is not known; says which variable to set.
  Result<fs::path> at(UserFolder folder) const;
};

}  // namespace symbols::files
