// The flags of `symbols setup`.
#pragma once

#include "base/result.h"
#include "proxy/settings/arguments.h"

namespace CLI {
class App;
}

namespace symbols::cli {

// Adds the flags to the subcommand; parsing fills `setup`, which must outlive it.
void add_setup_flags(CLI::App& app, settings::SetupArguments& setup);

// Checks the combination of the parsed flags.
Result<void> check_setup_flags(const CLI::App& app, const settings::SetupArguments& setup);

}  // namespace symbols::cli
