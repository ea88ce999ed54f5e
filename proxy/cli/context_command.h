// `symbols context FILE:LINE[:COLUMN]` and `symbols context FILE NAME`.
#pragma once

#include "proxy/cli/command_line.h"

namespace symbols::cli {

// Prints everything about one symbol, as table/context_text.h describes it; returns the exit status
// (docs/spec.md, section 8). Does not return if a signal ends the run.
int run_context(const ContextArguments& arguments);

}  // namespace symbols::cli
