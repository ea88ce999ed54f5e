// The options that a user can set for good: on the command line, in the environment and in the configuration
// file. The first of these that has one counts:
//
//   1. the flag, --format
//   2. the variable, SYMBOLS_FORMAT; empty counts as not set
//   3. the member of config.json (config_file.h), {"format": …}; null counts as not set
//
// They are about what a person sees. `symbols proxy` does not read them: what a client gets depends on what
// the client asked for. To add one: here, and in the list in settings.cc.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "proxy/cli/config_file.h"
#include "proxy/cli/terminal.h"
#include "proxy/options/option_value.h"
#include "table/formats/format.h"

namespace symbols::cli {

struct Settings {
  std::optional<table::Format> format{};
  std::optional<ColourUse> color{};
  std::optional<bool> warm{};  // servers stay between one call and the next

  // These, and those of `base` where these are absent.
  Settings over(const Settings& base) const;

  bool operator==(const Settings&) const = default;
};

// Sets the setting `name` ("format") to what a user gave. Error: names the option as the user knows it, the
// value and the allowed values.
Result<void> set_setting(Settings& settings, std::string_view name, const options::OptionValue& value);

// Those of the environment.
Result<Settings> settings_of_environment();
// Those of a configuration file. Error also: a member that is no setting.
Result<Settings> settings_of_config(const std::vector<ConfigMember>& members);

// Both, the environment over the user's configuration file.
Result<Settings> user_settings();

}  // namespace symbols::cli
