// The options that can be set for good: in the environment, in a project's .symbols.json and in the user's
// config.json; the first that has a setting counts, and patterns of `ignore` add up (docs/configuration.md).
// A file is one JSON object. `symbols proxy` reads none: what a client gets depends on what it asked for.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/filesystem.h"
#include "base/result.h"
#include "proxy/files/ignore_rules.h"
#include "proxy/files/regular_file.h"
#include "proxy/options/option_table.h"

namespace symbols::options {

// A setting as it was given.
struct GivenSetting {
  std::string_view name;  // of its option
  std::string value;      // JSON
  std::string place;      // "/p/.symbols.json:2:3" or "$SYMBOLS_FORMAT"
};

// The settings of one place.
struct GivenSettings {
  AnswerOptions options{};
  std::vector<GivenSetting> given{};
};

// The settings for an answer about a folder.
struct Configuration {
  AnswerOptions settings{};
  files::IgnoredPaths ignored{};
  std::vector<GivenSetting> given{};  // those that count
  fs::path user_file{};               // where it is, or would be; empty: not known
  fs::path project_file{};            // empty: there is none
};

// The settings in `text`, the content of `file` (its name in errors). `scope`: takers::user or
// takers::project. Errors, with line and column: not a JSON object, a member given twice or not a setting of
// this scope, or a wrong value.
Result<GivenSettings> settings_of_text(std::string_view text, const std::string& file, std::uint32_t scope);

// The settings of the environment over those of the user's configuration file.
Result<AnswerOptions> user_settings();

// For what is asked about `path`: a folder, or a file in it; if it does not exist, or is `-`, the working
// folder. With `symlinks` refused, `path` is there and has none, and where it has one by now it is not
// followed. Errors: those of the environment and of both files.
Result<Configuration> configuration_of(const std::string& path,
                                       files::Symlinks symlinks = files::Symlinks::follow);

// The configuration of the first path, with the ignored paths of the others that are folders.
Result<Configuration> configuration_of(const std::vector<std::string>& paths,
                                       files::Symlinks symlinks = files::Symlinks::follow);

// The settings that count, as NAME=VALUE.
std::vector<std::string> words_of(const Configuration& configuration);

// For a search for names (index/symbol_search.h): the files whose rows are left out. Null: none.
std::function<bool(const std::string& path)> left_out_by(files::IgnoredPaths ignored);

}  // namespace symbols::options
