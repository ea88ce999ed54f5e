// The words of a command line, as `--server` and compile_commands.json have them.
#pragma once

#include <rapidjson/fwd.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace symbols::servers {

// The words of a command line, by the shell's rules for quoting and no others: '…' takes everything
// literally, "…" everything except a backslash before `"` or `\`, and outside of quotes a backslash escapes
// the next character. Errors: a quote that is not closed, a backslash at the end, no word at all.
Result<std::vector<std::string>> split_command_line(std::string_view text);

// The compiler and its arguments in an entry of a compile_commands.json; empty if it has none.
std::vector<std::string> words_of_entry(const rapidjson::Value& entry);

}  // namespace symbols::servers
