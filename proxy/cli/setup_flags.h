// The flags of `symbols setup`.
#pragma once

#include "base/result.h"
#include "proxy/cli/command_line.h"

namespace CLI {
class App;
}

namespace symbols::cli {

// Adds the flags to the subcommand; parsing fills `setup`, which must outlive it.
void add_setup_flags(CLI::App& app, SetupArguments& setup);

// Checks the combination of the parsed flags.
Result<void> check_setup_flags(const CLI::App& app, const SetupArguments& setup);

}  // namespace symbols::cli
