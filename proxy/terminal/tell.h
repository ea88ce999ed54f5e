// What the commands print: answers to standard output, what they say beside them to standard error, in one
// form.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace symbols::terminal {

// Writes an answer to standard output, all of it now. False: it could not be written.
bool print(std::string_view text);

// "symbols: MESSAGE" and a newline; nothing of the message reaches a terminal as an escape sequence.
std::string message_line(std::string_view message, bool colour);

// Writes that line, without colour.
void tell(const std::string& message);
// The same for an error. Returns `status`, for a command to end with.
int tell_error(const Error& error, int status);

}  // namespace symbols::terminal
