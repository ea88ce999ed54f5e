#include "proxy/options/configuration.h"

#include <fmt/format.h>
#include <rapidjson/error/en.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <system_error>
#include <utility>

#include "base/text.h"
#include "lsp/json/json.h"
#include "lsp/json/raw_json.h"
#include "proxy/files/project_root.h"
#include "proxy/files/source_text.h"
#include "table/escape.h"

namespace symbols::options {
namespace {

constexpr std::size_t max_file = std::size_t{1} << 20;
constexpr const char* project_file_name = ".symbols.json";

// $XDG_CONFIG_HOME/symbols/config.json, or ~/.config/symbols/config.json; empty if neither is absolute.
fs::path user_config_file() {
  const fs::path folder = files::UserFolders::from_environment().config;
  return folder.empty() ? fs::path() : folder / "symbols" / "config.json";
}

// The .symbols.json at or above `folder`, which is canonical: the nearest one, not above the repository, nor
// the user's home, nor in a folder where strangers may create files. Empty if there is none.
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

Error error_at(const std::string& place, std::string_view what) {
  return {fmt::format("{}: {}", place, what), "correct it there"};
}

Error no_such_setting(const std::string& place, std::string_view name, std::uint32_t scope) {
  if (find_option(name, takers::user) != nullptr) {
    return {fmt::format("{}: {} cannot be set by a project", place, name),
            fmt::format("set it in {}", user_config_file().string())};
  }
  const auto& [message, advice] = no_such_option("setting", name, scope);
  return {fmt::format("{}: {}", place, message), advice};
}

// Strict, unlike JsonMembers, which then finds the members' places.
Result<void> check_syntax(std::string_view text, const std::string& file) {
  rapidjson::MemoryStream stream(text.data(), text.size());
  rapidjson::BaseReaderHandler<> ignore;
  rapidjson::Reader reader;
  const rapidjson::ParseResult parsed =
      reader.Parse<rapidjson::kParseIterativeFlag | rapidjson::kParseValidateEncodingFlag>(stream, ignore);
  if (!parsed.IsError()) return {};
  std::string_view fault = rapidjson::GetParseError_En(parsed.Code());
  if (fault.ends_with('.')) fault.remove_suffix(1);
  return error_at(fmt::format("{}:{}", file, files::text_place(text, parsed.Offset())),
                  fmt::format("not JSON: {}", fault));
}

Result<GivenSettings> settings_of_environment() {
  GivenSettings settings;
  for (const Option& setting : all_options()) {
    if (!setting.is_for(takers::user)) continue;
    for (const std::string& name : {std::string(setting.details.alias), json_name(setting.name)}) {
      if (name.empty()) continue;
      std::string variable = "SYMBOLS_";
      std::ranges::transform(name, std::back_inserter(variable), upper_case);
      const char* const value = std::getenv(variable.c_str());
      if (value == nullptr || *value == '\0') continue;
      const Result<void> set =
          setting.details.to.set(settings.options, setting, OptionValue::of_text(variable, value));
      if (!set) return set.error();
      settings.given.push_back({setting.name, lsp::json_string(value), '$' + variable});
    }
  }
  return settings;
}

// No settings if the file does not exist.
Result<GivenSettings> settings_of_file(const fs::path& file, std::uint32_t scope,
                                       files::Symlinks symlinks = files::Symlinks::follow) {
  std::error_code error;
  // A directory without permission is most often another user's home.
  if (file.empty() || !fs::exists(fs::symlink_status(file, error))) return GivenSettings{};
  const Result<std::string> text = files::read_regular_file(file.string(), max_file, symlinks);
  if (!text) return text.error();
  return settings_of_text(*text, file.string(), scope);
}

fs::path folder_of_path(const std::string& path, files::Symlinks symlinks) {
  std::error_code failure;
  fs::path folder = symlinks == files::Symlinks::refuse ? files::absolute_path(path)
                    : path == "-"                       ? fs::path()
                                                        : fs::canonical(path, failure);
  if (!failure && !folder.empty()) return files::is_folder(folder) ? folder : folder.parent_path();
  return files::working_folder();
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

Result<GivenSettings> settings_of_text(std::string_view text, const std::string& file, std::uint32_t scope) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  if (const Result<void> valid = check_syntax(text, file); !valid) return valid.error();
  const auto place_of = [&](std::size_t offset) {
    return fmt::format("{}:{}", file, files::text_place(text, offset));
  };
  GivenSettings settings;
  lsp::JsonMembers json(text);
  while (json.next()) {
    const std::string_view name = json.name();
    const std::string place = place_of(json.member_offset());
    const Option* const setting = find_option(name, scope);
    if (setting == nullptr) return no_such_setting(place, name, scope);
    if (std::ranges::count(settings.given, setting->name, &GivenSetting::name) > 0)
      return error_at(place, fmt::format("{} is given twice; once is allowed", table::quoted(name)));
    const std::string value(json.value().value_or("null"));
    settings.given.push_back({setting->name, value, place});
    if (value == "null") continue;
    const Result<void> set = setting->details.to.set(
        settings.options, *setting, OptionValue::of_json(fmt::format("{}: {}", place, name), value));
    if (!set) return set.error();
  }
  if (json.state() != lsp::JsonMembers::State::end) {
    return error_at(place_of(lsp::skip_json_whitespace(text)),
                    "must be an object, such as {\"format\": \"tree\"}");
  }
  std::erase_if(settings.given, [](const GivenSetting& one) { return one.value == "null"; });
  return settings;
}

Result<AnswerOptions> user_settings() {
  const Result<GivenSettings> environment = settings_of_environment();
  if (!environment) return environment.error();
  const Result<GivenSettings> users = settings_of_file(user_config_file(), takers::user);
  if (!users) return users.error();
  return environment->options.over(users->options);
}

Result<Configuration> configuration_of(const std::string& path, files::Symlinks symlinks) {
  const fs::path folder = folder_of_path(path, symlinks);
  Configuration configuration{.user_file = user_config_file()};
  const Result<GivenSettings> environment = settings_of_environment();
  if (!environment) return environment.error();
  const Result<GivenSettings> users = settings_of_file(configuration.user_file, takers::user);
  if (!users) return users.error();
  add(configuration, *users, root_of(folder));
  if (environment->options.over(configuration.settings).project_settings.value_or(true)) {
    configuration.project_file = project_config_file(folder);
    const Result<GivenSettings> projects =
        settings_of_file(configuration.project_file, takers::project, files::Symlinks::refuse);
    if (!projects) return projects.error();
    add(configuration, *projects, configuration.project_file.parent_path());
  }
  add(configuration, *environment, root_of(folder));
  return {boost::system::in_place_value, std::move(configuration)};
}

Result<Configuration> configuration_of(const std::vector<std::string>& paths, files::Symlinks symlinks) {
  Result<Configuration> first = configuration_of(paths.empty() ? std::string(".") : paths.front(), symlinks);
  if (!first) return first;
  for (std::size_t i = 1; i < paths.size(); ++i) {
    if (!files::is_folder(paths[i])) continue;
    const Result<Configuration> other = configuration_of(paths[i], symlinks);
    if (!other) return other.error();
    first->ignored.add(other->ignored);
  }
  return first;
}

std::vector<std::string> words_of(const Configuration& configuration) {
  std::vector<std::string> words;
  for (const GivenSetting& setting : configuration.given)
    words.push_back(std::string(setting.name) + '=' + setting.value);
  return words;
}

std::function<bool(const std::string& path)> left_out_by(files::IgnoredPaths ignored) {
  if (ignored.empty()) return nullptr;
  return [ignored = std::move(ignored)](const std::string& path) { return ignored.leaves_out(path); };
}

}  // namespace symbols::options
