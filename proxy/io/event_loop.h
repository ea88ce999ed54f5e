// The loop of command and proxy: descriptors that become ready, delays, signals.
//
// Each message that passes is to cost what it must: one wait, one read, one write. Asio's loop adds one
// system call to each (it re-arms, or reads once more), which made the added time of a small request 0.86 to
// 0.90 of socat's, against 0.69 here (bench/relay.mjs).
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "proxy/io/timers.h"
#include "proxy/system/descriptors.h"
#include "proxy/system/poller.h"

namespace symbols::io {

// Single-threaded. Handlers run from run() and may call anything here.
class EventLoop final : public Timers {
 public:
  using Action = std::function<void()>;
  using Wanted = system::Wanted;

  EventLoop() = default;
  ~EventLoop();
  EventLoop(EventLoop&&) = delete;  // timers and writers know its address

  // Calls `ready` each time that the descriptor is found ready (level-triggered), its end and errors
  // included, until unwatch(). What cannot be waited for, such as a regular file, always has input and room.
  // Before a descriptor is closed it must be unwatched.
  void watch(int descriptor, Wanted wanted, Action ready);
  void unwatch(int descriptor);

  Timer later(milliseconds delay, Action action) override;
  void cancel(Timer timer) override;
  Clock::time_point now() const override { return Clock::now(); }

  // From now on calls `handler` for each of these signals (SIGINT, …) instead of what they do; after the
  // loop's end they do nothing. Those that were ignored stay so. One loop of a process has them, once.
  void on_signals(const std::vector<int>& signals, std::function<void(int)> handler);

  // Until stop().
  void run();
  void stop() { stopped_ = true; }

 private:
  int run_timers();
  void run_ready(int descriptor);

  system::Poller poller_;
  system::Pipe signals_;
  std::vector<std::unique_ptr<Action>> watches_;  // by descriptor
  // Those that were ended by a handler, which may be their own.
  std::vector<std::unique_ptr<Action>> ended_watches_;
  std::map<std::pair<Clock::time_point, Timer>, Action> timers_;
  Timer last_timer_ = 0;
  bool stopped_ = false;
};

}  // namespace symbols::io
