// A clock that the test turns: minutes pass in no time.
#pragma once

#include <algorithm>
#include <map>
#include <utility>

#include "proxy/io/timers.h"

namespace symbols::io {

class ScriptedTimers final : public Timers {
 public:
  Timer later(std::chrono::milliseconds delay, std::function<void()> action) override {
    actions_.emplace(std::pair(now_ + delay, ++last_), std::move(action));
    return last_;
  }
  void cancel(Timer timer) override {
    const auto found =
        std::ranges::find(actions_, timer, [](const auto& entry) { return entry.first.second; });
    if (found != actions_.end()) actions_.extract(found);  // what it owns may cancel others when it goes
  }
  Clock::time_point now() const override { return now_; }

  // What is due within that time happens, each at its own time; with 0 what is to happen next.
  void pass(std::chrono::milliseconds time) {
    const Clock::time_point end = now_ + time;
    while (!actions_.empty() && actions_.begin()->first.first <= end) {
      const auto next = actions_.extract(actions_.begin());
      now_ = std::max(now_, next.key().first);
      next.mapped()();
    }
    now_ = end;
  }
  std::size_t waiting() const { return actions_.size(); }
  std::chrono::milliseconds passed() const {
    return std::chrono::duration_cast<std::chrono::milliseconds>(now_ - Clock::time_point{});
  }

 private:
  Clock::time_point now_{};
  std::map<std::pair<Clock::time_point, Timer>, std::function<void()>> actions_;
  Timer last_ = 0;
};

}  // namespace symbols::io
