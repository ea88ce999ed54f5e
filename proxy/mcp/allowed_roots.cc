#include "proxy/mcp/allowed_roots.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <system_error>

#include "lsp/uri.h"
#include "proxy/files/project_root.h"
#include "table/escape.h"

namespace symbols::mcp {

namespace fs = std::filesystem;

Result<AllowedRoots> AllowedRoots::of(const std::vector<std::string>& folders) {
  AllowedRoots allowed;
  for (const std::string& folder : folders) {
    std::error_code failure;
    const fs::path root = fs::canonical(folder, failure);
    if (failure || !fs::is_directory(root, failure)) continue;
    if (root == root.root_path())
      return Error{"the project's folder is unknown: / is no project", "start the server with --root DIR"};
    if (std::ranges::find(allowed.roots_, root) == allowed.roots_.end()) allowed.roots_.push_back(root);
  }
  if (!allowed.roots_.empty()) return allowed;
  std::vector<std::string> quoted;
  for (const std::string& folder : folders) quoted.push_back(table::quoted(folder));
  return Error{folders.empty() ? "the client names no folder that may be read"
                               : fmt::format("not a folder: {}", fmt::join(quoted, ", ")),
               "open a folder in the client, or start the server with --root DIR"};
}

Result<fs::path> AllowedRoots::find(const std::string& given) const {
  const std::string path = given.starts_with("file:") ? lsp::file_path(given).value_or(given) : given;
  if (path.empty() || path.find('\0') != std::string::npos)
    return Error{"a path is empty or has a NUL byte", "give a file or folder of the project"};
  std::error_code failure;
  for (const fs::path& root : roots_) {
    // An absolute path replaces the root.
    const fs::path found = fs::canonical(root / path, failure);
    if (!failure && root_of(found) != nullptr) return found;
  }
  std::vector<std::string> names;
  for (const fs::path& root : roots_) names.push_back(table::quoted(root.string()));
  return Error{fmt::format("{} is not in {}", table::quoted(given), fmt::join(names, ", ")),
               "give the path of a file or folder there; the tools find and map list paths"};
}

Result<void> AllowedRoots::enter() const {
  std::error_code failure;
  fs::current_path(first(), failure);
  if (!failure && fs::current_path(failure) == first()) return {};
  return Error{"cannot enter " + table::quoted(first().string()), "start the server with --root DIR"};
}

const fs::path* AllowedRoots::root_of(const fs::path& path) const {
  const auto root =
      std::ranges::find_if(roots_, [&](const fs::path& one) { return files::contains(one, path); });
  return root == roots_.end() ? nullptr : &*root;
}

}  // namespace symbols::mcp
