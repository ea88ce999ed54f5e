// What the commands say beside their answers goes to standard error, in one form.
#pragma once

#include <string>
#include <string_view>

namespace symbols::cli {

// "symbols: MESSAGE" and a newline; nothing of the message reaches a terminal as an escape sequence.
std::string message_line(std::string_view message, bool colour);

// Writes that line, without colour.
void tell(const std::string& message);

}  // namespace symbols::cli
