// `symbols servers` and `symbols config`: the known language servers, the settings.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/filesystem.h"
#include "lsp/json/json.h"
#include "proxy/cli/command_line.h"
#include "proxy/files/project_root.h"
#include "proxy/options/configuration.h"
#include "proxy/servers/servers_file.h"
#include "proxy/servers/servers_list.h"
#include "table/escape.h"

namespace symbols::cli {
namespace {

// One that is not set has its default in words, and no place.
std::vector<options::GivenSetting> shown_settings(const options::Configuration& configuration) {
  std::vector<options::GivenSetting> shown;
  for (const options::Option& setting : options::all_options()) {
    if (!setting.is_for(options::takers::user)) continue;
    const std::size_t before = shown.size();
    std::ranges::copy_if(configuration.given, std::back_inserter(shown),
                         [&](const auto& given) { return given.name == setting.name; });
    if (shown.size() == before) shown.push_back({setting.name, std::string(setting.details.otherwise), {}});
  }
  return shown;
}

std::string file_line(std::string_view what, const fs::path& file) {
  if (file.empty()) return fmt::format("{}: none\n", what);
  return fmt::format("{}: {}{}\n", what, table::escaped(file.string()),
                     files::is_there(file) ? "" : " (not there)");
}

std::string settings_table(const options::Configuration& configuration) {
  std::vector<std::vector<std::string>> rows = {{"SETTING", "VALUE", "FROM"}};
  for (const options::GivenSetting& one : shown_settings(configuration))
    rows.push_back({options::json_name(one.name), table::escaped(one.value),
                    one.place.empty() ? "(default)" : table::escaped(one.place)});
  return terminal::columns(rows) + '\n' + file_line("user's file", configuration.user_file) +
         file_line("project's file", configuration.project_file);
}

std::string settings_json(const options::Configuration& configuration) {
  const auto file = [](const fs::path& path) {
    return path.empty() ? std::string("null") : lsp::json_string(path.string());
  };
  std::string text = R"({"settings":[)";
  for (const options::GivenSetting& one : shown_settings(configuration)) {
    text += fmt::format("{}{{\"name\":\"{}\",", text.ends_with('[') ? "" : ",", options::json_name(one.name));
    text += one.place.empty()
                ? fmt::format(R"("value":null,"default":{},"from":null}})", lsp::json_string(one.value))
                : fmt::format(R"("value":{},"from":{}}})", one.value, lsp::json_string(one.place));
  }
  return text + fmt::format("],\"user_file\":{},\"project_file\":{}}}\n", file(configuration.user_file),
                            file(configuration.project_file));
}

}  // namespace

Result<int> run_config(const Given& given) {
  const Result<options::Configuration> configuration = options::configuration_of(given.argument(0, "."));
  if (!configuration) return terminal::tell_error(configuration.error(), 1);
  const bool json = given.answers.format == table::Format::json;
  return terminal::print(json ? settings_json(*configuration) : settings_table(*configuration)) ? 0 : 1;
}

Result<int> run_servers(const Given& given) {
  const fs::path user_file = servers::user_servers_file();
  const Result<servers::ServerRegistry> registry = servers::ServerRegistry::load(user_file);
  if (!registry) return terminal::tell_error(registry.error(), 1);
  // Programs in the project of the current folder are not run here either.
  const fs::path here = files::working_folder();
  const fs::path root =
      here.empty() ? fs::path() : files::find_project_root(here / "file", {}, files::home_folder());
  const auto lookup = servers::LookupOptions::from_environment(root, given.has("--trust-project"));
  return terminal::print(servers::servers_list(*registry, lookup, user_file)) ? 0 : 1;
}

}  // namespace symbols::cli
