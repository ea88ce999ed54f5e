#include "proxy/index/index_place.h"

#include <fmt/format.h>

#include "proxy/files/content_hash.h"
#include "proxy/files/project_root.h"
#include "proxy/files/regular_file.h"
#include "table/escape.h"

namespace symbols::index {
namespace {

namespace fs = std::filesystem;

Result<fs::path> canonical_folder(const fs::path& folder) {
  std::error_code failure;
  fs::path canonical = fs::canonical(folder, failure);
  if (failure) return files::system_error("index", folder.string(), failure.value());
  if (!fs::is_directory(canonical, failure)) {
    return Error{fmt::format("cannot index {}: it is not a folder", table::quoted(folder.string())),
                 "give the project's folder"};
  }
  return {boost::system::in_place_value, std::move(canonical)};
}

}  // namespace

Result<fs::path> index_root(const fs::path& folder, const std::string& given,
                            const std::vector<std::string>& markers) {
  Result<fs::path> asked = canonical_folder(folder);
  if (!asked) return asked;
  if (!given.empty()) {
    Result<fs::path> root = canonical_folder(given);
    if (!root || files::contains(*root, *asked)) return root;
    return Error{fmt::format("{} is not in --root {}", table::quoted(folder.string()), table::quoted(given)),
                 "give a root above it"};
  }
  const fs::path home = files::home_folder();
  for (const std::vector<std::string>& marks : {std::vector<std::string>(), markers}) {
    fs::path marked = files::find_marked_root(*asked / "file", {.project = marks}, home);
    if (!marked.empty()) return {boost::system::in_place_value, std::move(marked)};
  }
  return asked;
}

Result<fs::path> index_folder() {
  const fs::path cache = files::UserFolders::from_environment().cache;
  if (cache.empty()) {
    return Error{"there is no place for an index: neither XDG_CACHE_HOME nor HOME is an absolute path",
                 "set one of them"};
  }
  return {boost::system::in_place_value, cache / "symbols" / "index"};
}

fs::path index_file(const fs::path& folder, const fs::path& root) {
  constexpr std::size_t max_name = 60;
  const std::string name = root.filename().string().substr(0, max_name);
  return folder / fmt::format("{}-{}.db", name, files::hex_of(files::hash_of(root.string())).substr(0, 16));
}

Result<FoundIndex> find_index(const fs::path& start) {
  const Result<fs::path> folder = index_folder();
  if (!folder) return folder.error();
  const Result<fs::path> first = canonical_folder(start);
  if (!first) return first.error();
  for (fs::path root = *first;; root = root.parent_path()) {
    std::error_code failure;
    if (fs::path file = index_file(*folder, root); fs::is_regular_file(file, failure))
      return FoundIndex{std::move(root), std::move(file)};
    if (root == root.parent_path()) break;
  }
  return Error{fmt::format("there is no index of {} or a folder above it", table::quoted(first->string())),
               "make one with: symbols index"};
}

}  // namespace symbols::index
