// What the commands print: answers to standard output, lists in columns among them, and what they say beside
// them to standard error, in one form.
#pragma once

#include <filesystem>
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

// How the files of a project are called to a person: relative to the working folder where it is in the
// project or above it, and by their absolute paths from elsewhere.
class NearPaths {
 public:
  // Of the project at `root`, absolute.
  explicit NearPaths(const std::filesystem::path& root);

  // `path`: absolute.
  std::string of(const std::filesystem::path& path) const;

 private:
  std::filesystem::path here_;  // empty: elsewhere
};

}  // namespace symbols::terminal
