// What a project's build files name plainly of its compile flags: the standard and definitions, for a project
// that comes without a compilation database. The files are read as text; nothing is run, included or
// configured.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace symbols::servers {

struct BuildSettings {
  std::string c_standard{};                // such as "gnu11"; empty: the compiler's own
  std::string cpp_standard{};              // such as "c++17"
  std::vector<std::string> definitions{};  // "NAME" or "NAME=value", of letters, digits, `_` and `.`

  bool operator==(const BuildSettings&) const = default;
};

// Reads the CMakeLists.txt, meson.build, Makefile, Makefile.am and configure.ac in `root` and in the folders
// between it and `file`, which lies in it; the nearest counts. Of definitions only those of CMake, where it
// is plain that they hold on this system. A file that cannot be read counts as empty.
BuildSettings build_settings_for(const std::filesystem::path& root, const std::filesystem::path& file);

}  // namespace symbols::servers
