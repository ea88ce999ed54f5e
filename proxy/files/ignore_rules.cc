// Each line of rules becomes a regular expression over a letter (`d` of folders, `f` of files) and the path:
//
//   *.o      .(?:.*/)?[^/]*\.o      at any depth
//   /a/**/b/ d a/(?:.*/)?b          a folder, from where the rules are
//
// RE2 takes linear time, so that no hostile pattern stalls a walk. Consecutive lines with the same verdict
// are alternatives of one expression, matched once. Test: ignore_rules_test.cc, with git's own answers.
#include "proxy/files/ignore_rules.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <re2/re2.h>
#include <sys/stat.h>

#include <algorithm>
#include <bitset>
#include <cerrno>
#include <cwctype>
#include <iterator>
#include <optional>

#include "base/text.h"
#include "proxy/files/regular_file.h"

namespace symbols::files {
namespace {

// A glob longer than any path the system takes is nothing but a way to spend our time.
constexpr std::size_t max_glob_bytes = 4096;
// Enough for the expression of a file of max_ignore_file_bytes.
constexpr std::int64_t max_expression_bytes = 128 << 20;
// Each is compiled: changes between rules and exceptions, in one file.
constexpr std::size_t max_runs = 1000;

// The bytes that a `[…]` matches.
using Set = std::bitset<256>;

// Reads the set whose `[` is at `at`, which becomes the place of its `]`. None if it is malformed.
std::optional<Set> read_set(std::string_view glob, std::size_t& at) {
  Set set;
  const bool negated = ++at < glob.size() && (glob[at] == '!' || glob[at] == '^');
  if (negated) ++at;
  int start = -1;                                               // of a range, if one may follow
  for (const std::size_t first = at; at < glob.size(); ++at) {  // a `]` in first place is a member
    const char c = glob[at];
    const char next = at + 1 < glob.size() ? glob[at + 1] : '\0';
    if (c == ']' && at != first) {
      if (negated) set.flip();
      return set.reset('/');
    }
    const std::size_t close = c == '[' && next == ':' ? glob.find(']', at + 2) : 0;
    if (close == glob.npos) return {};
    if (close >= at + 3 && glob[close - 1] == ':') {  // [:alpha:] and its kin, of ASCII
      const std::wctype_t kind = std::wctype(std::string(glob.substr(at + 2, close - at - 3)).c_str());
      if (kind == 0) return {};
      for (unsigned byte = 0; byte < 0x80; ++byte) set[byte] = set[byte] || std::iswctype(byte, kind) != 0;
      start = -1;
      at = close;
      continue;
    }
    const bool is_range = c == '-' && start >= 0 && next != '\0' && next != ']';
    if (is_range) ++at;
    if (glob[at] == '\\' && ++at == glob.size()) return {};
    const int end = static_cast<unsigned char>(glob[at]);
    for (int byte = is_range ? start : end; byte <= end; ++byte) set.set(static_cast<std::size_t>(byte));
    start = is_range ? -1 : end;
  }
  return {};
}

// `glob` as a regular expression, empty if it can match nothing. `*`, `?` and `[…]` never match a `/`. `**`
// at the start or after a `/`, and at the end or before a `/`, matches any folders; else it is one `*`.
std::string expression_of(std::string_view glob) {
  std::string expression;
  for (std::size_t at = 0; at < glob.size(); ++at) {
    if (glob[at] == '*') {
      const std::size_t end = std::min(glob.find_first_not_of('*', at), glob.size());
      const std::string_view rest = glob.substr(end);
      const bool spans_folders = end - at > 1 && (at == 0 || glob[at - 1] == '/');
      const bool or_none = spans_folders && rest.starts_with('/');
      const bool anything = spans_folders && (rest.empty() || rest.starts_with("\\/"));
      expression += or_none ? "(?:.*/)?" : anything ? ".*" : "[^/]*";
      at = or_none ? end : end - 1;
    } else if (glob[at] == '?') {
      expression += "[^/]";
    } else if (glob[at] == '[') {
      const std::optional<Set> set = read_set(glob, at);
      if (!set || set->none()) return {};
      expression += '[';
      for (std::size_t byte = 0; byte < set->size(); ++byte) {
        if (!set->test(byte)) continue;
        const std::size_t first = byte;
        while (byte + 1 < set->size() && set->test(byte + 1)) ++byte;
        fmt::format_to(std::back_inserter(expression), "\\x{:02x}-\\x{:02x}", first, byte);
      }
      expression += ']';
    } else {
      if (glob[at] == '\\' && ++at == glob.size()) return {};
      expression += re2::RE2::QuoteMeta(glob.substr(at, 1));
    }
  }
  return expression;
}

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
  std::string expression;
  IgnoreVerdict verdict = IgnoreVerdict::unmatched;
  for (std::string_view line : split(text, '\n')) {
    if (line.starts_with('#')) continue;
    if (line.ends_with('\r')) line.remove_suffix(1);
    line = without_trailing_blanks(line.substr(0, line.find('\0')));  // git reads lines as C strings
    const bool negated = line.starts_with('!');
    if (negated) line.remove_prefix(1);
    const bool folders_only = line.ends_with('/');
    if (folders_only) line.remove_suffix(1);
    const bool at_any_depth = line.find('/') == line.npos;
    if (line.starts_with('/')) line.remove_prefix(1);
    const std::string glob = line.size() > max_glob_bytes ? std::string() : expression_of(line);
    if (glob.empty()) continue;
    const IgnoreVerdict its = negated ? IgnoreVerdict::included : IgnoreVerdict::ignored;
    if (its != verdict) end_run(expression, std::exchange(verdict, its));
    if (!is_whole_) return;
    fmt::format_to(std::back_inserter(expression), "{}{}{}{}", expression.empty() ? "" : "|",
                   folders_only ? "d" : ".", at_any_depth ? "(?:.*/)?" : "", glob);
  }
  end_run(expression, verdict);
}

void IgnoreRules::end_run(std::string& expression, IgnoreVerdict verdict) {
  if (expression.empty()) return;
  re2::RE2::Options options(re2::RE2::Latin1);
  options.set_dot_nl(true);
  options.set_log_errors(false);
  options.set_max_mem(max_expression_bytes);
  auto lines = std::make_shared<const re2::RE2>(std::exchange(expression, {}), options);
  is_whole_ = lines->ok() && runs_.size() < max_runs;
  if (is_whole_) runs_.push_back({verdict, std::move(lines)});
}

IgnoreVerdict IgnoreRules::verdict(std::string_view path, bool is_folder) const {
  if (runs_.empty()) return IgnoreVerdict::unmatched;
  const std::string asked = (is_folder ? 'd' : 'f') + std::string(path);
  const auto run = std::find_if(runs_.rbegin(), runs_.rend(),
                                [&](const Run& one) { return re2::RE2::FullMatch(asked, *one.lines); });
  return run == runs_.rend() ? IgnoreVerdict::unmatched : run->verdict;
}

std::string ignore_text(const std::vector<std::string>& patterns) {
  return fmt::format("{}\n", fmt::join(patterns, "\n"));
}

Result<IgnoreRules> read_ignore_file(const std::string& path, const std::string& name) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0 && (errno == ENOENT || errno == ENOTDIR)) return IgnoreRules();
  const Result<std::string> text = read_regular_file(path, max_ignore_file_bytes, Symlinks::refuse, name);
  if (!text) return text.error();
  IgnoreRules rules(*text);
  if (!rules.is_whole()) {
    return Error{fmt::format("cannot read {}: its rules take too much memory", name.empty() ? path : name),
                 "leave out rules, or changes between rules and exceptions"};
  }
  return rules;
}

void IgnoredPaths::add(const fs::path& folder, const std::vector<std::string>& patterns) {
  std::string text = ignore_text(patterns);
  IgnoreRules rules(text);
  if (!rules.empty()) rules_.try_emplace({(folder / "").string(), std::move(text)}, std::move(rules));
}

bool IgnoredPaths::ignores(std::string_view path, bool is_folder) const {
  return std::ranges::any_of(rules_, [&](const auto& entry) {
    const auto& [where, rules] = entry;
    const std::string& folder = where.first;
    return path.starts_with(folder) &&
           rules.verdict(path.substr(folder.size()), is_folder) == IgnoreVerdict::ignored;
  });
}

bool IgnoredPaths::leaves_out(std::string_view path) const {
  if (rules_.empty()) return false;
  for (std::size_t slash = path.find('/', 1); slash != path.npos; slash = path.find('/', slash + 1)) {
    if (ignores(path.substr(0, slash), true)) return true;
  }
  return ignores(path, false);
}

}  // namespace symbols::files
