#include "proxy/files/ignore_rules.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/text.h"
#include "proxy/files/ignore_glob.h"
#include "proxy/files/regular_file.h"

namespace symbols::files {
namespace {

// A glob longer than any path the system takes is nothing but a way to spend our time.
constexpr std::size_t max_glob_bytes = 4096;

// Blanks at the end do not count, unless a backslash stands before them; tabs do.
std::string_view without_trailing_blanks(std::string_view line) {
  std::size_t end = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == ' ') continue;
    if (line[i] == '\\') ++i;
    end = std::min(i + 1, line.size());
  }
  return line.substr(0, end);
}

}  // namespace

IgnoreRules::IgnoreRules(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  for (const std::string_view line : split(text, '\n')) add_line(line);
}

void IgnoreRules::add_line(std::string_view line) {
  if (line.starts_with('#')) return;
  if (line.ends_with('\r')) line.remove_suffix(1);
  // git reads lines as C strings.
  line = line.substr(0, line.find('\0'));
  line = without_trailing_blanks(line);

  Pattern pattern;
  pattern.negated = line.starts_with('!');
  if (pattern.negated) line.remove_prefix(1);
  pattern.folders_only = line.ends_with('/');
  if (pattern.folders_only) line.remove_suffix(1);
  pattern.name_only = line.find('/') == std::string_view::npos;
  if (line.starts_with('/')) line.remove_prefix(1);
  if (line.empty() || line.size() > max_glob_bytes) return;

  pattern.start = static_cast<std::uint32_t>(globs_.size());
  pattern.length = static_cast<std::uint32_t>(line.size());
  globs_ += line;
  patterns_.push_back(pattern);
}

IgnoreVerdict IgnoreRules::verdict(std::string_view path, bool is_folder) const {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  const std::string_view globs = globs_;
  for (auto pattern = patterns_.rbegin(); pattern != patterns_.rend(); ++pattern) {
    if (pattern->folders_only && !is_folder) continue;
    if (ignore_glob_matches(globs.substr(pattern->start, pattern->length), pattern->name_only ? name : path))
      return pattern->negated ? IgnoreVerdict::included : IgnoreVerdict::ignored;
  }
  return IgnoreVerdict::unmatched;
}

Result<IgnoreRules> read_ignore_file(const std::string& path, const std::string& name) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0 && (errno == ENOENT || errno == ENOTDIR)) return IgnoreRules();
  const Result<std::string> text = read_regular_file(path, max_ignore_file_bytes, Symlinks::refuse, name);
  if (!text) return text.error();
  return IgnoreRules(*text);
}

void IgnoreStack::restore(Mark mark) {
  levels_.resize(mark.levels);
  repository_ = mark.repository;
}

void IgnoreStack::push(IgnoreRules rules, std::size_t folder_length) {
  if (!rules.empty()) levels_.push_back({std::move(rules), folder_length});
}

bool IgnoreStack::ignores(std::string_view path, bool is_folder) const {
  for (std::size_t i = levels_.size(); i > repository_; --i) {
    const Level& level = levels_[i - 1];
    const IgnoreVerdict verdict = level.rules.verdict(path.substr(level.folder_length), is_folder);
    if (verdict != IgnoreVerdict::unmatched) return verdict == IgnoreVerdict::ignored;
  }
  return false;
}

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
