// The commands of the program: each adds itself to the command line, and reads what it was given there. An
// option has the same letter in every command that has it.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "proxy/cli/command_line.h"

namespace symbols::cli {

struct Command {
  CLI::App* app;
  // Once the command line, `words`, has been parsed and names this command. Error: names the flag, the value
  // and the allowed values.
  std::function<Result<CommandLine>(const std::vector<std::string>& words)> read;
};

// context_flags.cc, convert_flags.cc
Command add_context(CLI::App& program);
Command add_convert(CLI::App& program);
// client_flags.cc: what a client starts, and its configuration
Command add_proxy(CLI::App& program);
Command add_mcp(CLI::App& program);
Command add_setup(CLI::App& program);
// index_flags.cc: what makes or reads the index
Command add_index(CLI::App& program);
Command add_find(CLI::App& program);
Command add_map(CLI::App& program);
// status_flags.cc: what is set up, and how it stands
Command add_servers(CLI::App& program);
Command add_config(CLI::App& program);
Command add_doctor(CLI::App& program);
Command add_warm(CLI::App& program);
// shell_commands.cc
Command add_completions(CLI::App& program);

}  // namespace symbols::cli
