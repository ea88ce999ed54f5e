// What the commands say beside their answers goes to standard error, in one form.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace symbols::terminal {

// "symbols: MESSAGE" and a newline; nothing of the message reaches a terminal as an escape sequence.
std::string message_line(std::string_view message, bool colour);

// Writes that line, without colour.
void tell(const std::string& message);
// The same for an error. Returns `status`, for a command to end with.
int tell_error(const Error& error, int status);

}  // namespace symbols::terminal
