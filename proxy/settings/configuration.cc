#include "proxy/settings/configuration.h"

#include <algorithm>
#include <cstdlib>
#include <system_error>
#include <utility>

#include "lsp/json/json.h"
#include "proxy/files/project_root.h"

namespace symbols::settings {
namespace {

namespace fs = std::filesystem;

constexpr const char* project_file_name = ".symbols.json";

fs::path folder_of_path(const std::string& path, files::Symlinks symlinks) {
  std::error_code failure;
  fs::path folder = symlinks == files::Symlinks::refuse ? files::absolute_path(path)
                    : path == "-"                       ? fs::path()
                                                        : fs::canonical(path, failure);
  if (!failure && !folder.empty()) return fs::is_directory(folder, failure) ? folder : folder.parent_path();
  return fs::current_path(failure);
}

// The folder that patterns of the user and of the environment start from.
fs::path root_of(const fs::path& folder) {
  const fs::path marked = files::find_marked_root(folder / "file", {}, files::home_folder());
  return marked.empty() ? folder : marked;
}

void give_setting(Configuration& configuration, GivenSetting setting) {
  if (setting.name != "ignore") {
    std::erase_if(configuration.given, [&](const GivenSetting& one) { return one.name == setting.name; });
  }
  configuration.given.push_back(std::move(setting));
}

Result<void> add_file(Configuration& configuration, const Result<std::vector<ConfigMember>>& members,
                      SettingScope scope, const fs::path& folder) {
  if (!members) return members.error();
  const Result<Settings> settings = settings_of_config(*members, scope);
  if (!settings) return settings.error();
  for (const Setting& info : all_settings()) {
    const auto member = std::ranges::find(*members, info.name, &ConfigMember::name);
    if (member != members->end() && member->value != "null")
      give_setting(configuration, {info.name, member->value, member->place});
  }
  configuration.settings = settings->over(configuration.settings);
  configuration.ignored.add(folder, settings->ignore);
  return {};
}

void add_environment(Configuration& configuration, const Settings& environment, const fs::path& folder) {
  for (const Setting& info : all_settings()) {
    const std::string variable = variable_of(info.name);
    const char* const value = std::getenv(variable.c_str());
    if (value != nullptr && *value != '\0')
      give_setting(configuration, {info.name, lsp::json_string(value), '$' + variable});
  }
  configuration.settings = environment.over(configuration.settings);
  configuration.ignored.add(folder, environment.ignore);
}

}  // namespace

fs::path project_config_file(const fs::path& folder) {
  const fs::path home = files::home_folder();
  std::error_code failure;
  const fs::path marked = files::find_marked_root(folder / "file", {.project = {project_file_name}}, home);
  fs::path file = marked / project_file_name;
  if (marked.empty() || !fs::exists(fs::symlink_status(file, failure))) return {};
  const fs::path repository = files::find_marked_root(folder / "file", {}, home);
  const bool is_inside = repository.empty() || files::contains(repository, marked);
  return is_inside ? file : fs::path();
}

Result<Configuration> configuration_of(const std::string& path, files::Symlinks symlinks) {
  const fs::path folder = folder_of_path(path, symlinks);
  const Result<Settings> environment = settings_of_environment();
  if (!environment) return environment.error();
  Configuration configuration{.user_file = user_config_file()};
  const Result<void> users =
      add_file(configuration, read_config(configuration.user_file), SettingScope::user, root_of(folder));
  if (!users) return users.error();
  if (environment->over(configuration.settings).project_settings.value_or(true)) {
    configuration.project_file = project_config_file(folder);
    const Result<void> projects =
        add_file(configuration, read_config(configuration.project_file, files::Symlinks::refuse),
                 SettingScope::project, configuration.project_file.parent_path());
    if (!projects) return projects.error();
  }
  add_environment(configuration, *environment, root_of(folder));
  return {boost::system::in_place_value, std::move(configuration)};
}

Result<Configuration> configuration_of(const std::vector<std::string>& paths, files::Symlinks symlinks) {
  Result<Configuration> first = configuration_of(paths.empty() ? std::string(".") : paths.front(), symlinks);
  if (!first) return first;
  std::error_code failure;
  for (std::size_t i = 1; i < paths.size(); ++i) {
    if (!fs::is_directory(paths[i], failure)) continue;
    const Result<Configuration> other = configuration_of(paths[i], symlinks);
    if (!other) return other.error();
    first->ignored.add(other->ignored);
  }
  return first;
}

std::vector<std::string> words_of(const Configuration& configuration) {
  std::vector<std::string> words;
  for (const GivenSetting& setting : configuration.given) {
    words.push_back(std::string(setting.name) + '=' + setting.value);
  }
  return words;
}

std::function<bool(const std::string& path)> left_out_by(files::IgnoredPaths ignored) {
  if (ignored.empty()) return nullptr;
  return [ignored = std::move(ignored)](const std::string& path) { return ignored.leaves_out(path); };
}

}  // namespace symbols::settings
