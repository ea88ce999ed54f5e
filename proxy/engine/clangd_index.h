// What clangd with an index of the project has to open after a change, in place of being started anew.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "proxy/engine/live_server.h"
#include "proxy/files/project_watch.h"

namespace symbols::engine {

// clangd looks for changes in what it has indexed only when it starts. What it has opened, however, counts
// for it as it was then, also when it is closed again. So it opens what has changed, and what includes that,
// as far as the names of headers tell: the paths of these, absolute. None: only a new one has the same
// answers. That is so for what configures it, with guessed flags, for files that came and are named
// nowhere or have gone, and where more would be opened than is sure to be quicker.
std::optional<std::vector<std::string>> files_to_index_anew(const ServerKey& server,
                                                            const files::ProjectChanges& changes);

}  // namespace symbols::engine
