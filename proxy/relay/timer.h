// A one-shot timer that is cancelled when it is destroyed.
#pragma once

#include <chrono>
#include <functional>
#include <utility>

#include "proxy/relay/timers.h"

namespace symbols::relay {

class Timer {
 public:
  // `timers` outlives it.
  explicit Timer(Timers& timers) : timers_(timers) {}
  ~Timer() { stop(); }
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

  // Runs `action` after the delay, unless start(), stop() or the destructor comes first. It may destroy the
  // timer.
  void start(std::chrono::milliseconds delay, std::function<void()> action) {
    stop();
    running_ = timers_.later(delay, [this, action = std::move(action)] {
      running_ = 0;
      action();
    });
  }
  void stop() { timers_.cancel(std::exchange(running_, 0)); }

 private:
  Timers& timers_;
  Timers::Timer running_ = 0;
};

}  // namespace symbols::relay
