#include "proxy/servers/workspace_dependents.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "lsp/json/json_document.h"
#include "proxy/files/folder_walk.h"
#include "proxy/files/project_root.h"
#include "proxy/files/regular_file.h"

namespace symbols::servers {
namespace {

namespace fs = std::filesystem;
using std::string_view;

constexpr std::size_t max_package_json = std::size_t{1} << 20;
constexpr std::size_t max_source = std::size_t{4} << 20;

struct Package {
  std::string name;
  std::set<std::string> needs;
};

bool is_source(const fs::path& file) {
  constexpr std::array<string_view, 8> extensions{".ts", ".tsx", ".mts", ".cts",
                                                  ".js", ".jsx", ".mjs", ".cjs"};
  return std::ranges::count(extensions, file.extension().string()) > 0 &&
         !file.stem().string().ends_with(".d");
}

bool is_configuration(const fs::path& file) {
  const std::string name = file.filename().string();
  return name == "tsconfig.json" || name == "jsconfig.json";
}

// Adds what it read to `bytes`.
Package read_package(const std::string& path, std::size_t& bytes) {
  const Result<std::string> text = files::read_regular_file(path, max_package_json, files::Symlinks::refuse);
  if (text) bytes += text->size();
  const Result<rapidjson::Document> document =
      text ? lsp::parse_json(*text) : Result<rapidjson::Document>(text.error());
  if (!document || !document->IsObject()) return {};
  Package package{lsp::text_member(*document, "name"), {}};
  for (const char* const kind :
       {"dependencies", "devDependencies", "peerDependencies", "optionalDependencies"}) {
    const auto needed = document->FindMember(kind);
    if (needed == document->MemberEnd() || !needed->value.IsObject()) continue;
    for (const auto& member : needed->value.GetObject())
      package.needs.emplace(member.name.GetString(), member.name.GetStringLength());
  }
  return package;
}

// The nearest of `folders` that has `file`; the last, empty one if none has.
template <class Folders>
auto nearest(const Folders& folders, const fs::path& file) {
  for (fs::path folder = file.parent_path(); folder.has_relative_path(); folder = folder.parent_path()) {
    if (const auto found = folders.find(folder); found != folders.end()) return found;
  }
  return folders.end();
}

std::ptrdiff_t common_components(const fs::path& one, const fs::path& other) {
  return std::distance(one.begin(), std::ranges::mismatch(one, other).in1);
}

// The names of the package and of those that depend on it, directly or not: `most` of them.
std::set<std::string> with_dependents(const std::map<fs::path, Package>& packages, const std::string& name,
                                      std::size_t most) {
  std::multimap<string_view, string_view> users;
  for (const auto& [folder, package] : packages) {
    for (const std::string& needed : package.needs) users.emplace(needed, package.name);
  }
  std::set<std::string> names{name};
  for (std::vector<std::string> next{name}; !next.empty();) {
    const std::string one = std::move(next.back());
    next.pop_back();
    const auto [begin, end] = users.equal_range(one);
    for (auto user = begin; user != end && names.size() < most; ++user) {
      if (!user->second.empty() && names.emplace(user->second).second) next.emplace_back(user->second);
    }
  }
  return names;
}

}  // namespace

WorkspaceDependents workspace_dependents(const fs::path& file, const fs::path& home,
                                         const WorkspaceLimits& limits) {
  // Beyond the repository may be anybody's, and what changes there is not watched.
  const fs::path repository = files::find_marked_root(file, {}, home);
  if (repository.empty()) return {.are_all = false};
  const fs::path marked =
      files::find_marked_root(file,
                              {"pnpm-workspace.yaml", "pnpm-lock.yaml", "package-lock.json", "yarn.lock",
                               "bun.lock", "bun.lockb", "lerna.json", "rush.json"},
                              home);
  const fs::path root = files::contains(repository, marked) ? marked : repository;
  const Result<files::FoundFiles> found = files::find_source_files(
      root.string(),
      [](const fs::path& path) {
        return is_source(path) || is_configuration(path) || path.filename() == "package.json";
      },
      {.files = limits.files, .depth = files::FolderLimits().depth, .entries = limits.entries}, {},
      files::Symlinks::refuse);
  if (!found) return {.are_all = false};

  std::map<fs::path, Package> packages;
  std::set<fs::path> configured;
  std::vector<fs::path> sources;
  std::size_t bytes = 0;
  for (const std::string& path : found->files) {
    if (is_source(path)) sources.emplace_back(path);
    if (is_configuration(path)) configured.insert(fs::path(path).parent_path());
    if (fs::path(path).filename() == "package.json")
      packages.emplace(fs::path(path).parent_path(), read_package(path, bytes));
    if (bytes > limits.bytes) return {.are_all = false};
  }
  const auto own = nearest(packages, file);
  if (own == packages.end()) return {.are_all = false};
  const std::set<std::string> names = with_dependents(packages, own->second.name, limits.names);

  // A project's files are chosen by its configuration, most often by the folder below it.
  const auto project_of = [&](const fs::path& source) {
    const auto folder = nearest(configured, source);
    const fs::path base = folder == configured.end() ? root : *folder;
    const fs::path way = source.lexically_relative(base);
    return std::pair(base, way.has_parent_path() ? *way.begin() : fs::path());
  };
  // The nearest first: packages before the examples beside them.
  std::ranges::stable_sort(sources, std::ranges::greater(),
                           [&](const fs::path& source) { return common_components(source, file); });
  WorkspaceDependents dependents{.are_all = names.size() < limits.names};
  std::set<std::pair<fs::path, fs::path>> done{project_of(file)};
  for (const fs::path& source : sources) {
    const auto package = nearest(packages, source);
    if (package == packages.end()) continue;
    const bool is_own = package == own;
    if (!is_own && !names.contains(package->second.name)) continue;
    auto project = project_of(source);
    if (done.contains(project)) continue;
    if (!is_own) {
      const Result<std::string> text =
          files::read_regular_file(source.string(), max_source, files::Symlinks::refuse);
      if (!text) continue;
      bytes += text->size();
      const auto mentions = [&](const std::string& name) {
        return name != package->second.name && !name.empty() && text->find(name) != std::string::npos;
      };
      if (bytes <= limits.bytes && !std::ranges::any_of(names, mentions)) continue;
    }
    if (dependents.files.size() == limits.opened || bytes > limits.bytes) {
      dependents.are_all = false;
      break;
    }
    done.insert(std::move(project));
    dependents.files.push_back(source.string());
  }
  return dependents;
}

}  // namespace symbols::servers
