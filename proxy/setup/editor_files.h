// The files of editors/ that `symbols setup` writes or prints, which CMake builds into the program
// (cmake/embed_files.cmake, proxy/setup/editor_files.cmake): what is shipped, tested and written is one.
#pragma once

#include <span>
#include <string_view>

namespace symbols::setup {

struct EditorFile {
  std::string_view name;  // below editors/: "opencode/opencode.json"
  std::string_view text;
};

// All of them, in the order of proxy/setup/editor_files.cmake.
std::span<const EditorFile> editor_files();

// The one of that name, or null.
const EditorFile* editor_file(std::string_view name);

}  // namespace symbols::setup
