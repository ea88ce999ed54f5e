#include "proxy/index/source_states.h"

#include <algorithm>
#include <set>

#include "proxy/files/regular_file.h"
#include "proxy/files/source_text.h"

namespace symbols::index {

namespace fs = std::filesystem;

SourceStates::SourceStates(fs::path root, std::map<std::string, SourceState> known)
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
    state.includes = files::include_names(*text);
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

std::vector<std::string> SourceStates::included_by(const std::string& path, const IncludeFolders& folders) {
  Included& included = included_[folders];
  std::set<std::string> seen;
  std::vector<std::string> left{path};
  for (const std::string& forced : folders.forced) resolve('"' + forced, folders.directory, folders, left);
  seen.insert(left.begin() + 1, left.end());
  while (!left.empty()) {
    const std::string file = std::move(left.back());
    left.pop_back();
    for (const std::string& name : direct(file, folders, included)) {
      if (seen.insert(name).second) left.push_back(name);
    }
  }
  seen.erase(path);
  return {seen.begin(), seen.end()};
}

const std::vector<std::string>& SourceStates::direct(const std::string& path, const IncludeFolders& folders,
                                                     Included& included) {
  const auto [known, is_new] = included.try_emplace(path);
  if (!is_new) return known->second;
  const SourceState* state = find(path, Includes::find);
  if (state == nullptr) return known->second;
  const fs::path beside = (root_ / path).parent_path();
  for (const std::string& name : *state->includes) resolve(name, beside, folders, known->second);
  return known->second;
}

void SourceStates::resolve(const std::string& name, const fs::path& beside, const IncludeFolders& folders,
                           std::vector<std::string>& found) {
  const std::string_view written = std::string_view(name).substr(1);
  const std::string inside = (root_ / "").string();
  // Whether the name is found, and no other folder counts.
  const auto is_in = [&](const fs::path& folder) {
    const std::string file = (folder / written).lexically_normal().string();
    const auto [known, is_new] = exists_.try_emplace(file);
    if (is_new) known->second = files::FileStamp::of(file).has_value();
    if (!known->second) return false;
    if (file.starts_with(inside)) found.push_back(file.substr(inside.size()));
    return !folders.is_guess;
  };
  const bool is_quoted = name.starts_with('"');
  if (is_quoted && (is_in(beside) || std::ranges::any_of(folders.quoted, is_in))) return;
  if (std::ranges::any_of(folders.folders, is_in)) return;
  // clang recovers from a <name> that it does not find by looking for it as if it were quoted.
  if (!is_quoted && (is_in(beside) || std::ranges::any_of(folders.quoted, is_in))) return;
  is_in(root_);
}

}  // namespace symbols::index
