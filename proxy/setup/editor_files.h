// The files of editors/ that `symbols setup` writes or prints, which CMake builds into the program
// (proxy/setup/editor_files.cmake): what is shipped, tested and written is one.
#pragma once

#include <span>
#include <string_view>

#include "base/text.h"

namespace symbols::setup {

using EditorFile = EmbeddedFile;  // its name: below editors/, "opencode/opencode.json"

// All of them, in the order of proxy/setup/editor_files.cmake.
std::span<const EditorFile> editor_files();

// The one of that name, or null.
inline const EditorFile* editor_file(std::string_view name) {
  for (const EditorFile& file : editor_files()) {
    if (file.name == name) return &file;
  }
  return nullptr;
}

}  // namespace symbols::setup
