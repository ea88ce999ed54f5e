// The settings (settings.h) as flags.
#pragma once

#include <deque>
#include <string>

#include "base/result.h"
#include "proxy/cli/settings.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace symbols::cli {

class SettingFlags {
 public:
  // Adds the flags to `app`, which this must outlive.
  void add_to(CLI::App& app);

  // Whether any flag was given.
  bool any() const;
  // The settings given, once `app` has been parsed. Error: names the flag, the value and the allowed values.
  Result<Settings> read() const;

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
