// What `symbols setup` prints where no name is given.
#pragma once

#include <string>

#include "proxy/files/user_folders.h"

namespace symbols::setup {

// A table: each editor and harness, the file or folder that setup writes for it here, and whether that is
// there.
std::string setup_list(const files::UserFolders& folders);

}  // namespace symbols::setup
