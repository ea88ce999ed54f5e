#include "proxy/settings/configuration.h"

#include <algorithm>
#include <system_error>
#include <utility>

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

// `nearer` counts before what is there already. Its patterns start from `folder`.
void add(Configuration& configuration, const GivenSettings& nearer, const fs::path& folder) {
  for (const GivenSetting& setting : nearer.given) {
    if (setting.name != "ignore")
      std::erase_if(configuration.given, [&](const auto& one) { return one.name == setting.name; });
    configuration.given.push_back(setting);
  }
  configuration.settings = nearer.options.over(configuration.settings);
  configuration.ignored.add(folder, nearer.options.ignore.value_or(std::vector<std::string>()));
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
  Configuration configuration{.user_file = user_config_file()};
  const Result<GivenSettings> environment = settings_of_environment();
  if (!environment) return environment.error();
  const Result<GivenSettings> users = settings_of_file(configuration.user_file, options::takers::user);
  if (!users) return users.error();
  add(configuration, *users, root_of(folder));
  if (environment->options.over(configuration.settings).project_settings.value_or(true)) {
    configuration.project_file = project_config_file(folder);
    const Result<GivenSettings> projects =
        settings_of_file(configuration.project_file, options::takers::project, files::Symlinks::refuse);
    if (!projects) return projects.error();
    add(configuration, *projects, configuration.project_file.parent_path());
  }
  add(configuration, *environment, root_of(folder));
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
