// Delays and the clock that they are measured by: the event loop's, or one that a test turns.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>

namespace symbols::relay {

class Timers {
 public:
  using Clock = std::chrono::steady_clock;
  using Timer = std::uint64_t;  // 0 names none

  // Runs an action once, after a delay, and never from within the call; a delay of 0 means after what is
  // ready now.
  virtual Timer later(std::chrono::milliseconds delay, std::function<void()> action) = 0;
  // Nothing happens for one that has run, nor for 0.
  virtual void cancel(Timer timer) = 0;
  virtual Clock::time_point now() const = 0;

 protected:
  ~Timers() = default;
};

}  // namespace symbols::relay
