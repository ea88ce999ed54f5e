#include "proxy/engine/clangd_index.h"

#include "base/filesystem.h"
#include "base/text.h"
#include "proxy/files/regular_file.h"
#include "proxy/files/source_text.h"
#include "proxy/servers/clangd_settings.h"
#include "proxy/servers/compilation_database.h"
#include "proxy/servers/mentions.h"

namespace symbols::engine {
namespace {

constexpr std::size_t max_opened = 12;
constexpr std::size_t max_database = std::size_t{64} << 20;

bool is_c(const fs::path& path) {
  const files::Language language = files::language_of(path.native());
  return language == files::Language::c_header || language == files::Language::c_source;
}

// Whether the database names a file of this name. A source that it does not name is in no index, and one that
// it does was in it before.
bool is_in_database(const fs::path& database, const std::string& name) {
  const Result<std::string> text = files::read_regular_file(database.string(), max_database);
  return text && (text->find('/' + name + '"') != text->npos || text->find('"' + name + '"') != text->npos);
}

}  // namespace

std::optional<std::vector<std::string>> files_to_index_anew(const ServerKey& server,
                                                            const files::ProjectChanges& changes) {
  std::error_code none;
  const fs::path database = fs::canonical(servers::named_database(server.first.command.arguments), none);
  // Guessed flags may be others after each change.
  const bool is_guessed = database.parent_path().native().ends_with(servers::guessed_suffix);
  if (changes.unknown || is_guessed || changes.paths.size() > max_opened) return {};
  std::vector<std::string> opened;
  std::vector<std::string> others;
  for (const std::string& path : changes.paths) {
    const std::string name = fs::path(path).filename().string();
    if (is_among(name, "compile_commands.json compile_flags.txt .clangd .clang-tidy .gitignore")) return {};
    if (!is_c(path)) {
      others.push_back(path);
      continue;
    }
    std::error_code unknown;
    if (!fs::exists(path, unknown)) return {};
    const bool may_be_new =
        changes.new_or_gone.contains(path) && files::language_of(path) == files::Language::c_source;
    if (may_be_new && !is_in_database(database, name)) return {};
    opened.push_back(path);
  }
  // A file of no known kind may be included as well.
  if (!others.empty()) {
    const servers::Mentions users = servers::dependents(others, server.second, is_c);
    if (!users.are_all || !users.to_find.empty()) return {};
  }
  if (opened.empty()) return opened;
  servers::Mentions users = servers::dependents(opened, server.second, is_c);
  opened.insert(opened.end(), users.to_find.begin(), users.to_find.end());
  if (!users.are_all || opened.size() > max_opened) return {};
  return opened;
}

}  // namespace symbols::engine
