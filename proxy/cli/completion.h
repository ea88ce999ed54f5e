// Completion of the command line by shells. Their scripts call the hidden command `symbols __complete`, which
// completes words from the table of options.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace symbols::cli {

// The script for `shell`: bash (4.4 or newer), zsh (5.8) or fish (3.1).
Result<std::string> completion_script(std::string_view shell);

// The candidates for the last of `words`, which is being typed: one a line, of options and commands
// with a tab and a description. The last line may be for the shell: `:file`, `:directory` and `:command` ask
// for its own candidates of that kind, `:list` for no space after the word.
std::string complete(std::vector<std::string> words);

}  // namespace symbols::cli
