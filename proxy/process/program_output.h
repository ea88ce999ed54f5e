// Runs programs to their end, and returns what they write.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "proxy/process/child_process.h"

namespace symbols::process {

struct ProgramOutput {
  ExitStatus status;
  std::string output;
  std::string error_output;
};

struct ProgramLimits {
  milliseconds time;
  std::size_t bytes;  // of each stream; a program that writes more is ended
};

// Runs them side by side, with nothing on their standard inputs, and returns what each has written, in their
// order. None is left running. Errors: it cannot be run; it did not end in time; it wrote too much.
std::vector<Result<ProgramOutput>> run_programs(const std::vector<ProcessOptions>& programs,
                                                const ProgramLimits& limits);

}  // namespace symbols::process
