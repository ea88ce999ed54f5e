// TypeScript's servers look for references in the projects of the files that they have open. In a workspace
// (npm, pnpm, yarn, bun) other packages use what one of them exports, and its tests are often a project of
// their own: a file of each has to be open.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace symbols::servers {

struct WorkspaceDependents {
  // Absolute, without symbolic links; the question's own project has none. A file for each tsconfig.json or
  // jsconfig.json and folder below it, in the package itself and in those that depend on it, directly or not.
  std::vector<std::string> files{};
  bool are_all = true;  // false: there is no workspace, it is too large to tell, or has more than `opened`
};

struct WorkspaceLimits {
  std::size_t files = 50'000;                 // of the workspace
  std::size_t entries = 200'000;              // of its folders, looked at
  std::size_t bytes = std::size_t{64} << 20;  // read
  std::size_t names = 500;                    // of packages that depend on one
  std::size_t opened = 24;
};

// `file`: an absolute_source_path; `home`: as for find_marked_root. The workspace is the nearest folder above
// with a lock file or a pnpm-workspace.yaml, in the file's repository, else that; without one there are none.
// In a package that depends on it, only files count that mention it or a package between the two. Links are
// not followed.
WorkspaceDependents workspace_dependents(const std::filesystem::path& file, const std::filesystem::path& home,
                                         const WorkspaceLimits& limits = {});

}  // namespace symbols::servers
