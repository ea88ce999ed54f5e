#include "proxy/files/ignored_paths.h"

#include <algorithm>

namespace symbols::files {

void IgnoredPaths::add(Level level) {
  const bool is_there = std::ranges::any_of(
      levels_, [&level](const Level& one) { return one.folder == level.folder && one.text == level.text; });
  if (!level.rules.empty() && !is_there) levels_.push_back(std::move(level));
}

void IgnoredPaths::add(const std::filesystem::path& folder, const std::vector<std::string>& patterns) {
  Level level{.folder = (folder / "").string(), .text = {}, .rules = {}};
  for (const std::string& pattern : patterns) (level.text += pattern) += '\n';
  level.rules = IgnoreRules(level.text);
  add(std::move(level));
}

void IgnoredPaths::add(const IgnoredPaths& others) {
  for (const Level& level : others.levels_) add(level);
}

bool IgnoredPaths::ignores(std::string_view path, bool is_folder) const {
  return std::ranges::any_of(levels_, [&](const Level& level) {
    return path.starts_with(level.folder) &&
           level.rules.verdict(path.substr(level.folder.size()), is_folder) == IgnoreVerdict::ignored;
  });
}

bool IgnoredPaths::leaves_out(std::string_view path) const {
  if (levels_.empty()) return false;
  for (std::size_t slash = path.find('/', 1); slash != path.npos; slash = path.find('/', slash + 1)) {
    if (ignores(path.substr(0, slash), true)) return true;
  }
  return ignores(path, false);
}

}  // namespace symbols::files
