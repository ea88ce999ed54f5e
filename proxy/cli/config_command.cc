#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <system_error>
#include <vector>

#include "lsp/json/json.h"
#include "lsp/unicode.h"
#include "proxy/cli/command_line.h"
#include "proxy/options/configuration.h"
#include "proxy/terminal/tell.h"
#include "table/escape.h"

namespace symbols::cli {
namespace {

namespace fs = std::filesystem;

// The default of a setting may be a sentence; longer ones do not widen the column.
constexpr std::size_t usual_value = 32;

struct ShownSetting {
  std::string name;
  std::string value;  // JSON, or words on what holds if the setting is not set
  std::string place;  // empty: not set
};

std::vector<ShownSetting> shown_settings(const options::Configuration& configuration) {
  std::vector<ShownSetting> shown;
  for (const options::Option& setting : options::all_options()) {
    if (!setting.is_for(options::takers::user)) continue;
    const std::string name = options::json_name(setting.name);
    const std::size_t before = shown.size();
    for (const options::GivenSetting& given : configuration.given) {
      if (given.name == setting.name) shown.push_back({name, given.value, given.place});
    }
    if (shown.size() == before) shown.push_back({name, std::string(setting.details.otherwise), {}});
  }
  return shown;
}

std::string padded(std::string text, std::size_t width) {
  const std::size_t length = lsp::scalar_count(text);
  return text.append(width > length ? width - length : 0, ' ') + "  ";
}

std::string file_line(std::string_view what, const fs::path& file) {
  if (file.empty()) return fmt::format("{}: none\n", what);
  std::error_code failure;
  return fmt::format("{}: {}{}\n", what, table::escaped(file.string()),
                     fs::exists(file, failure) ? "" : " (not there)");
}

std::string settings_table(const options::Configuration& configuration) {
  std::vector<ShownSetting> shown = shown_settings(configuration);
  shown.insert(shown.begin(), {"SETTING", "VALUE", "FROM"});
  std::size_t name_width = 0;
  std::size_t value_width = 0;
  for (ShownSetting& one : shown) {
    one.value = table::escaped(one.value);
    name_width = std::max(name_width, one.name.size());
    const std::size_t length = lsp::scalar_count(one.value);
    if (!one.place.empty() || length <= usual_value) value_width = std::max(value_width, length);
  }
  std::string text;
  for (const ShownSetting& one : shown) {
    const std::string place = one.place.empty() ? "(default)" : table::escaped(one.place);
    text += padded(one.name, name_width) + padded(one.value, value_width) + place + '\n';
  }
  return text + '\n' + file_line("user's file", configuration.user_file) +
         file_line("project's file", configuration.project_file);
}

std::string settings_json(const options::Configuration& configuration) {
  const auto file = [](const fs::path& path) {
    return path.empty() ? std::string("null") : lsp::json_string(path.string());
  };
  std::string text = R"({"settings":[)";
  for (const ShownSetting& one : shown_settings(configuration)) {
    text += fmt::format("{}{{\"name\":\"{}\",", text.ends_with('[') ? "" : ",", one.name);
    text += one.place.empty()
                ? fmt::format(R"("value":null,"default":{},"from":null}})", lsp::json_string(one.value))
                : fmt::format(R"("value":{},"from":{}}})", one.value, lsp::json_string(one.place));
  }
  return text + fmt::format("],\"user_file\":{},\"project_file\":{}}}\n", file(configuration.user_file),
                            file(configuration.project_file));
}

}  // namespace

Result<int> run_config(const Given& given) {
  const Result<options::Configuration> configuration = options::configuration_of(given.argument(0, "."));
  if (!configuration) return terminal::tell_error(configuration.error(), 1);
  const bool json = given.answers.format == table::Format::json;
  return terminal::print(json ? settings_json(*configuration) : settings_table(*configuration)) ? 0 : 1;
}

}  // namespace symbols::cli
