#include "proxy/settings/settings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <rapidjson/error/en.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <system_error>

#include "base/text.h"
#include "lsp/json/json.h"
#include "lsp/json/raw_json.h"
#include "proxy/files/project_root.h"
#include "proxy/files/source_text.h"
#include "proxy/options/nearest_name.h"
#include "table/escape.h"

namespace symbols::settings {
namespace {

using options::Option;
using options::OptionValue;
namespace fs = std::filesystem;
namespace takers = options::takers;

constexpr std::size_t max_file = std::size_t{1} << 20;

Error error_at(const std::string& place, std::string_view what) {
  return {fmt::format("{}: {}", place, what), "correct it there"};
}

Error no_such_setting(const std::string& place, std::string_view name, std::uint32_t scope) {
  if (options::find_option(name, takers::user) != nullptr) {
    return {fmt::format("{}: {} cannot be set by a project", place, name),
            fmt::format("set it in {}", user_config_file().string())};
  }
  std::vector<std::string> names;
  for (const Option* const setting : all_settings()) {
    if (setting->is_for(scope)) names.push_back(options::json_name(setting->name));
  }
  const std::string_view nearest =
      options::nearest_name(name, std::vector<std::string_view>(names.begin(), names.end()));
  return {fmt::format("{}: there is no setting {}{}", place, table::quoted(name),
                      nearest.empty() ? "" : fmt::format(" (did you mean {}?)", nearest)),
          fmt::format("the settings are {}", fmt::join(names, ", "))};
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

}  // namespace

std::vector<const Option*> all_settings() {
  std::vector<const Option*> settings;
  for (const Option& option : options::all_options()) {
    if (option.is_for(takers::user)) settings.push_back(&option);
  }
  return settings;
}

fs::path user_config_file() {
  const fs::path folder = files::UserFolders::from_environment().config;
  return folder.empty() ? fs::path() : folder / "symbols" / "config.json";
}

Result<GivenSettings> settings_of_environment() {
  GivenSettings settings;
  for (const Option* const setting : all_settings()) {
    for (const std::string& name : {std::string(setting->details.alias), options::json_name(setting->name)}) {
      std::string variable = "SYMBOLS_";
      std::ranges::transform(name, std::back_inserter(variable), upper_case);
      const char* const value = std::getenv(variable.c_str());
      if (value == nullptr || *value == '\0') continue;
      const Result<void> set =
          setting->details.to.set(settings.options, *setting, OptionValue::of_text(variable, value));
      if (!set) return set.error();
      settings.given.push_back({setting->name, lsp::json_string(value), '$' + variable});
    }
  }
  return settings;
}

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
    const Option* const setting = options::find_option(name, scope);
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

Result<GivenSettings> settings_of_file(const fs::path& file, std::uint32_t scope, files::Symlinks symlinks) {
  std::error_code error;
  // A directory without permission is most often another user's home.
  if (file.empty() || !fs::exists(fs::symlink_status(file, error))) return GivenSettings{};
  const Result<std::string> text = files::read_regular_file(file.string(), max_file, symlinks);
  if (!text) return text.error();
  return settings_of_text(*text, file.string(), scope);
}

Result<options::AnswerOptions> user_settings() {
  const Result<GivenSettings> environment = settings_of_environment();
  if (!environment) return environment.error();
  const Result<GivenSettings> config = settings_of_file(user_config_file(), takers::user);
  if (!config) return config.error();
  return environment->options.over(config->options);
}

}  // namespace symbols::settings
