// Waiting for another run of this program that works on the same file or folder.
#pragma once

#include <sys/file.h>

#include <cerrno>
#include <chrono>
#include <thread>

namespace symbols::files {

// Locks the open file or folder for this process alone (flock); closing the descriptor unlocks it. False: it
// cannot be locked, or another has held it for `limit`.
inline bool lock_within(int descriptor, std::chrono::milliseconds limit) {
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
