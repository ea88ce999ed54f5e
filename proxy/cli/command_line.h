// The parsed command line. A new command: its arguments in settings/arguments.h, its flags here and in
// command_line.cc, commands/COMMAND_command.cc, and main.cc.
#pragma once

#include <string>
#include <variant>

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

// Never throws because of user input. A wrong command line gives a Finished with status 2 that names the
// option, the value and the allowed values.
CommandLine parse_command_line(int argc, const char* const* argv);

}  // namespace symbols::cli
