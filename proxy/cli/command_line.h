// The parsed command line. A new command: its arguments in settings/arguments.h and here, its flags in a file
// of command.h's, listed in command_line.cc, and run() in commands/commands.h and COMMAND_command.cc.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "proxy/settings/arguments.h"

namespace symbols::cli {

// Only output is left: --help, --version, or an error.
struct Finished {
  int status = 0;
  std::string output;  // for standard output
  std::string error;   // for standard error
};

using CommandLine =
    std::variant<settings::DumpArguments, settings::ContextArguments, settings::ConvertArguments,
                 settings::ServersArguments, settings::ConfigArguments, settings::DoctorArguments,
                 settings::SetupArguments, settings::IndexArguments, settings::FindArguments,
                 settings::MapArguments, settings::McpArguments, settings::ProxyArguments,
                 settings::WarmArguments, Finished>;

// `words`: without the program's name. Never throws because of user input. A wrong command line gives a
// Finished with status 2 that names the option, the value and the allowed values.
CommandLine parse_command_line(std::vector<std::string> words);

}  // namespace symbols::cli
