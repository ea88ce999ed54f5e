// A configuration file, the user's config.json or a project's .symbols.json: one JSON object whose members
// are options. What they mean is up to the caller (settings.h).
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "proxy/files/regular_file.h"

namespace symbols::settings {

struct ConfigMember {
  std::string name;
  std::string value;  // raw JSON
  std::string place;  // of the member, "/home/me/.config/symbols/config.json:2:3"
};

// $XDG_CONFIG_HOME/symbols/config.json, or ~/.config/symbols/config.json; empty if neither variable holds an
// absolute path. Reads the environment; looks at no file.
std::filesystem::path user_config_file();

// The members of `text`, the content of `file` (its name in errors), in their order. Errors: not JSON, not an
// object, a member given twice or more than 100, with line and column.
Result<std::vector<ConfigMember>> parse_config(std::string_view text, const std::string& file);

// The same for a file; no members if it does not exist. Errors also: it cannot be read, or is no file.
Result<std::vector<ConfigMember>> read_config(const std::filesystem::path& file,
                                              files::Symlinks symlinks = files::Symlinks::follow);

}  // namespace symbols::settings
