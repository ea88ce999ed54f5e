// Completion of the command line by shells. Their scripts call the hidden command `symbols __complete`, which
// completes words from the definitions of the command line, as the help does.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace symbols::cli {

// The script for `shell`: bash (4.4 or newer), zsh (5.8) or fish (3.1).
Result<std::string> completion_script(std::string_view shell);

// What the last of `words`, which is being typed, can become: a candidate a line, of options and commands with
// a tab and a description. The last line may be for the shell: `:file`, `:directory` and `:command` ask for
// its own candidates of that kind, `:list` for no space after the word.
std::string complete(const CLI::App& program, std::vector<std::string> words);

// The first line of a description, without the mark at its end that leads on to the next.
std::string first_line(std::string_view description);

}  // namespace symbols::cli
