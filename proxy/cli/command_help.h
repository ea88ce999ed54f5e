// The help of the program and of its commands, from their definitions: `-h` has the common options and the
// first examples, and fits a screen; `--help` has everything.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace symbols::cli {

enum class HelpLength { brief, full };

// The group of the commands that only the full help lists.
inline constexpr const char* more_commands = "More commands";

// Of `command`: the program itself or one of its commands. A brief text has of each description the first
// line, of a footer the first examples and what follows them, and no option of the group `more_options`.
std::string help_text(const CLI::App& command, HelpLength length);

// The ways to call `command`, one a line: "symbols find QUERY [OPTIONS]".
std::string usage_lines(const CLI::App& command);

// Moves the options of `command` without a short name to the group `more_options`, but for a few, where they
// are more than fit a screen.
void group_options(CLI::App& command);

}  // namespace symbols::cli
