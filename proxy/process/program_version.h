// The versions of programs, by asking them: all at once, and within a time, as some wait for input or start
// for minutes.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace symbols::process {

struct VersionQuestion {
  std::string program;                   // absolute path
  std::vector<std::string> arguments;    // such as --version
  std::vector<std::string> environment;  // NAME=VALUE, put over ours
};

// The answers, in the questions' order, each the program's version: "19.1.7". Every program is run from `/`
// (so that no version manager's stand-in looks at the folder we are in), with nothing to read, in a process
// group of its own that is killed when `limit` has passed. Error: it could not be run, failed (with the first
// line that it wrote, to standard error rather than to its output), did not end in time, or wrote nothing
// that looks like a version.
std::vector<Result<std::string>> ask_versions(const std::vector<VersionQuestion>& questions,
                                              std::chrono::milliseconds limit);

// The first thing in `text` that looks like a version, two numbers with a dot at least: "0.16.1" of "gopls
// v0.16.1". Letters, digits and marks that belong to it stay ("0.14.0-dev.1"). Empty where there is none.
std::string version_in(std::string_view text);

}  // namespace symbols::process
