// Rules of .gitignore files (proxy/files/ignore_rules.h) and their globs, against a matcher that tries
// everything.
// Covers: proxy/files/ignore_rules.cc
#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "proxy/files/ignore_rules.h"
#include "tests/fuzz/fuzz_target.h"

namespace symbols::fuzz::ignore_target {

// A glob without `[…]`, as gitignore(5) tells it: each star tries all that it may stand for. Each pair of
// places is looked at once.
class Matcher {
 public:
  Matcher(std::string_view pattern, std::string_view path)
      : pattern_(pattern), path_(path), failed_((pattern.size() + 1) * (path.size() + 1)) {}

  bool matches(std::size_t p = 0, std::size_t t = 0) {
    const std::size_t which = p * (path_.size() + 1) + t;
    if (failed_[which]) return false;
    const bool found = tries(p, t);
    failed_[which] = !found;
    return found;
  }

 private:
  bool tries(std::size_t p, std::size_t t) {
    if (p == pattern_.size()) return t == path_.size();
    if (pattern_[p] == '*') return tries_star(p, t);
    if (t == path_.size()) return false;
    if (pattern_[p] == '?') return path_[t] != '/' && matches(p + 1, t + 1);
    if (pattern_[p] == '\\' && ++p == pattern_.size()) return false;
    return pattern_[p] == path_[t] && matches(p + 1, t + 1);
  }
  bool tries_star(std::size_t p, std::size_t t) {
    const std::size_t after = std::min(pattern_.find_first_not_of('*', p), pattern_.size());
    const std::string_view rest = pattern_.substr(after);
    if (after - p >= 2 && (p == 0 || pattern_[p - 1] == '/')) {
      if (rest.empty()) return true;
      if (rest.starts_with('/')) {
        if (matches(after + 1, t)) return true;
        for (std::size_t i = t; i < path_.size(); ++i) {
          if (path_[i] == '/' && matches(after + 1, i + 1)) return true;
        }
        return false;
      }
      if (rest.starts_with("\\/")) {
        for (std::size_t i = t; i < path_.size(); ++i) {
          if (matches(after, i)) return true;
        }
        return false;
      }
    }
    for (std::size_t i = t;; ++i) {
      if (matches(after, i)) return true;
      if (i == path_.size() || path_[i] == '/') return false;
    }
  }

  std::string_view pattern_;
  std::string_view path_;
  std::vector<bool> failed_;
};

// A line that means this path and no other.
std::string exactly(std::string_view path) {
  std::string line = "/";
  for (const char c : path) {
    if (std::string_view("*?[\\ !#\r").find(c) != std::string_view::npos) line += '\\';
    line += c;
  }
  return line;
}

void ignore(std::string_view data) {
  Input input(data);
  const bool is_folder = input.flag();
  std::string path(input.text_until('\n'));
  // As a walk has it.
  while (path.starts_with('/')) path.erase(0, 1);
  while (path.ends_with('/')) path.pop_back();
  const std::string_view text = input.rest();

  const files::IgnoreRules rules(text);
  using files::IgnoreVerdict;
  const IgnoreVerdict verdict = rules.verdict(path, is_folder);
  holds(!rules.empty() || verdict == IgnoreVerdict::unmatched, "no rules say nothing");

  const std::string_view line = text.substr(0, text.find('\n'));
  const bool is_glob = !line.empty() && line.find_first_of(std::string_view("[ \r\0", 4)) == line.npos &&
                       !line.starts_with('/') && !line.ends_with('/');
  const auto matches = [&](const std::string& glob) {
    return files::IgnoreRules("/" + glob).verdict(path, is_folder) == IgnoreVerdict::ignored;
  };
  if (is_glob && line.size() < 200 && path.size() < 200)
    holds(matches(std::string(line)) == Matcher(line, path).matches(), "both matchers agree");

  const bool is_name =
      !path.empty() && path.find_first_of(std::string_view("\0\n\r", 3)) == std::string::npos;
  if (!is_name || path.size() > 1000) return;
  holds(matches(exactly(path).substr(1)), "an escaped path matches itself");
  // The last line that speaks of a path counts.
  const std::string before = std::string(text) + "\n";
  holds(files::IgnoreRules(before + exactly(path)).verdict(path, is_folder) == IgnoreVerdict::ignored,
        "a line about a path alone ignores it");
  holds(files::IgnoreRules(before + "!" + exactly(path)).verdict(path, is_folder) == IgnoreVerdict::included,
        "and takes it back in");
  const files::IgnoreRules all("**");
  holds(all.verdict(path, is_folder) == IgnoreVerdict::ignored, "two stars ignore all");
}

const Registration registration("ignore", ignore);

}  // namespace symbols::fuzz::ignore_target
