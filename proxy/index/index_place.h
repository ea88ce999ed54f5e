// Which project an index is of, and where it is kept: $XDG_CACHE_HOME/symbols/index/NAME-HASH.db, both of the
// project's root.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"

namespace symbols::index {

// The root of the project whose files are indexed together: `given` (of --root), else the nearest folder at
// or above `folder` with `.git`, else the nearest with one of `markers`, else `folder`. Canonical. Error: one
// of them is no folder.
Result<std::filesystem::path> index_root(const std::filesystem::path& folder, const std::string& given,
                                         const std::vector<std::string>& markers);

// The folder of all indexes. Error: neither XDG_CACHE_HOME nor HOME is set.
Result<std::filesystem::path> index_folder();

// The database of the project at `root` in `folder`.
std::filesystem::path index_file(const std::filesystem::path& folder, const std::filesystem::path& root);

struct FoundIndex {
  std::filesystem::path root;
  std::filesystem::path file;
};

// The index of the nearest folder at or above `start` that has one. Error: there is none.
Result<FoundIndex> find_index(const std::filesystem::path& start);

}  // namespace symbols::index
