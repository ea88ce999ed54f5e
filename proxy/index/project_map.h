// The outline of a project within a budget of tokens (`symbols map`): which folders, files and names are
// shown, and how that is written. docs/index.md describes both.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "proxy/index/index_store.h"
#include "table/token_estimate.h"

namespace symbols::index {

// Its tier, and within that the negative of what it is worth: the lowest is shown first.
using MapRank = std::pair<int, double>;

// A file of the map, a name in it, or a member of that. Of all that is ranked the one with `order` 0 is shown
// first: a file before its names, these before their members.
struct MapItem {
  std::string_view name;  // of a file its path, relative to the project's root
  MapRank rank{};
  std::size_t order = 0;
  std::vector<MapItem> members{};  // of a file its names; the first to be shown first
};

// What the files in `folder` (relative to the root, empty for all, else with a slash at its end) declare,
// ranked by how many of all `files` mention it (map_ranks.cc). The result refers to `files`, of which it
// removes those that are made from another one that is shown: what only a `.d.ts` declares is added to that.
std::vector<MapItem> ranked_files(std::vector<OutlinedFile>& files, std::string_view folder);

// What the text calls a folder of the project, relative to its root (empty for it, else ending in a slash).
using FolderName = std::function<std::string(std::string_view folder)>;

// The map of `files`, sorted by path, which all are in `folder`. What does not fit is counted at its folder,
// and in the last line. A budget too small even for the folder itself and that line is exceeded by them.
std::string project_map(const std::vector<MapItem>& files, std::string_view folder, table::TokenLimit most,
                        const FolderName& called);

}  // namespace symbols::index
