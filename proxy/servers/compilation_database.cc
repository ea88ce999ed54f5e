#include "proxy/servers/compilation_database.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/text.h"
#include "lsp/json/json_document.h"
#include "proxy/files/project_root.h"
#include "proxy/files/regular_file.h"
#include "proxy/servers/server_lookup.h"

namespace symbols::servers {
namespace {

// Real ones of clangd have some lines.
constexpr std::size_t max_settings = std::size_t{1} << 20;

// The database that a .clangd names, such as "build-debug".
struct DatabaseSetting {
  std::optional<std::string> name;
  bool is_unclear = false;
};

DatabaseSetting database_setting_in(const fs::path& settings) {
  if (!files::is_file(settings)) return {};
  constexpr std::string_view key = "CompilationDatabase";
  constexpr std::string_view marks = " \t\r\"'";
  const Result<std::string> read = files::read_regular_file(settings.string(), max_settings);
  if (!read) return {.name = {}, .is_unclear = true};
  DatabaseSetting setting;
  bool is_conditional = false;
  for (std::string_view text : split(*read, '\n')) {
    text = trim(text.substr(0, text.starts_with('#') ? 0 : text.find(" #")), marks);
    is_conditional = is_conditional || text.starts_with("If:");
    if (text.find(key) == text.npos) continue;
    text.remove_prefix(text.starts_with(key) ? key.size() : 0);
    if (text.starts_with(':')) {
      setting.name = trim(text.substr(1), marks);  // the last one counts
    } else {
      setting.is_unclear = true;
    }
  }
  setting.is_unclear = setting.is_unclear || (is_conditional && setting.name);
  return setting;
}

}  // namespace

fs::path nearest_database(const fs::path& file) {
  for (fs::path folder = file.parent_path();; folder = folder.parent_path()) {
    for (const fs::path& name :
         {fs::path(commands_file), fs::path("build") / commands_file, fs::path(flags_file)}) {
      if (files::is_file(folder / name)) return folder / name;
    }
    if (folder == folder.parent_path()) return {};
  }
}

CompilationDatabase compilation_database_of(const fs::path& file) {
  const DatabaseSetting users = database_setting_in(users_clangd_settings());
  if (users.is_unclear || users.name) return {.file = {}, .is_unclear = true};
  for (fs::path folder = file.parent_path();; folder = folder.parent_path()) {
    const DatabaseSetting named = database_setting_in(folder / ".clangd");
    if (named.is_unclear) return {.file = {}, .is_unclear = true};
    if (named.name == "None") return {};
    if (named.name && named.name != "Ancestors") {
      const fs::path database = (folder / *named.name).lexically_normal() / commands_file;
      return files::is_file(database) ? CompilationDatabase{database} : CompilationDatabase{};
    }
    if (folder == folder.parent_path()) break;
  }
  return {nearest_database(file)};
}

bool has_key(const fs::path& settings, std::string_view key) {
  if (!files::is_file(settings)) return false;
  const Result<std::string> text = files::read_regular_file(settings.string(), max_settings);
  return !text || text->find(key) != std::string::npos;
}

bool has_clangd_key(const fs::path& file, std::string_view key) {
  for (fs::path folder = file.parent_path();; folder = folder.parent_path()) {
    if (has_key(folder / ".clangd", key)) return true;
    if (folder == folder.parent_path()) return false;
  }
}

fs::path database_below(const fs::path& root) {
  constexpr std::size_t max_build_folders = 1000;
  const auto folders_in = [](const fs::path& folder, auto is_wanted) {
    std::vector<fs::path> found;
    std::error_code failure;
    for (fs::directory_iterator entry(folder, failure), end; !failure && entry != end;
         entry.increment(failure)) {
      std::error_code gone;
      if (found.size() < max_build_folders && !entry->is_symlink(gone) && entry->is_directory(gone) &&
          is_wanted(entry->path().filename().string()))
        found.push_back(entry->path());
    }
    return found;
  };
  std::vector<fs::path> folders = folders_in(root, [](const std::string& name) {
    return name.starts_with("build") || name.starts_with("out") || name.starts_with("cmake-build-");
  });
  for (int depth = 0; depth < 2; ++depth) {
    std::vector<std::pair<fs::file_time_type, fs::path>> databases;
    std::vector<fs::path> inner;
    for (const fs::path& folder : folders) {
      const fs::path database = folder / commands_file;
      std::error_code failure;
      if (files::is_file(database)) databases.emplace_back(fs::last_write_time(database, failure), database);
      std::vector<fs::path> inside = folders_in(folder, [](const std::string&) { return true; });
      inner.insert(inner.end(), inside.begin(), inside.end());
    }
    if (!databases.empty()) return std::ranges::max(databases).second;
    folders = std::move(inner);
  }
  return {};
}

bool names_compilation_database(const std::vector<std::string>& arguments) {
  return std::ranges::any_of(arguments, [](const std::string& argument) {
    return argument.starts_with("--compile-commands-dir") || argument.starts_with("-compile-commands-dir");
  });
}

std::vector<std::string> texts_in(const rapidjson::Value* list) {
  std::vector<std::string> texts;
  if (list == nullptr || !list->IsArray()) return texts;
  for (const rapidjson::Value& text : list->GetArray()) {
    if (text.IsString()) texts.push_back(lsp::text_of(text));
  }
  return texts;
}

std::vector<std::string> words_of_entry(const rapidjson::Value& entry) {
  const rapidjson::Value* const arguments = lsp::member(entry, "arguments");
  if (arguments != nullptr && arguments->IsArray()) return texts_in(arguments);
  Result<std::vector<std::string>> words = split_command_line(lsp::text_member(entry, "command"));
  return words ? std::move(*words) : std::vector<std::string>{};
}

fs::path users_clangd_settings() {
  const fs::path config = files::UserFolders::from_environment().config;
  return config.empty() ? config : config / "clangd" / "config.yaml";
}

}  // namespace symbols::servers
