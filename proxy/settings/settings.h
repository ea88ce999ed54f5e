// The options that can be set for good: in the environment, in a project's .symbols.json and in the user's
// config.json (configuration.h puts them together; docs/configuration.md has what they mean and which
// counts). `symbols proxy` reads none: what a client gets depends on what the client asked for. To add one:
// here, and in the list in settings.cc.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "proxy/options/answer_options.h"
#include "proxy/options/option_value.h"
#include "proxy/settings/config_file.h"
#include "proxy/terminal/terminal.h"
#include "table/formats/format.h"

namespace symbols::settings {

struct Settings {
  std::optional<table::Format> format{};
  std::optional<terminal::ColourUse> color{};
  std::optional<bool> confine{};  // InputOptions'
  std::optional<bool> warm{};     // servers stay between one call and the next
  // DispatchOptions' and PoolLimits' of these names: MiB, servers, MiB, seconds.
  std::optional<std::uint64_t> server_memory{};
  std::optional<std::uint64_t> warm_servers{};
  std::optional<std::uint64_t> warm_memory{};
  std::optional<std::uint64_t> warm_idle{};
  std::optional<bool> project_settings{};  // whether a project's .symbols.json is read
  options::AnswerOptions answers{};        // without the format
  std::vector<std::string> ignore{};       // patterns of gitignore(5), of one place: over() keeps its own

  // These, and those of `base` where these are absent.
  Settings over(const Settings& base) const;
};

// What may be set in a project's .symbols.json: that file is whoever's project it is.
enum class SettingScope { user, project };

struct Setting {
  std::string_view name;
  SettingScope scope;
  std::string_view otherwise;  // what holds if it is not set
  // Null: it is an option of an answer, of this name.
  Result<void> (*set)(Settings& settings, const options::OptionValue& value) = nullptr;
};

// All of them, in the order in which they are listed.
std::span<const Setting> all_settings();

// "SYMBOLS_FORMAT" of "format".
std::string variable_of(std::string_view setting);

// Sets the setting `name` ("format") to what a user gave. Error: names the option as the user knows it, the
// value and the allowed values.
Result<void> set_setting(Settings& settings, std::string_view name, const options::OptionValue& value);

// Those of the environment.
Result<Settings> settings_of_environment();
// Those of a configuration file of this scope. Error also: a member that is no setting there.
Result<Settings> settings_of_config(const std::vector<ConfigMember>& members,
                                    SettingScope scope = SettingScope::user);

// Those of the environment over those of the user's configuration file.
Result<Settings> user_settings();

}  // namespace symbols::settings
