// What the searches for mentions share: reading within a limit, words, the nearest folder.
#pragma once

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "proxy/files/folder_walk.h"
#include "proxy/servers/mentions.h"

namespace symbols::servers {

inline constexpr std::size_t max_manifest = std::size_t{1} << 20;
inline constexpr std::size_t max_source = std::size_t{4} << 20;

// Reads files up to a number of bytes, and remembers whether that was all. Links are not followed.
class MentionReader {
 public:
  explicit MentionReader(std::size_t most) : left_(most) {}

  // Empty where it cannot be read, or is too much.
  std::string read(const std::string& path, std::size_t most);
  bool has_missed() const { return has_missed_; }

 private:
  std::size_t left_;
  bool has_missed_ = false;
};

// Whether the identifier `word` stands in `text`, not as a part of a longer one.
bool mentions(std::string_view text, std::string_view word);

// The files below `root` that are `known`. Errors: find_source_files's; `root` is empty.
Result<files::FoundFiles> find_mention_files(const std::filesystem::path& root, const files::KnownFile& known,
                                             const MentionLimits& limits);

// The nearest of `folders` that has `file`; its end if none has.
template <class Folders>
auto nearest(const Folders& folders, const std::filesystem::path& file) {
  for (std::filesystem::path folder = file.parent_path(); folder.has_relative_path();
       folder = folder.parent_path()) {
    if (const auto found = folders.find(folder); found != folders.end()) return found;
  }
  return folders.end();
}

}  // namespace symbols::servers
