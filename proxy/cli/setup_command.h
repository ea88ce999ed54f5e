// `symbols setup [NAME] [--write]`: the configuration of an editor or agent harness with this machine's
// paths, printed or written (docs/setup.md).
#pragma once

#include "proxy/cli/command_line.h"

namespace symbols::cli {

// Returns the exit status: 1 if something was not written or could not be printed; 2 for an unknown name.
int run_setup(const SetupArguments& arguments);

}  // namespace symbols::cli
