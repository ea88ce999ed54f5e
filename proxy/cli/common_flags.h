// The flags that several commands have: the options of an answer (docs/spec.md, section 4), and those about
// finding and running a document's server.
#pragma once

#include <CLI/CLI.hpp>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "proxy/options/answer_options.h"
#include "proxy/settings/arguments.h"

namespace symbols::cli {

// "1500", "1500ms", "30s", "2m"; without a unit they are milliseconds, as `timeout_ms` has them. Error: it is
// no time from a millisecond to a day.
Result<std::chrono::milliseconds> read_time(std::string_view flag, std::string_view text);

class AnswerFlags {
 public:
  // The command, which decides on the flags and their defaults.
  enum class Use { dump, proxy, context, convert, index, map, doctor };

  // Adds the flags to `app`, which this must outlive.
  void add_to(CLI::App& app, Use use);

  // The options given, once `app` has been parsed. Error: names the flag, the value and the allowed values.
  Result<options::AnswerOptions> read() const;

 private:
  struct Given {
    std::string_view option;  // its name in docs/spec.md
    const CLI::Option* given;
  };

  void add(CLI::App& app, const char* names, std::string_view option, const char* type,
           const std::string& help);
  void add_tokenizer(CLI::App& app);

  std::vector<Given> given_;
  bool hover_ = false;
  bool no_hover_ = false;
  bool kind_names_ = false;
  bool positions_ = false;
};

// All that these add is bound by address.

// --warm and --no-warm.
CLI::Option* add_warm_flag(CLI::App& app, bool& is_warm);

// --trust-project, with this description, and --confine and --no-confine.
inline constexpr const char* trust_help =
    "Let servers run code of the project: its own TypeScript, its build scripts";
void add_trust_flags(CLI::App& app, const char* trusting, bool& trust_project, std::optional<bool>& confine);

// --language, --server, --root, --log and those of add_trust_flags.
void add_server_flags(CLI::App& app, settings::DumpArguments& document);

}  // namespace symbols::cli
