// The folders that a client of ours may ask about: no path leads out of them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"

namespace symbols::mcp {

class AllowedRoots {
 public:
  // Those of `folders` that are folders. Error: none is, or one is `/`, which would confine nothing.
  static Result<AllowedRoots> of(const std::vector<std::string>& folders);

  // Canonical, at least one.
  const std::vector<std::filesystem::path>& all() const { return roots_; }
  const std::filesystem::path& first() const { return roots_.front(); }

  // The canonical path of a file or folder that is there: `given` is absolute, a file URI, or relative to one
  // of the roots, of which the first that has it counts. It is in a root as long as it is opened without
  // following links (files::Symlinks::refuse), for one may be put in its way any time. Errors: it is not
  // there, or not in a root, also by way of symbolic links or `..`; nothing is told of what is outside.
  Result<std::filesystem::path> find(const std::string& given) const;
  // Makes the first root the working folder. Error: it is not there any more, or is a link by now.
  Result<void> enter() const;
  // The root that a canonical path is in, by its name alone; null if it is in none.
  const std::filesystem::path* root_of(const std::filesystem::path& path) const;

 private:
  std::vector<std::filesystem::path> roots_;
};

}  // namespace symbols::mcp
