#include "proxy/engine/clangd_jobs.h"

#include <algorithm>
#include <string_view>

#include "proxy/files/project_root.h"
#include "proxy/servers/clangd_settings.h"
#include "proxy/servers/compilation_database.h"
#include "proxy/servers/filtered_database.h"

namespace symbols::engine {
namespace {

// clangd's own is 1,000, and what it cuts it does not tell.
void lift_limit_of_references(std::vector<std::string>& arguments) {
  const auto is_given = [](std::string_view word) { return word.find("limit-references") != word.npos; };
  if (std::ranges::none_of(arguments, is_given)) arguments.push_back("--limit-references=0");
}

// Whether a setting may have clangd leave files out of its index.
bool may_skip_files(const fs::path& file) {
  constexpr const char* key = "Background";
  return servers::has_clangd_key(file, key) || servers::has_key(servers::users_clangd_settings(), key);
}

}  // namespace

void ClangdJobs::prepare(DocumentJob& job, bool is_users) {
  ServerLaunch& server = job.server;
  if (options_.search_project) server.search = ServerLaunch::Search::of_open_files;
  if (options_.texts_are_included) server.command.arguments.emplace_back("--use-dirty-headers");
  const Database found = find_database(job, is_users);
  const fs::path& below = found.below;
  const fs::path& moved = found.moved;
  if (!moved.empty()) server.filtered_database.emplace();
  if (server.filtered_database) {
    const fs::path database = !moved.empty()   ? moved
                              : !below.empty() ? below
                                               : servers::nearest_database(job.path);
    server.filtered_database = database.string();
    job.scope.open_files_only = true;
    if (options_.search_project && !is_users && database.filename() == servers::commands_file)
      search_copy(job, database);
  } else if (options_.search_project) {
    search_project(job, is_users, found.file);
  }
  if (server.search == ServerLaunch::Search::of_index) {
    lift_limit_of_references(server.command.arguments);
    job.scope.guessed_flags = found.is_guessed;
    if (const fs::path root = guessing_root(job);
        !root.empty() && !found.is_guessed && !may_skip_files(job.path)) {
      job.find_mentions = [file = job.path, root, database = found.file](std::string_view identifier) {
        return servers::cpp_mentions(file, identifier, root, database);
      };
      job.compiled_sources = [root, database = found.file] {
        return servers::compiled_sources(root, database);
      };
    }
  }
  if (server.filtered_database && !server.filtered_database->empty()) return;
  if (!below.empty() && !servers::names_compilation_database(server.command.arguments))
    server.command.arguments.push_back("--compile-commands-dir=" + below.parent_path().string());
  servers::GuessedFlags& guessed = guessed_flags(guessing_root(job).string());
  if (job.text) guessed.set_text(job.path, job.text->text);
  job.settings = servers::clangd_settings(job.path, job.language_id, server.command.arguments,
                                          server.command.initialization_options, &guessed);
}

// With an index of the project outside of it, unless the command is the user's own.
void ClangdJobs::search_project(DocumentJob& job, bool is_users, const fs::path& database) const {
  ServerLaunch& server = job.server;
  if (!is_users && database.filename() == servers::commands_file) {
    const Result<fs::path> index =
        servers::index_outside_project(server.command.arguments, database.parent_path());
    if (index && !guessing_root(job).empty()) server.index_folder = index->string();
    if (index && server.only_writable_folders) server.only_writable_folders->push_back(index->string());
  }
  if (servers::knows_open_files_only(server.command.arguments, job.path)) {
    job.scope.open_files_only = true;
  } else {
    server.search = ServerLaunch::Search::of_index;
  }
}

// With an index of the project by the allowed flags of its files, if there is a place for it.
void ClangdJobs::search_copy(DocumentJob& job, const fs::path& database) const {
  ServerLaunch& server = job.server;
  const Result<fs::path> folder = servers::index_beside_copy(server.command.arguments, database);
  if (!folder) return;
  server.copy_folder = folder->string();
  if (!guessing_root(job).empty()) server.index_folder = server.copy_folder;
  if (server.only_writable_folders) server.only_writable_folders->push_back(server.copy_folder);
  server.search = ServerLaunch::Search::of_index;
  job.scope.open_files_only = false;
}

// Where flags and databases are looked for: not among unrelated things, of which some may be a stranger's.
fs::path ClangdJobs::guessing_root(const DocumentJob& job) const {
  return files::holds_unrelated_things(job.root, home_) ? fs::path() : fs::path(job.root);
}

ClangdJobs::Database ClangdJobs::find_database(const DocumentJob& job, bool is_users) {
  const servers::CompilationDatabase known = servers::compilation_database_of(job.path);
  Database found{.file = known.file};
  const fs::path root = guessing_root(job);
  if (is_users || root.empty() || known.is_unclear || servers::has_clangd_key(job.path, "CompileFlags") ||
      servers::names_compilation_database(job.server.command.arguments))
    return found;
  if (found.file.empty()) {
    const auto [below, is_new] = below_.try_emplace(root.string());
    if (is_new) below->second = servers::database_below(root);
    found.file = found.below = below->second;
  }
  if (found.file.empty() && options_.search_project) {
    const auto [guessed, is_new] = guessed_databases_.try_emplace(root.string());
    if (is_new) guessed->second = guessed_database(root);
    found.file = found.below = guessed->second;
    found.is_guessed = !found.file.empty();
    return found;
  }
  if (found.file.filename() != servers::commands_file) return found;
  const auto [moved, is_new] = moved_.try_emplace({found.file, root.string()});
  if (is_new) moved->second = servers::is_of_another_checkout(found.file, root);
  if (moved->second) found.moved = found.file;
  return found;
}

fs::path ClangdJobs::guessed_database(const fs::path& root) {
  const std::string commands = guessed_flags(root.string()).database();
  if (commands.empty()) return {};
  const Result<fs::path> written = servers::write_guessed_database(commands, root);
  return written ? *written : fs::path();
}

servers::GuessedFlags& ClangdJobs::guessed_flags(const std::string& root) {
  servers::GuessedFlags* const kept = kept_flags_ ? kept_flags_(root) : nullptr;
  return kept != nullptr ? *kept : guessed_flags_.try_emplace(root, root).first->second;
}

}  // namespace symbols::engine
