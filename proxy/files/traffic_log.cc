#include "proxy/files/traffic_log.h"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <boost/algorithm/string/replace.hpp>
#include <cerrno>
#include <cstring>

#include "base/clock.h"

namespace symbols::files {

Result<TrafficLog> TrafficLog::open(const std::string& path) {
  // It has the sources of the session: for its owner alone.
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  std::FILE* file = descriptor < 0 ? nullptr : ::fdopen(descriptor, "w");
  if (file == nullptr) {
    return Error{fmt::format("cannot write the log '{}': {}", path, std::strerror(errno)),
                 "give --log a file in a folder that exists and is yours"};
  }
  return TrafficLog(file);
}

void TrafficLog::record(std::string_view label, Direction direction, std::string_view bytes) {
  const auto now = std::chrono::system_clock::now();
  const auto part = std::chrono::duration_cast<milliseconds>(now.time_since_epoch()).count() % 1000;
  const char* arrow = direction == Direction::command       ? "run"
                      : direction == Direction::to_server   ? "-->"
                      : direction == Direction::from_server ? "<--"
                                                            : "2> ";
  std::string line =
      fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z {} {} {}",
                  fmt::gmtime(std::chrono::system_clock::to_time_t(now)), part, label, arrow, bytes);
  boost::replace_all(line, "\n", "\\n");
  boost::replace_all(line, "\r", "\\r");
  line += '\n';
  std::fwrite(line.data(), 1, line.size(), file_.get());
  std::fflush(file_.get());
}

}  // namespace symbols::files
