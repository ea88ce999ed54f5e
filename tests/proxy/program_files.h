// Programs for tests of what is found on a PATH, and of what is started.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
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

// Whether the process is gone, or will be as soon as init has reaped it.
inline bool is_gone(int pid) {
  std::string name, state;
  for (int i = 0; i < 6000; ++i) {
    std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
    int number = 0;
    if (!(stat >> number >> name >> state) || state == "Z") return true;
    ::usleep(10'000);
  }
  return false;
}

}  // namespace symbols
