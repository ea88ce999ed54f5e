#include "proxy/index/source_states.h"

#include <algorithm>

#include "proxy/files/regular_file.h"
#include "proxy/files/source_text.h"

namespace symbols::index {
namespace {

// Within a directive; a longer one is not looked for, so that a file of many `#/*` costs no more than others.
constexpr std::size_t longest_comment = 1000;

// What stands after blanks, comments and line ends that a backslash takes away.
std::string_view after_blanks(std::string_view text) {
  for (;;) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t\f\v"), text.size()));
    if (text.starts_with("\\\n")) {
      text.remove_prefix(2);
    } else if (text.starts_with("\\\r\n")) {
      text.remove_prefix(3);
    } else if (text.starts_with("/*")) {
      const std::size_t end = text.substr(0, longest_comment).find("*/", 2);
      if (end == text.npos) return {};
      text.remove_prefix(end + 2);
    } else {
      return text;
    }
  }
}

// The name that a directive includes, with its opening mark; `text` starts after its `#`. Empty if it
// includes nothing.
std::string_view included_name(std::string_view text) {
  text = after_blanks(text);
  const bool includes = text.starts_with("include");
  if (!includes && !text.starts_with("import")) return {};
  text.remove_prefix(includes ? 7 : 6);
  if (text.starts_with("_next")) text.remove_prefix(5);
  text = after_blanks(text);
  if (!text.starts_with('"') && !text.starts_with('<')) return {};
  const char mark = text.front() == '"' ? '"' : '>';
  const std::size_t end = text.find_first_of(mark == '"' ? "\"\r\n" : ">\r\n", 1);
  return end == text.npos || end == 1 || text[end] != mark ? std::string_view() : text.substr(0, end);
}

}  // namespace

std::vector<std::string> include_names(std::string_view text) {
  std::vector<std::string> names;
  if (constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF"; text.starts_with(byte_order_mark))
    text.remove_prefix(byte_order_mark.size());
  for (std::size_t hash = text.find_first_of("#%"); hash != text.npos;
       hash = text.find_first_of("#%", hash + 1)) {
    const bool is_digraph = text[hash] == '%';
    if (is_digraph && text.substr(hash + 1, 1) != ":") continue;
    const std::string_view name = included_name(text.substr(hash + (is_digraph ? 2 : 1)));
    if (name.empty()) continue;
    const std::size_t before = hash == 0 ? text.npos : text.find_last_not_of(" \t", hash - 1);
    // A comment may stand before it.
    if (before == text.npos || text[before] == '\n' || text[before] == '\r' || text[before] == '/')
      names.emplace_back(name);
  }
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

SourceStates::SourceStates(std::filesystem::path root, std::map<std::string, SourceState> known)
    : root_(std::move(root)), known_(std::move(known)) {}

const SourceState* SourceStates::find(const std::string& path, Includes includes) {
  const bool needs_includes = includes == Includes::find;
  const auto looked = looked_.find(path);
  if (looked != looked_.end()) {
    if (!looked->second) return nullptr;
    if (!needs_includes || looked->second->includes) return &*looked->second;
  }
  const auto known = known_.find(path);
  const bool helps = known != known_.end() && (!needs_includes || known->second.includes);
  const std::optional<SourceState>& now = looked_[path] =
      look(path, includes, helps ? &known->second : nullptr);
  if (!now) return nullptr;
  if (known == known_.end() || known->second != *now) changed_[path] = *now;
  return &*now;
}

std::optional<SourceState> SourceStates::look(const std::string& path, Includes includes,
                                              const SourceState* known) {
  const std::string file = (root_ / path).string();
  const std::int64_t moment = files::file_clock_now();
  const std::optional<files::FileStamp> stamp = files::FileStamp::of(file);
  if (!stamp) return {};
  if (known != nullptr && known->stamp == stamp) return *known;
  SourceState state;
  if (includes == Includes::find) {
    const Result<std::string> text = files::read_regular_file(file, files::max_source_bytes);
    if (!text) return {};
    state.content = files::hash_of(*text);
    state.includes = include_names(*text);
  } else {
    const std::optional<files::ContentHash> content = files::hash_of_file(file);
    if (!content) return {};
    state.content = *content;
    if (known != nullptr && known->content == state.content) state.includes = known->includes;
  }
  // The stamp of before the reading: a change since then gives another one.
  if (!stamp->may_change_unseen(moment)) state.stamp = stamp;
  return state;
}

bool SourceStates::is_unchanged(const std::string& path) const {
  const auto looked = looked_.find(path);
  if (looked == looked_.end() || !looked->second) return false;
  return KeptContent{looked->second->content, looked->second->stamp}.is_of((root_ / path).string());
}

}  // namespace symbols::index
