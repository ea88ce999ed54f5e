// The outline of a project within a budget of tokens (`symbols map`): which folders, files and names are
// shown, and how that is written. docs/index.md describes both.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "proxy/index/map_ranks.h"
#include "table/token_estimate.h"

namespace symbols::index {

// How a folder of the project, relative to its root (empty for the root, else with a slash at its end), is
// called in the text.
using FolderName = std::function<std::string(std::string_view folder)>;

// The map of `files`, sorted by path, which all are in `folder`. What does not fit is counted at its folder,
// and in the last line. A budget that is too small even for the folder itself and that line is exceeded by
// them.
std::string project_map(const std::vector<MapFile>& files, std::string_view folder, table::TokenLimit most,
                        const FolderName& called);

}  // namespace symbols::index
