// Programs for tests of what is found on a PATH: shell scripts that say who they are.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "tests/proxy/temporary_folder.h"

namespace symbols {

// Makes `inside` an executable script.
inline std::string write_program(const TemporaryFolder& folder, const std::string& inside,
                                 std::string_view content = "#!/bin/sh\n") {
  const std::string path = folder.write(inside, content);
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  return path;
}

}  // namespace symbols
