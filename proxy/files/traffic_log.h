// --log FILE: the messages between us and the servers, with times, for bug reports.
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace symbols::files {

// A line per message: UTC time with milliseconds, the server's label, `-->` (to the server), `<--` (from it)
// or `2>` (its standard error), the bytes with line ends made visible; `run` and the command as a JSON array
// when it is started. The file is replaced.
class TrafficLog {
 public:
  enum class Direction { command, to_server, from_server, standard_error };

  // Error: the file cannot be written.
  static Result<TrafficLog> open(const std::string& path);

  void record(std::string_view label, Direction direction, std::string_view bytes);

 private:
  explicit TrafficLog(std::FILE* file) : file_(file, &std::fclose) {}
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
};

}  // namespace symbols::files
