#include "proxy/files/ignore_rules.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstddef>
#include <utility>

#include "base/text.h"
#include "proxy/files/regular_file.h"

namespace symbols::files {
namespace {

constexpr std::size_t npos = std::string_view::npos;

struct CharacterClass {
  std::string_view name;
  int (*has)(int);
};

constexpr std::array<CharacterClass, 12> character_classes{{
    {"alnum", std::isalnum},
    {"alpha", std::isalpha},
    {"blank", std::isblank},
    {"cntrl", std::iscntrl},
    {"digit", std::isdigit},
    {"graph", std::isgraph},
    {"lower", std::islower},
    {"print", std::isprint},
    {"punct", std::ispunct},
    {"space", std::isspace},
    {"upper", std::isupper},
    {"xdigit", std::isxdigit},
}};

// What a pattern's `[…]` says of one byte.
struct SetMatch {
  bool matches = false;
  std::size_t end = npos;  // just after the `]`; npos where the set is malformed
};

// `open` is the place of the `[`.
SetMatch match_set(std::string_view pattern, std::size_t open, char byte) {
  const auto value = static_cast<unsigned char>(byte);
  std::size_t p = open + 1;
  const bool negated = p < pattern.size() && (pattern[p] == '!' || pattern[p] == '^');
  if (negated) ++p;

  bool found = false;
  bool range_may_start = false;
  unsigned char range_start = 0;
  const auto take = [&](char member) {
    range_start = static_cast<unsigned char>(member);
    range_may_start = true;
    found = found || range_start == value;
  };
  // A `]` in first place is a member.
  for (const std::size_t first = p; p < pattern.size(); ++p) {
    const char c = pattern[p];
    const char next = p + 1 < pattern.size() ? pattern[p + 1] : '\0';
    if (c == ']' && p != first) return {found != negated && byte != '/', p + 1};
    if (c == '\\') {
      if (++p == pattern.size()) return {};
      take(pattern[p]);
    } else if (c == '-' && range_may_start && next != '\0' && next != ']') {
      if (pattern[++p] == '\\' && ++p == pattern.size()) return {};
      found = found || (range_start <= value && value <= static_cast<unsigned char>(pattern[p]));
      range_may_start = false;
    } else if (c == '[' && next == ':') {
      const std::size_t close = pattern.find(']', p + 2);
      if (close == npos) return {};
      if (close < p + 3 || pattern[close - 1] != ':') {
        take('[');
        continue;
      }
      const std::string_view name = pattern.substr(p + 2, close - 1 - (p + 2));
      bool named = false;
      for (const CharacterClass& known : character_classes) {
        if (known.name != name) continue;
        named = true;
        found = found || (value < 0x80 && known.has(value) != 0);
      }
      if (!named) return {};
      range_may_start = false;
      p = close;
    } else {
      take(c);
    }
  }
  return {};
}

// Matches the one-byte element at pattern[p] against `byte`; the place after the element, or npos for no
// match.
std::size_t match_one(std::string_view pattern, std::size_t p, char byte) {
  switch (pattern[p]) {
    case '?':
      return byte != '/' ? p + 1 : npos;
    case '[': {
      const SetMatch set = match_set(pattern, p, byte);
      return set.matches ? set.end : npos;
    }
    case '\\':
      return p + 1 < pattern.size() && pattern[p + 1] == byte ? p + 2 : npos;
    default:
      return pattern[p] == byte ? p + 1 : npos;
  }
}

// Where to go on after a mismatch: what follows a `*` or `**` in the pattern, tried from a later place of the
// path.
struct Retry {
  std::size_t pattern = npos;  // npos: none
  std::size_t path = 0;
};

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

bool ignore_glob_matches(std::string_view pattern, std::string_view path) {
  // One place to go back to is enough for `*`, and one for `**`: what an earlier star could still give up
  // lies within what the later one can reach. A `*` has at most the rest of its path part, a `**` all that
  // follows.
  Retry star;
  Retry folders;
  bool whole_folders = false;
  std::size_t p = 0;
  std::size_t t = 0;
  for (;;) {
    if (p < pattern.size() && pattern[p] == '*') {
      const std::size_t after = std::min(pattern.find_first_not_of('*', p), pattern.size());
      const bool at_start = p == 0 || pattern[p - 1] == '/';
      const std::string_view rest = pattern.substr(after);
      if (after - p >= 2 && at_start && rest.empty()) return true;
      if (after - p >= 2 && at_start && (rest.starts_with('/') || rest.starts_with("\\/"))) {
        // Before a `/`, no folder at all will do, and then there is no `/` either; before an escaped one it
        // must be.
        whole_folders = rest.starts_with('/');
        p = whole_folders ? after + 1 : after;
        folders = {p, t};
        star = {};
      } else {
        p = after;
        star = {p, t};
      }
      continue;
    }
    if (p == pattern.size() && t == path.size()) return true;
    if (p < pattern.size() && t < path.size()) {
      const std::size_t next = match_one(pattern, p, path[t]);
      if (next != npos) {
        p = next;
        ++t;
        continue;
      }
    }
    if (star.pattern != npos && star.path < path.size() && path[star.path] != '/') {
      p = star.pattern;
      t = ++star.path;
      continue;
    }
    if (folders.pattern == npos) return false;
    const std::size_t passed = whole_folders ? path.find('/', folders.path) : folders.path;
    if (passed >= path.size()) return false;
    p = folders.pattern;
    t = folders.path = passed + 1;
    star = {};
  }
}

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

  pattern.glob = line;
  patterns_.push_back(std::move(pattern));
}

IgnoreVerdict IgnoreRules::verdict(std::string_view path, bool is_folder) const {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  for (auto pattern = patterns_.rbegin(); pattern != patterns_.rend(); ++pattern) {
    if (pattern->folders_only && !is_folder) continue;
    if (ignore_glob_matches(pattern->glob, pattern->name_only ? name : path))
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
