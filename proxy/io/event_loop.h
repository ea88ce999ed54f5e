// The loop of command and proxy: descriptors that become ready, delays, signals.
//
// Each message that passes is to cost what it must: one wait, one read, one write. Asio's loop adds one
// system call to each (it re-arms, or reads once more), which made the added time of a small request 0.86 to
// 0.90 of socat's, against 0.69 here (bench/relay.mjs).
#pragma once

#include <signal.h>

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/descriptor.h"
#include "proxy/io/timers.h"

namespace symbols::io {

// Single-threaded. Handlers run from run() and may call anything here.
class EventLoop final : public Timers {
 public:
  using Action = std::function<void()>;
  enum class Wanted {
    input,
    room,
    hangup,  // the other side has closed; what it wrote before may still be there
  };

  EventLoop();
  EventLoop(EventLoop&&) = delete;  // timers and writers know its address

  // Calls `ready` each time that the descriptor is found ready (level-triggered), its end and errors
  // included, until unwatch(). What cannot be waited for, such as a regular file, is always ready. Before a
  // descriptor is closed it must be unwatched.
  void watch(int descriptor, Wanted wanted, Action ready);
  void unwatch(int descriptor);

  Timer later(milliseconds delay, Action action) override;
  void cancel(Timer timer) override;
  Clock::time_point now() const override { return Clock::now(); }

  // From now on calls `handler` for each of these signals (SIGINT, …) instead of what they do. Those that
  // were ignored stay so. Once.
  void on_signals(std::vector<int> signals, std::function<void(int)> handler);
  // The signals that were blocked before on_signals(), for a child to go back to: what is blocked stays so
  // across an exec. Null where nothing was changed.
  const sigset_t* signals_before() const { return signals_before_ ? &*signals_before_ : nullptr; }

  // Until stop().
  void run();
  void stop() { stopped_ = true; }

 private:
  struct Watch {
    Action ready;
    bool pollable = true;
  };

  int run_timers();
  void run_ready(int descriptor);

  Descriptor epoll_;
  Descriptor signals_;
  std::optional<sigset_t> signals_before_;
  std::vector<std::unique_ptr<Watch>> watches_;  // by descriptor
  // Those that were ended by a handler, which may be their own.
  std::vector<std::unique_ptr<Watch>> ended_watches_;
  std::size_t always_ready_ = 0;  // watches of what cannot be waited for
  std::map<std::pair<Clock::time_point, Timer>, Action> timers_;
  Timer last_timer_ = 0;
  bool stopped_ = false;
};

}  // namespace symbols::io
