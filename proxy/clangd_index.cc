#include "proxy/clangd_index.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string_view>

#include "table/escape.h"

namespace symbols::proxy {
namespace {

namespace fs = std::filesystem;

constexpr const char* commands_file = "compile_commands.json";

bool is_there(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

std::string_view trimmed(std::string_view text) {
  const std::size_t start = std::min(text.find_first_not_of(" \t\"'"), text.size());
  const std::size_t end = text.find_last_not_of(" \t\r\"'");
  return end == text.npos ? std::string_view() : text.substr(start, end + 1 - start);
}

// What a .clangd says of `CompilationDatabase`, such as "build-debug"; none where it does not.
std::optional<std::string> database_named_in(const fs::path& config) {
  if (!is_there(config)) return {};
  constexpr std::string_view key = "CompilationDatabase:";
  constexpr int most_lines = 10'000;
  std::ifstream lines(config);
  std::string line;
  for (int i = 0; i < most_lines && std::getline(lines, line); ++i) {
    const std::size_t start = line.find_first_not_of(" \t");
    if (start == line.npos || line.compare(start, key.size(), key) != 0) continue;
    const std::string_view rest = std::string_view(line).substr(start + key.size());
    return std::string(trimmed(rest.substr(0, rest.find(" #"))));
  }
  return {};
}

std::optional<fs::path> database_in(const fs::path& folder) {
  if (is_there(folder / commands_file)) return folder;
  if (is_there(folder / "build" / commands_file)) return folder / "build";
  return {};
}

// Names the folder of one database; FNV-1a, as it is to be the same in every run.
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

bool names_compilation_database(const std::vector<std::string>& arguments) {
  return std::ranges::any_of(arguments, [](const std::string& argument) {
    return argument.starts_with("--compile-commands-dir") || argument.starts_with("-compile-commands-dir");
  });
}

// Empty where the user has no home.
fs::path index_cache() {
  const auto absolute = [](const char* folder) { return folder != nullptr && folder[0] == '/'; };
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); absolute(cache)) {
    return fs::path(cache) / "symbols" / "clangd";
  }
  const char* home = std::getenv("HOME");
  return absolute(home) ? fs::path(home) / ".cache" / "symbols" / "clangd" : fs::path();
}

}  // namespace

std::optional<fs::path> compilation_database_of(const fs::path& file) {
  for (fs::path folder = file.parent_path();; folder = folder.parent_path()) {
    const std::optional<std::string> named = database_named_in(folder / ".clangd");
    if (named == "None") return {};
    if (named && named != "Ancestors") {
      const fs::path database = folder / *named;
      return is_there(database / commands_file) ? std::optional(database.lexically_normal()) : std::nullopt;
    }
    if (folder == folder.parent_path()) break;
  }
  for (fs::path folder = file.parent_path();; folder = folder.parent_path()) {
    if (std::optional<fs::path> found = database_in(folder)) return found;
    if (is_there(folder / "compile_flags.txt") || folder == folder.parent_path()) return {};
  }
}

Result<void> index_outside_project(std::vector<std::string>& arguments, const fs::path& database,
                                   const fs::path& cache) {
  const fs::path folder = cache / folder_name(database);
  const fs::path target = database / commands_file;
  const fs::path link = folder / commands_file;
  const auto failed = [&](const std::error_code& error) {
    return Error{fmt::format("cannot make {}: {}", table::quoted(link.string()), error.message()),
                 "set XDG_CACHE_HOME to a folder that may be written"};
  };
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return failed(error);
  fs::permissions(folder, fs::perms::owner_all, error);  // the index tells what the sources say
  if (fs::read_symlink(link, error) != target) {
    // Renamed over the old one: another run may be reading it.
    const fs::path fresh = folder / fmt::format("{}.{}", commands_file, ::getpid());
    fs::remove(fresh, error);
    fs::create_symlink(target, fresh, error);
    if (error) return failed(error);
    fs::rename(fresh, link, error);
    if (error) return failed(error);
  }
  std::erase(arguments, "--background-index=false");
  arguments.insert(arguments.begin(), {"--background-index", "--compile-commands-dir=" + folder.string()});
  return {};
}

bool knows_open_files_only(const std::vector<std::string>& arguments, const fs::path& file) {
  return !has_background_index(arguments) ||
         (!names_compilation_database(arguments) && !compilation_database_of(file));
}

void let_clangd_search(DocumentJob& job, bool is_users_command) {
  std::vector<std::string>& arguments = job.server.arguments;
  const std::optional<fs::path> database = compilation_database_of(job.path);
  if (const fs::path cache = index_cache(); database && !is_users_command && !cache.empty()) {
    // Without a place for the index there is none, which the answer tells.
    (void)index_outside_project(arguments, *database, cache);
  }
  job.open_files_only = knows_open_files_only(arguments, job.path);
  job.server.indexes_project = !job.open_files_only;
}

}  // namespace symbols::proxy
