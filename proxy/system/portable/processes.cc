#include "proxy/system/processes.h"

#include <sys/wait.h>

#include <cerrno>
#include <system_error>
#include <thread>
#include <utility>

#include "proxy/system/descriptors.h"

namespace symbols::system {

// A thread waits for the child, and closes the other end of a pipe.
Descriptor end_of(pid_t child) {
  Pipe pipe;
  if (!pipe.open()) return Descriptor();
  try {
    std::thread([child, open = std::move(pipe.write)] {
      siginfo_t ended{};
      while (::waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT) != 0 && errno == EINTR) {
      }
    }).detach();
  } catch (const std::system_error& error) {
    errno = error.code().value();
    return Descriptor();
  }
  return std::move(pipe.read);
}

void end_with_parent() {}

void take_long_turns(bool) {}

}  // namespace symbols::system
