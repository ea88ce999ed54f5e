// A file that CMake builds into the program (cmake/embed_files.cmake).
#pragma once

#include <string_view>

namespace symbols {

struct EmbeddedFile {
  std::string_view name;
  std::string_view text;
};

}  // namespace symbols
