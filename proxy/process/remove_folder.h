// Removes a folder that a server could write to, and so made as it liked.
#pragma once

#include <string>

namespace symbols::process {

// Removes the folder `path` with all in it: read-only folders, and those nested deeper than descriptors or
// the length of a path allow. Follows no link. True also where there is none. False, with errno: something is
// left.
bool remove_folder(const std::string& path);

}  // namespace symbols::process
