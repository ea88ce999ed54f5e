// The first line of a script, "#!/usr/bin/env node", names what runs it: that tells the file's language if
// its name does not, and what a server that is a script needs.
#pragma once

#include <string_view>

namespace symbols::servers {

// The program that the "#!" line at the start of `text` names, unchanged: "/usr/bin/python3" or, through env,
// "node". Empty if there is no such line.
std::string_view interpreter_in(std::string_view text);

// Its name without folder and version: "python" of "/usr/bin/python3.11".
std::string_view interpreter_name(std::string_view interpreter);

}  // namespace symbols::servers
