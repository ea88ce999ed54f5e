#include "proxy/settings/settings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iterator>
#include <utility>

#include "base/ascii.h"
#include "proxy/options/answer_option_values.h"
#include "proxy/options/nearest_name.h"
#include "table/escape.h"

namespace symbols::settings {
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
  constexpr std::array<std::pair<std::string_view, terminal::ColourUse>, 3> words = {
      {{"auto", terminal::ColourUse::automatic},
       {"always", terminal::ColourUse::always},
       {"never", terminal::ColourUse::never}}};
  const std::string word = value.word();
  const auto* const found =
      std::ranges::find(words, word, &std::pair<std::string_view, terminal::ColourUse>::first);
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

// One that is a whole number.
template <std::optional<std::uint64_t> Settings::*member, std::uint64_t least, std::uint64_t most>
Result<void> set_number(Settings& settings, const OptionValue& value) {
  const Result<std::uint64_t> number = value.number_within(least, most);
  if (!number) return number.error();
  settings.*member = *number;
  return {};
}

template <std::optional<bool> Settings::*member>
Result<void> set_boolean(Settings& settings, const OptionValue& value) {
  settings.*member = value.boolean();
  return settings.*member ? Result<void>() : value.error("true or false");
}

Result<void> set_ignore(Settings& settings, const OptionValue& value) {
  std::optional<std::vector<std::string>> patterns = value.list();
  if (!patterns) return value.error(R"(a list of patterns as in .gitignore, such as ["vendor/","*.min.js"])");
  settings.ignore = std::move(*patterns);
  return {};
}

constexpr std::uint64_t most_memory = std::uint64_t{1} << 20;  // MiB

constexpr std::array<Setting, 22> known = {{
    {"format", SettingScope::project, "pretty on a terminal, else table", set_format},
    {"verbosity", SettingScope::project, "full"},
    {"return_children", SettingScope::project, "yes"},
    {"include_hover", SettingScope::project, "true"},
    {"hover_chars", SettingScope::project, "200"},
    {"fields", SettingScope::project, "by verbosity"},
    {"sort_by", SettingScope::project, "the server's order"},
    {"kind_names", SettingScope::project, "false"},
    {"fold", SettingScope::project,
     "locals for pretty, and for tree and outline if minimal or signatures; else no"},
    {"ends", SettingScope::project, "long"},
    {"max_tokens", SettingScope::project, "none; 4000 for symbols map"},
    {"tokenizer", SettingScope::project, "o200k"},
    {"ignore", SettingScope::project, "none", set_ignore},
    {"color", SettingScope::user, "auto", set_color},
    {"confine", SettingScope::user, "true unless --trust-project", set_boolean<&Settings::confine>},
    {"timeout_ms", SettingScope::user, "120000 before the symbols, 30000 after"},
    {"server_memory", SettingScope::user, "1024; 2048 for symbols index",
     set_number<&Settings::server_memory, 1, most_memory>},
    {"warm", SettingScope::user, "false", set_warm},
    {"warm_servers", SettingScope::user, "4", set_number<&Settings::warm_servers, 1, 64>},
    {"warm_memory", SettingScope::user, "4096", set_number<&Settings::warm_memory, 1, most_memory>},
    {"warm_idle", SettingScope::user, "600", set_number<&Settings::warm_idle, 1, 86'400>},
    {"project_settings", SettingScope::user, "true", set_boolean<&Settings::project_settings>},
}};

// Those that may be set in a file of this scope.
std::vector<std::string_view> names_in(SettingScope scope) {
  std::vector<std::string_view> names;
  for (const Setting& setting : known) {
    if (scope == SettingScope::user || setting.scope == scope) names.push_back(setting.name);
  }
  return names;
}

Result<void> apply(const Setting& setting, Settings& settings, const OptionValue& value) {
  return setting.set == nullptr ? options::set_answer_option(settings.answers, setting.name, value)
                                : setting.set(settings, value);
}

Error no_such_setting(const ConfigMember& member, SettingScope scope, bool is_users) {
  if (is_users) {
    return {fmt::format("{}: {} cannot be set by a project", member.place, member.name),
            fmt::format("set it in {}", user_config_file().string())};
  }
  const std::vector<std::string_view> names = names_in(scope);
  const std::string_view nearest = options::nearest_name(member.name, names);
  return {fmt::format("{}: there is no setting {}{}", member.place, table::quoted(member.name),
                      nearest.empty() ? "" : fmt::format(" (did you mean {}?)", nearest)),
          fmt::format("the settings are {}", fmt::join(names, ", "))};
}

}  // namespace

Settings Settings::over(const Settings& base) const {
  return {.format = format ? format : base.format,
          .color = color ? color : base.color,
          .confine = confine ? confine : base.confine,
          .warm = warm ? warm : base.warm,
          .server_memory = server_memory ? server_memory : base.server_memory,
          .warm_servers = warm_servers ? warm_servers : base.warm_servers,
          .warm_memory = warm_memory ? warm_memory : base.warm_memory,
          .warm_idle = warm_idle ? warm_idle : base.warm_idle,
          .project_settings = project_settings ? project_settings : base.project_settings,
          .answers = answers.over(base.answers),
          .ignore = ignore};
}

std::span<const Setting> all_settings() {
  return known;
}

std::string variable_of(std::string_view setting) {
  std::string name = "SYMBOLS_";
  std::ranges::transform(setting, std::back_inserter(name), upper_case);
  return name;
}

Result<void> set_setting(Settings& settings, std::string_view name, const OptionValue& value) {
  const auto* const setting = std::ranges::find(known, name, &Setting::name);
  return apply(*setting, settings, value);
}

Result<Settings> settings_of_environment() {
  Settings settings;
  for (const Setting& setting : known) {
    const std::string variable = variable_of(setting.name);
    const char* const value = std::getenv(variable.c_str());
    if (value == nullptr || *value == '\0') continue;
    const Result<void> done = apply(setting, settings, OptionValue::of_text(variable, value));
    if (!done) return done.error();
  }
  return settings;
}

Result<Settings> settings_of_config(const std::vector<ConfigMember>& members, SettingScope scope) {
  Settings settings;
  for (const ConfigMember& member : members) {
    const auto* const setting = std::ranges::find(known, member.name, &Setting::name);
    const bool is_known = setting != known.end();
    if (!is_known || (scope == SettingScope::project && setting->scope == SettingScope::user))
      return no_such_setting(member, scope, is_known);
    if (member.value == "null") continue;
    const std::string option = fmt::format("{}: {}", member.place, member.name);
    const Result<void> done = apply(*setting, settings, OptionValue::of_json(option, member.value));
    if (!done) return done.error();
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

}  // namespace symbols::settings
