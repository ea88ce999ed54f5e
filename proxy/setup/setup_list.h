// The output of `symbols setup` without a name.
#pragma once

#include <string>

#include "proxy/files/user_folders.h"

namespace symbols::setup {

// A table of the editors and harnesses, the file or folder that setup writes for each, and whether that
// exists.
std::string setup_list(const files::UserFolders& folders);

}  // namespace symbols::setup
