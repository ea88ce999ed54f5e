#include "proxy/index/include_graph.h"

#include <algorithm>
#include <set>

#include "proxy/files/file_stamp.h"

namespace symbols::index {

namespace fs = std::filesystem;

std::vector<std::string> IncludeGraph::included_by(const std::string& path, const IncludeFolders& folders) {
  Found& found = found_[folders];
  std::set<std::string> seen;
  std::vector<std::string> left{path};
  for (const std::string& forced : folders.forced) resolve('"' + forced, folders.directory, folders, left);
  seen.insert(left.begin() + 1, left.end());
  while (!left.empty()) {
    const std::string file = std::move(left.back());
    left.pop_back();
    for (const std::string& included : direct(file, folders, found)) {
      if (seen.insert(included).second) left.push_back(included);
    }
  }
  seen.erase(path);
  return {seen.begin(), seen.end()};
}

const std::vector<std::string>& IncludeGraph::direct(const std::string& path, const IncludeFolders& folders,
                                                     Found& found) {
  const auto [known, is_new] = found.try_emplace(path);
  if (!is_new) return known->second;
  const SourceState* state = sources_.find(path, SourceStates::Includes::find);
  if (state == nullptr) return known->second;
  const fs::path beside = (root_ / path).parent_path();
  for (const std::string& name : *state->includes) resolve(name, beside, folders, known->second);
  return known->second;
}

void IncludeGraph::resolve(const std::string& name, const fs::path& beside, const IncludeFolders& folders,
                           std::vector<std::string>& files) {
  const std::string_view written = std::string_view(name).substr(1);
  // Whether the name is found, and no other folder counts.
  const auto is_in = [&](const fs::path& folder) {
    const std::string file = (folder / written).lexically_normal().string();
    if (!exists(file)) return false;
    if (std::string path = inside(file); !path.empty()) files.push_back(std::move(path));
    return !folders.is_guess;
  };
  const bool is_quoted = name.starts_with('"');
  if (is_quoted && (is_in(beside) || std::ranges::any_of(folders.quoted, is_in))) return;
  if (std::ranges::any_of(folders.folders, is_in)) return;
  // clang recovers from a <name> that it does not find by looking for it as if it were quoted.
  if (!is_quoted && (is_in(beside) || std::ranges::any_of(folders.quoted, is_in))) return;
  is_in(root_);
}

std::string IncludeGraph::inside(const std::string& file) const {
  const std::string folder = root_.string() + (root_ == root_.root_path() ? "" : "/");
  return file.starts_with(folder) ? file.substr(folder.size()) : std::string();
}

bool IncludeGraph::exists(const std::string& file) {
  const auto [known, is_new] = exists_.try_emplace(file);
  if (is_new) known->second = files::FileStamp::of(file).has_value();
  return known->second;
}

}  // namespace symbols::index
