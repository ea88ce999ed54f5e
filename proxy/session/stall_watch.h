// `--stall-timeout`: notices that a server which owes a reply says nothing at all any more.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>

#include "proxy/relay/timers.h"

namespace symbols::session {

// Looks now and then, so that what comes costs nothing. Time in which this process did not run (the machine
// slept, a debugger stopped it) counts as one step at most.
class StallWatch {
 public:
  struct Server {
    // Whether it owes a reply, and waits for nobody itself.
    std::function<bool()> owes;
    // Bytes that have come of it so far. Any is a sign of life: log lines, progress, a part of a long reply.
    std::function<std::uint64_t()> bytes;
    std::function<void()> on_stall;
  };

  // `timers` outlives it.
  StallWatch(relay::Timers& timers, std::chrono::milliseconds limit, Server server);

  // From now on, and anew where it has been started before. on_stall is called once for each start.
  void start();
  void stop() { timer_.stop(); }

 private:
  void look();

  std::chrono::milliseconds limit_;
  std::chrono::milliseconds step_;
  Server server_;
  relay::Timer timer_;
  std::chrono::milliseconds silence_{0};
  std::uint64_t bytes_ = 0;
};

}  // namespace symbols::session
