// What the commands print: answers to standard output, lists in columns among them, and what they say beside
// them to standard error, in one form.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace symbols::terminal {

// Writes an answer to standard output, all of it now. False: it could not be written.
bool print(std::string_view text);

// A line for each of `rows`, at least one, which have the same number of cells (valid UTF-8): columns as wide
// as their widest cell, but for the last, with two spaces between them, and `indent` before the first.
std::string columns(const std::vector<std::vector<std::string>>& rows, std::string_view indent = {});

// "symbols: MESSAGE" and a newline; nothing of the message reaches a terminal as an escape sequence.
std::string message_line(std::string_view message, bool colour);

// Writes that line, without colour.
void tell(const std::string& message);
// The same for an error. Returns `status`, for a command to end with.
int tell_error(const Error& error, int status);

}  // namespace symbols::terminal
