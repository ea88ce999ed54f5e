// The flags of `symbols PATH…`: those of the program without a command.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "proxy/cli/common_flags.h"
#include "proxy/settings/arguments.h"

namespace symbols::cli {

class DumpFlags {
 public:
  // Adds them to `program`, which this must outlive. Its address must not change.
  void add_to(CLI::App& program);

  // Whether something was given that a command's name must not stand behind.
  bool any_but_warm() const;
  // What --warm or --no-warm says; none if neither was given.
  std::optional<bool> warm() const;
  // The paths of the command line.
  std::vector<std::string> paths() const;
  // Once `program` has been parsed, without a command. `words`: all of the command line. Reads no list of
  // paths: see with_listed_paths. Error: names the flag, the value and the allowed values.
  Result<settings::DumpArguments> read(const std::vector<std::string>& words) const;

 private:
  Result<void> read_inputs(batch::InputOptions& inputs) const;
  Result<void> read_settings(settings::Settings& settings) const;

  const CLI::App* program_ = nullptr;
  settings::DumpArguments dump_{};
  AnswerFlags answers_{};
  CLI::Option* in_input_ = nullptr;
  CLI::Option* list_ = nullptr;
  CLI::Option* shard_ = nullptr;
  CLI::Option* format_ = nullptr;
  CLI::Option* color_ = nullptr;
  CLI::Option* warm_ = nullptr;
  bool null_ = false;
  bool is_warm_ = false;
};

}  // namespace symbols::cli
