// The settings (settings.h) as flags.
#pragma once

#include <deque>
#include <optional>
#include <string>

#include "base/result.h"
#include "proxy/settings/settings.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace symbols::cli {

// Adds --warm and --no-warm to a command; `is_warm` is bound by address.
CLI::Option* add_warm_flag(CLI::App& app, bool& is_warm);

// Adds --trust-project, with this description, and --confine and --no-confine; both are bound by address.
void add_trust_flags(CLI::App& app, const char* trusting, bool& trust_project, std::optional<bool>& confine);

class SettingFlags {
 public:
  // Adds the flags to `app`, which this must outlive.
  void add_to(CLI::App& app);

  // Whether any flag was given; any_but_warm(): other than --warm and --no-warm.
  bool any() const { return warm() || any_but_warm(); }
  bool any_but_warm() const;
  // What --warm or --no-warm says; none if neither was given.
  std::optional<bool> warm() const;
  // The settings given, once `app` has been parsed. Error: names the flag, the value and the allowed values.
  Result<settings::Settings> read() const;

 private:
  struct Given {
    std::string name;  // of the setting; the flag is `--` and this
    CLI::Option* given = nullptr;
    std::string text{};
  };

  std::deque<Given> given_;  // the texts are bound by address
  CLI::Option* warm_ = nullptr;
  bool is_warm_ = false;
};

}  // namespace symbols::cli
