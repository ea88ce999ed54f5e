// Delays, the clock that measures them (the event loop's or a test's), and a delay that ends with its owner.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>

#include "base/clock.h"

namespace symbols::io {

class Timers {
 public:
  using Clock = steady_clock;
  using Timer = std::uint64_t;  // 0 names none

  // Runs an action once after a delay, never within the call; a delay of 0 means after what is ready now.
  virtual Timer later(milliseconds delay, std::function<void()> action) = 0;
  // Nothing happens for one that has run, nor for 0.
  virtual void cancel(Timer timer) = 0;
  virtual Clock::time_point now() const = 0;

 protected:
  ~Timers() = default;
};

// A one-shot timer that is cancelled when it is destroyed.
class Timer {
 public:
  // `timers` outlives it.
  explicit Timer(Timers& timers) : timers_(timers) {}
  ~Timer() { stop(); }
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

  // Runs `action` after the delay, unless start(), stop() or ~Timer() comes first. It may destroy the timer.
  void start(milliseconds delay, std::function<void()> action) {
    stop();
    running_ = timers_.later(delay, [this, action = std::move(action)] {
      running_ = 0;
      action();
    });
  }
  void stop() { timers_.cancel(std::exchange(running_, 0)); }
  bool is_running() const { return running_ != 0; }

 private:
  Timers& timers_;
  Timers::Timer running_ = 0;
};

}  // namespace symbols::io
