#include "proxy/index/source_states.h"

#include <algorithm>

#include "proxy/files/regular_file.h"
#include "proxy/files/source_text.h"

namespace symbols::index {
namespace {

std::string_view after_blanks(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  return text;
}

// The name in a line after its `#`, with its opening mark; empty if it includes nothing.
std::string_view included_name(std::string_view line) {
  line = after_blanks(line);
  const bool includes = line.starts_with("include");
  if (!includes && !line.starts_with("import")) return {};
  line.remove_prefix(includes ? 7 : 6);
  if (line.starts_with("_next")) line.remove_prefix(5);
  line = after_blanks(line);
  if (!line.starts_with('"') && !line.starts_with('<')) return {};
  const std::size_t end = line.find(line.front() == '"' ? '"' : '>', 1);
  return end == line.npos || end == 1 ? std::string_view() : line.substr(0, end);
}

}  // namespace

std::vector<std::string> include_names(std::string_view text) {
  std::vector<std::string> names;
  for (std::size_t hash = text.find('#'); hash != text.npos; hash = text.find('#', hash + 1)) {
    const std::size_t line_end = std::min(text.find_first_of("\r\n", hash), text.size());
    const std::string_view name = included_name(text.substr(hash + 1, line_end - hash - 1));
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
    if (!looked->second.is_there) return nullptr;
    if (!needs_includes || looked->second.state.includes) return &looked->second.state;
  }
  const auto known = known_.find(path);
  const bool helps = known != known_.end() && (!needs_includes || known->second.includes);
  const Looked& now = looked_[path] = look(path, includes, helps ? &known->second : nullptr);
  if (!now.is_there) return nullptr;
  if (known == known_.end() || known->second != now.state) changed_[path] = now.state;
  return &now.state;
}

SourceStates::Looked SourceStates::look(const std::string& path, Includes includes,
                                        const SourceState* known) {
  const std::string file = (root_ / path).string();
  const std::int64_t moment = files::file_clock_now();
  const std::optional<files::FileStamp> stamp = files::FileStamp::of(file);
  if (!stamp) return {};
  if (known != nullptr && known->stamp == stamp) return {true, *known};
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
  return {true, std::move(state)};
}

bool SourceStates::is_unchanged(const std::string& path) const {
  const auto looked = looked_.find(path);
  if (looked == looked_.end() || !looked->second.is_there) return false;
  const std::string file = (root_ / path).string();
  if (looked->second.state.stamp && looked->second.state.stamp == files::FileStamp::of(file)) return true;
  return files::hash_of_file(file) == looked->second.state.content;
}

}  // namespace symbols::index
