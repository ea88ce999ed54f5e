// The help of the program and of its commands, from their definitions: `-h` has the common options and the
// first examples, and fits a screen; `--help` has everything, as have the manual pages, section 1, in the man
// macros that groff, mandoc and `man` read.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>

#include "base/result.h"

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

// manual_page.cc: the page of the program, symbols(1), or of one of its commands, symbols-find(1).
std::string manual_page(const CLI::App& command);
// Writes all of them, symbols.1, symbols-find.1 and so on, into `folder`, which is made if it is missing.
// Error: names the file that could not be written.
Result<void> write_manual_pages(const CLI::App& program, const std::filesystem::path& folder);

}  // namespace symbols::cli
