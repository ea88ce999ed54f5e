// What the searches for mentions share.
#pragma once

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "proxy/files/folder_walk.h"
#include "proxy/servers/mentions.h"

namespace symbols::servers {

inline constexpr std::size_t max_manifest = std::size_t{1} << 20;
inline constexpr std::size_t max_source = std::size_t{4} << 20;  // generated files are as long
inline constexpr std::size_t max_name = 214;  // of a package, by npm's rule; of an identifier

// Finds files below a root, and reads them, within the limits. Links are not followed.
class MentionSearch {
 public:
  MentionSearch(const std::filesystem::path& root, const files::KnownFile& known,
                const MentionLimits& limits);

  const std::vector<std::string>& files() const { return found_.files; }
  // Empty where it cannot be read, or is too much.
  std::string read(const std::string& path, std::size_t most = max_source);
  // Whether all was found and read.
  bool saw_all() const { return saw_all_; }

 private:
  std::size_t left_;
  bool saw_all_ = true;
  files::FoundFiles found_;
};

// Whether the identifier `word` stands in `text`, not as a part of a longer one.
bool has_word(std::string_view text, std::string_view word);
// The same, in other lines than those of comments in C's or the shell's way.
bool mentions(const std::string& text, std::string_view word);

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
