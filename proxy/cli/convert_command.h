// `symbols convert --from FORMAT --to FORMAT [--hovers FILE] [FILE]`: converts between formats, without a
// server (docs/spec.md, section 2).
#pragma once

#include "proxy/cli/command_line.h"

namespace symbols::cli {

// Prints the converted text, or the reason on standard error why there is none. Returns the exit status of
// docs/spec.md, section 8.
int run_convert(const ConvertArguments& arguments);

}  // namespace symbols::cli
