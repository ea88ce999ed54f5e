#include "proxy/cli/settings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include "table/escape.h"

namespace symbols::cli {
namespace {

using options::OptionValue;

Result<void> set_format(Settings& settings, const OptionValue& value) {
  constexpr std::array others = {table::Format::ndjson, table::Format::pretty};
  const Result<table::Format> format = table::parse_format(value.option(), value.word(), others);
  if (!format) return format.error();
  settings.format = *format;
  return {};
}

Result<void> set_color(Settings& settings, const OptionValue& value) {
  constexpr std::array<std::pair<std::string_view, ColourUse>, 3> words = {
      {{"auto", ColourUse::automatic}, {"always", ColourUse::always}, {"never", ColourUse::never}}};
  const std::string word = value.word();
  const auto* const found = std::ranges::find(words, word, &std::pair<std::string_view, ColourUse>::first);
  if (found == words.end()) return value.error_of(word, "auto, always or never");
  settings.color = found->second;
  return {};
}

Result<void> set_warm(Settings& settings, const OptionValue& value) {
  const std::string word = value.word();
  if (word != "true" && word != "false" && word != "1" && word != "0")
    return value.error("true, false, 1 or 0");
  settings.warm = word == "true" || word == "1";
  return {};
}

struct Setting {
  std::string_view name;
  const char* variable;
  Result<void> (*set)(Settings& settings, const OptionValue& value);
};

constexpr std::array<Setting, 3> known = {{
    {"format", "SYMBOLS_FORMAT", set_format},
    {"color", "SYMBOLS_COLOR", set_color},
    {"warm", "SYMBOLS_WARM", set_warm},
}};

constexpr auto setting_names = [] {
  std::array<std::string_view, known.size()> names{};
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = known[i].name;
  return names;
}();

}  // namespace

Settings Settings::over(const Settings& base) const {
  return {.format = format ? format : base.format,
          .color = color ? color : base.color,
          .warm = warm ? warm : base.warm};
}

Result<void> set_setting(Settings& settings, std::string_view name, const OptionValue& value) {
  return std::ranges::find(known, name, &Setting::name)->set(settings, value);
}

Result<Settings> settings_of_environment() {
  Settings settings;
  for (const Setting& setting : known) {
    const char* const value = std::getenv(setting.variable);
    if (value == nullptr || *value == '\0') continue;
    const Result<void> set = setting.set(settings, OptionValue::of_text(setting.variable, value));
    if (!set) return set.error();
  }
  return settings;
}

Result<Settings> settings_of_config(const std::vector<ConfigMember>& members) {
  Settings settings;
  for (const ConfigMember& member : members) {
    const auto* const setting = std::ranges::find(known, member.name, &Setting::name);
    if (setting == known.end()) {
      return Error{fmt::format("{}: there is no setting {}", member.place, table::quoted(member.name)),
                   fmt::format("the settings are {}", fmt::join(setting_names, ", "))};
    }
    if (member.value == "null") continue;
    const std::string option = fmt::format("{}: {}", member.place, member.name);
    const Result<void> set = setting->set(settings, OptionValue::of_json(option, member.value));
    if (!set) return set.error();
  }
  return settings;
}

Result<Settings> user_settings() {
  const Result<Settings> environment = settings_of_environment();
  if (!environment) return environment.error();
  const Result<std::vector<ConfigMember>> members = read_config(user_config_file());
  if (!members) return members.error();
  const Result<Settings> config = settings_of_config(*members);
  if (!config) return config.error();
  return environment->over(*config);
}

}  // namespace symbols::cli
