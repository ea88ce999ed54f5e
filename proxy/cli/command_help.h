// The help of a command: `-h` has the common options and the first examples, and fits a screen; `--help` has
// everything.
#pragma once

#include <string>
#include <string_view>

#include "proxy/cli/command.h"

namespace symbols::cli {

enum class HelpLength { brief, full };

std::string help_text(const Command& command, HelpLength length);

// The first line of a description, without the mark at its end that leads on to the next.
std::string first_line(std::string_view description);

}  // namespace symbols::cli
