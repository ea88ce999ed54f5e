// The help of the program and of its commands, from their definitions: `-h` has the common options and the
// first examples, and fits a screen; `--help` has everything.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace symbols::cli {

enum class HelpLength { brief, full };

// Of `command`: the program itself or one of its commands. A brief text has of each description the first
// line, of a footer the first examples and what follows them, and no option of the group `more_options`.
std::string help_text(const CLI::App& command, HelpLength length);

// Moves the options of `command` without a short name to the group `more_options`, but for a few, where they
// are more than fit a screen.
void group_options(CLI::App& command);

}  // namespace symbols::cli
