// The manual pages, section 1, from the definitions of the command line: what --help tells, in the man macros
// that groff, mandoc and `man` read.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>

#include "base/result.h"

namespace symbols::cli {

// Of `command`: the program itself, symbols(1), or one of its commands, symbols-find(1).
std::string manual_page(const CLI::App& command);

// Writes all of them, symbols.1, symbols-find.1 and so on, into `folder`, which is made if it is missing.
// Error: names the file that could not be written.
Result<void> write_manual_pages(const CLI::App& program, const std::filesystem::path& folder);

}  // namespace symbols::cli
