// Gives freed memory back to the system once in a while. The program keeps up to 8 MiB of it for the next
// answer (main.cc), which a session that has had a busy moment would hold for the rest of its life.
#pragma once

#include <chrono>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "proxy/relay/timers.h"

namespace symbols::session {

class FreedMemory {
 public:
  static constexpr std::chrono::seconds kept_for{30};

  // `timers` outlives it.
  explicit FreedMemory(relay::Timers& timers) : timer_(timers) {}

  // Memory is being used: it is given back `kept_for` after the first such call since the last time. An idle
  // session sets no timer.
  void used() {
    if (timer_.is_running()) return;
    timer_.start(kept_for, [] {
#ifdef __GLIBC__
      ::malloc_trim(0);
#endif
    });
  }

 private:
  relay::Timer timer_;
};

}  // namespace symbols::session
