// Paths that a person's or a project's settings leave out of folders, beside what .gitignore files do.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "proxy/files/ignore_rules.h"

namespace symbols::files {

// Patterns add up: none takes back what a .gitignore file or the patterns of another folder leave out.
class IgnoredPaths {
 public:
  // Patterns of gitignore(5) that hold for what is in `folder`, which is canonical.
  void add(const std::filesystem::path& folder, const std::vector<std::string>& patterns);
  void add(const IgnoredPaths& others);

  bool empty() const { return levels_.empty(); }
  // Whether `path`, absolute, is ignored. Says nothing of the folders above it: who walks does not enter an
  // ignored one.
  bool ignores(std::string_view path, bool is_folder) const;
  // Whether the file at `path`, absolute, or a folder above it is ignored.
  bool leaves_out(std::string_view path) const;

 private:
  struct Level {
    std::string folder;  // ends in `/`
    std::string text;
    IgnoreRules rules;
  };

  void add(Level level);

  std::vector<Level> levels_;
};

}  // namespace symbols::files
