#include "proxy/index/source_states.h"

#include "proxy/files/include_names.h"
#include "proxy/files/regular_file.h"
#include "proxy/files/source_text.h"

namespace symbols::index {

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

}  // namespace symbols::index
