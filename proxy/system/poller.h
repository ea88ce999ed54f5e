// Waits until descriptors are ready, level-triggered: by epoll on Linux, else by poll(2).
#pragma once

#include <memory>
#include <span>

namespace symbols::system {

enum class Wanted {
  input,
  room,
  hangup,  // the other side has closed; what it wrote before may still be there
};

class Poller {
 public:
  // Throws std::system_error if the system has no room for one.
  Poller();
  ~Poller();
  Poller(Poller&&) = delete;

  // A descriptor is added once, and removed before it is closed. Its end and errors make it ready as well.
  // A regular file, and anything else that cannot be waited for, is always ready and never hangs up. Throws
  // as above.
  void add(int descriptor, Wanted wanted);
  void remove(int descriptor);

  // Those that are ready within so many milliseconds, -1 for no limit. Fewer after a signal. Valid until the
  // next call. Throws as above.
  std::span<const int> wait(int timeout);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace symbols::system
