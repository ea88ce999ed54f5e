#include "proxy/index/include_graph.h"

#include <set>

#include "proxy/files/file_stamp.h"

namespace symbols::index {

namespace fs = std::filesystem;

std::vector<std::string> IncludeGraph::included_by(const std::string& path, const IncludeFolders& folders) {
  Found& found = found_[folders];
  std::set<std::string> seen;
  std::vector<std::string> left{path};
  for (const std::string& forced : folders.forced) {
    std::string file = inside(forced);
    if (!file.empty() && exists(forced) && seen.insert(file).second) left.push_back(std::move(file));
  }
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
  for (const std::string& name : *state->includes) {
    std::string file = resolve(name, beside, folders);
    if (!file.empty()) known->second.push_back(std::move(file));
  }
  return known->second;
}

std::string IncludeGraph::resolve(const std::string& name, const fs::path& beside,
                                  const IncludeFolders& folders) {
  const std::string_view written = std::string_view(name).substr(1);
  const auto in = [&](const fs::path& folder) { return (folder / written).lexically_normal().string(); };
  if (name.starts_with('"')) {
    if (const std::string file = in(beside); exists(file)) return inside(file);
  }
  for (const std::string& folder : folders.folders) {
    if (const std::string file = in(folder); exists(file)) return inside(file);
  }
  const std::string file = in(root_);
  return exists(file) ? inside(file) : std::string();
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
