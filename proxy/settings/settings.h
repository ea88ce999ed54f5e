// The options that can be set for good: in the environment, in a project's .symbols.json and in the user's
// config.json (configuration.h combines them; docs/configuration.md has what they mean and which counts). A
// file is one JSON object. `symbols proxy` reads none: what a client gets depends on what the client asked
// for.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "proxy/files/regular_file.h"
#include "proxy/options/option_table.h"

namespace symbols::settings {

// A setting as it was given.
struct GivenSetting {
  std::string_view name;  // of its option
  std::string value;      // JSON
  std::string place;      // "/p/.symbols.json:2:3" or "$SYMBOLS_FORMAT"
};

// The settings of one place, or of several.
struct GivenSettings {
  options::AnswerOptions options{};
  std::vector<GivenSetting> given{};
};

// In the order in which they are listed.
std::vector<const options::Option*> all_settings();

// $XDG_CONFIG_HOME/symbols/config.json, or ~/.config/symbols/config.json; empty if neither variable holds an
// absolute path.
std::filesystem::path user_config_file();

Result<GivenSettings> settings_of_environment();

// The settings in `text`, the content of `file` (its name in errors). `scope`: takers::user or
// takers::project. Errors, with line and column: not a JSON object, a member given twice or not a setting of
// this scope, or a wrong value.
Result<GivenSettings> settings_of_text(std::string_view text, const std::string& file, std::uint32_t scope);

// Reads `file`. No settings if it does not exist.
Result<GivenSettings> settings_of_file(const std::filesystem::path& file, std::uint32_t scope,
                                       files::Symlinks symlinks = files::Symlinks::follow);

// The settings of the environment over those of the user's configuration file.
Result<options::AnswerOptions> user_settings();

}  // namespace symbols::settings
