#include "proxy/cli/setting_flags.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <cstdint>

#include "proxy/cli/short_options.h"

namespace symbols::cli {

CLI::Option* add_warm_flag(CLI::App& app, bool& is_warm) {
  return app.add_flag(
      with_letter("--warm") + ",!--no-warm", is_warm,
      "Keep the servers running,\nso that the next calls take milliseconds (see symbols warm)");
}

void add_trust_flags(CLI::App& app, const char* trusting, bool& trust_project, std::optional<bool>& confine) {
  app.add_flag("--trust-project", trust_project, trusting);
  // Not as a value: CLI11 would set that to false where neither is given.
  app.add_flag_function(
      "--confine,!--no-confine", [&confine](std::int64_t times) { confine = times > 0; },
      "--confine: let the kernel keep servers from the network, and from writing outside of a folder of "
      "their "
      "own; --no-confine: do not (default: --confine; with --trust-project: --no-confine)");
}

void SettingFlags::add_to(CLI::App& app) {
  const auto add = [&](const char* name, const char* type, const char* help) {
    Given& given = given_.emplace_back(Given{.name = name});
    given.given = app.add_option(with_letter("--" + given.name), given.text, help)->type_name(type);
  };
  add("format", "FORMAT",
      "pretty, table, tree, outline, tsv, toon, packed, json,\n"
      "ndjson. pretty: default on a terminal; table: default elsewhere; tree: fewest tokens; ndjson: one "
      "object per row, with its path");
  add("color", "WHEN", "auto (default: on a terminal, unless $NO_COLOR is set), always, never");
  warm_ = add_warm_flag(app, is_warm_);
}

bool SettingFlags::any_but_warm() const {
  return std::ranges::any_of(given_, [](const Given& one) { return one.given->count() > 0; });
}

std::optional<bool> SettingFlags::warm() const {
  return warm_->count() > 0 ? std::optional(is_warm_) : std::nullopt;
}

Result<settings::Settings> SettingFlags::read() const {
  settings::Settings settings;
  settings.warm = warm();
  for (const Given& given : given_) {
    if (given.given->count() == 0) continue;
    const std::string flag = "--" + given.name;
    const Result<void> set =
        settings::set_setting(settings, given.name, options::OptionValue::of_text(flag, given.text));
    if (!set) return set.error();
  }
  return settings;
}

}  // namespace symbols::cli
