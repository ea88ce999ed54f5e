// The configuration for an answer about a folder: the environment, then the project's .symbols.json, then
// the user's config.json; the first that has a setting counts. Patterns of `ignore` add up.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "proxy/files/ignore_rules.h"
#include "proxy/files/regular_file.h"
#include "proxy/settings/settings.h"

namespace symbols::settings {

struct Configuration {
  options::AnswerOptions settings{};
  files::IgnoredPaths ignored{};
  std::vector<GivenSetting> given{};     // those that count
  std::filesystem::path user_file{};     // where it is, or would be; empty: not known
  std::filesystem::path project_file{};  // empty: there is none
};

// The .symbols.json at or above `folder`, which is canonical: the nearest one, not above the repository, nor
// the user's home, nor in a folder where strangers may create files. Empty if there is none.
std::filesystem::path project_config_file(const std::filesystem::path& folder);

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

}  // namespace symbols::settings
