#include "proxy/files/file_lock.h"

#include <sys/file.h>

#include <cerrno>
#include <thread>

namespace symbols::files {

bool lock_within(int descriptor, std::chrono::milliseconds limit) {
  constexpr std::chrono::milliseconds step{2};
  const auto end = std::chrono::steady_clock::now() + limit;
  while (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    const bool is_held = errno == EWOULDBLOCK || errno == EINTR;
    if (!is_held || std::chrono::steady_clock::now() >= end) return false;
    std::this_thread::sleep_for(step);
  }
  return true;
}

}  // namespace symbols::files
