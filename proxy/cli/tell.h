// What the commands say beside their answers goes to standard error, in one form.
#pragma once

#include <string>

namespace symbols::cli {

// "symbols: MESSAGE" and a newline; nothing in it reaches the terminal as an escape sequence.
void tell(const std::string& message);

}  // namespace symbols::cli
