#include "proxy/servers/clangd_index.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdint>
#include <string_view>

#include "proxy/files/project_root.h"
#include "proxy/process/made_folder.h"
#include "table/escape.h"

namespace symbols::servers {
namespace {

namespace fs = std::filesystem;

// Names the folder of one database; FNV-1a, because it must be the same in every run.
std::string folder_name(const fs::path& database) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : database.string()) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return fmt::format("{:016x}", hash);
}

// Whether clangd started with these builds an index of the project.
bool has_background_index(const std::vector<std::string>& arguments) {
  bool on = true;
  for (const std::string& argument : arguments) {
    const std::string_view word = std::string_view(argument).substr(argument.starts_with("--") ? 1 : 0);
    if (word == "-background-index" || word == "-background-index=true" || word == "-background-index=1")
      on = true;
    if (word == "-background-index=false" || word == "-background-index=0") on = false;
  }
  return on;
}

// In the folder of a copy: the database that it is one of.
constexpr const char* copied_from = "copied-from";

// Worktrees and checkouts in temporary folders leave indexes behind, which may be large. Removes those;
// folders that are not ours, or whose project exists, are not touched.
void remove_indexes_of_nothing(const fs::path& cache) {
  std::error_code error;
  // With increment(error), because a range-based loop would throw if another run removes the folder.
  for (fs::directory_iterator entry(cache, error), end; !error && entry != end; entry.increment(error)) {
    for (const char* const name : {commands_file, copied_from}) {
      const fs::path link = entry->path() / name;
      std::error_code unknown;
      if (fs::is_symlink(fs::symlink_status(link, unknown)) && !fs::exists(link, unknown) && !unknown) {
        (void)process::remove_folder(entry->path().string());
      }
    }
  }
}

// A folder of an index, with a link to the database that it is of.
Result<void> make_index_folder(const fs::path& folder, const char* name, const fs::path& target) {
  const fs::path link = folder / name;
  const auto failed = [&](const std::error_code& error) {
    return Error{fmt::format("cannot make {}: {}", table::quoted(link.string()), error.message()),
                 "set XDG_CACHE_HOME to a folder that may be written"};
  };
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return failed(error);
  fs::permissions(folder, fs::perms::owner_all, error);  // the index reveals the sources
  if (fs::read_symlink(link, error) != target) {
    // Renamed over the old one: another run may be reading it.
    const fs::path fresh = folder / fmt::format("{}.{}", name, ::getpid());
    fs::remove(fresh, error);
    fs::create_symlink(target, fresh, error);
    if (error) return failed(error);
    fs::rename(fresh, link, error);
    if (error) {
      std::error_code ignored;
      fs::remove(fresh, ignored);
      return failed(error);
    }
    remove_indexes_of_nothing(folder.parent_path());
  }
  return {};
}

}  // namespace

fs::path index_cache() {
  const fs::path cache = files::UserFolders::from_environment().cache;
  return cache.empty() ? cache : cache / "symbols" / "clangd";
}

Result<void> index_outside_project(std::vector<std::string>& arguments, const fs::path& database,
                                   const fs::path& cache) {
  const fs::path folder = cache / folder_name(database);
  if (Result<void> made = make_index_folder(folder, commands_file, database / commands_file); !made)
    return made;
  std::erase(arguments, "--background-index=false");
  arguments.insert(arguments.begin(), {"--background-index", "--compile-commands-dir=" + folder.string()});
  return {};
}

Result<fs::path> index_beside_copy(std::vector<std::string>& arguments, const fs::path& database,
                                   const fs::path& cache) {
  fs::path folder = cache / (folder_name(database.parent_path()) + "-allowed");
  if (const Result<void> made = make_index_folder(folder, copied_from, database); !made) return made.error();
  std::erase(arguments, "--background-index=false");
  arguments.insert(arguments.begin(), "--background-index");
  return {boost::system::in_place_value, std::move(folder)};
}

bool knows_open_files_only(const std::vector<std::string>& arguments, const fs::path& file) {
  if (!has_background_index(arguments)) return true;
  if (names_compilation_database(arguments)) return false;
  const CompilationDatabase database = compilation_database_of(file, users_clangd_settings());
  return !database.folder() && !database.is_unclear;
}

ProjectSearch let_clangd_search(std::vector<std::string>& arguments, const fs::path& file,
                                bool is_users_command, const fs::path& below) {
  ProjectSearch search;
  if (const fs::path cache = index_cache(); !is_users_command && !cache.empty()) {
    const CompilationDatabase database = compilation_database_of(file, users_clangd_settings());
    const std::optional<fs::path> folder = below.empty() ? database.folder() : below;
    if (folder && index_outside_project(arguments, *folder, cache))
      search.index_folder = cache / folder_name(*folder);
  }
  search.open_files_only = knows_open_files_only(arguments, file);
  return search;
}

}  // namespace symbols::servers
