#include "proxy/cli/setting_flags.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>

namespace symbols::cli {

void SettingFlags::add_to(CLI::App& app) {
  const auto add = [&](const char* name, const char* type, const char* help) {
    Given& given = given_.emplace_back(Given{.name = name});
    given.given = app.add_option("--" + given.name, given.text, help)->type_name(type);
  };
  add("format", "FORMAT",
      "pretty (default on a terminal), table (default elsewhere), tree (fewest tokens), outline, tsv, toon, "
      "packed, json, ndjson (one object a row, with its path); $SYMBOLS_FORMAT sets another default");
  add("color", "WHEN", "auto (default: on a terminal, unless $NO_COLOR is set), always, never");
  warm_ =
      app.add_flag("--warm,!--no-warm", is_warm_,
                   "Keep the servers for the next calls, which then take milliseconds (see symbols warm); "
                   "$SYMBOLS_WARM");
}

bool SettingFlags::any() const {
  return warm_->count() > 0 ||
         std::ranges::any_of(given_, [](const Given& one) { return one.given->count() > 0; });
}

Result<Settings> SettingFlags::read() const {
  Settings settings;
  if (warm_->count() > 0) settings.warm = is_warm_;
  for (const Given& given : given_) {
    if (given.given->count() == 0) continue;
    const std::string flag = "--" + given.name;
    const Result<void> set =
        set_setting(settings, given.name, options::OptionValue::of_text(flag, given.text));
    if (!set) return set.error();
  }
  return settings;
}

}  // namespace symbols::cli
