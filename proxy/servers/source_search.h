// The sources of a project, found and read within limits, for what is searched in them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "base/filesystem.h"
#include "base/text.h"
#include "proxy/files/folder_walk.h"
#include "proxy/files/regular_file.h"
#include "proxy/files/source_text.h"
#include "proxy/servers/mentions.h"

namespace symbols::servers {

// Finds files below a root, and reads them, within the limits. Links are not followed.
class SourceSearch {
 public:
  SourceSearch(const fs::path& root, const files::KnownFile& known, const MentionLimits& limits)
      : left_(limits.bytes) {
    if (root.empty()) return;
    Result<files::FoundFiles> found = files::find_source_files(
        root.string(), known,
        {.files = limits.files, .depth = files::FolderLimits().depth, .entries = limits.entries}, {},
        files::Symlinks::refuse);
    if (!found) return;
    saw_all_ = found->errors.empty();
    files_ = std::move(found->files);
  }

  const std::vector<std::string>& files() const { return files_; }
  // Whether all was found and read.
  bool saw_all() const { return saw_all_; }

  // Empty where it cannot be read, or is too much.
  std::string read(const std::string& path, std::size_t max_bytes = std::size_t{4} << 20) {
    Result<std::string> text =
        files::read_regular_file(path, std::min(max_bytes, left_), files::Symlinks::refuse);
    if (!text) {
      saw_all_ = false;
      return {};
    }
    left_ -= text->size();
    return *std::move(text);
  }

 private:
  std::size_t left_;
  bool saw_all_ = false;
  std::vector<std::string> files_;
};

// The nearest of `folders` that has `file`; its end if none has.
template <class Folders>
auto nearest(const Folders& folders, const fs::path& file) {
  for (fs::path folder = file.parent_path(); folder.has_relative_path(); folder = folder.parent_path()) {
    if (const auto found = folders.find(folder); found != folders.end()) return found;
  }
  return folders.end();
}

// With code in them that TypeScript's servers do not read.
inline bool is_component(const fs::path& file) {
  return is_among(file.extension().string(), ".vue .svelte .astro .mdx");
}

inline bool is_script(const fs::path& file) {
  return files::language_of(file.native()) == files::Language::script || is_component(file);
}

}  // namespace symbols::servers
