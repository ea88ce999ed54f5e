// Delays that end when the test says so, however long they are.
#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "proxy/io/timers.h"

namespace symbols::io {

class DelayedActions final : public Timers {
 public:
  Timer later(std::chrono::milliseconds delay, std::function<void()> action) override {
    actions_.emplace(++last_, std::pair(delay, std::move(action)));
    return last_;
  }
  // What an action owns may cancel others when it goes.
  void cancel(Timer timer) override { actions_.extract(timer); }
  Clock::time_point now() const override { return {}; }

  bool empty() const { return actions_.empty(); }
  // Of those that wait, in the order in which they came.
  std::vector<std::chrono::milliseconds> delays() const {
    std::vector<std::chrono::milliseconds> delays;
    for (const auto& [timer, entry] : actions_) delays.push_back(entry.first);
    return delays;
  }
  // Runs those that wait now, or those of them with this delay, but none that an earlier one cancels. Whether
  // there were any.
  bool run(std::optional<std::chrono::milliseconds> delay = {}) {
    bool any = false;
    const Timer newest = last_;
    for (auto next = actions_.begin(); next != actions_.end() && next->first <= newest;) {
      if (delay && next->second.first != *delay) {
        ++next;
        continue;
      }
      any = true;
      const auto due = actions_.extract(next);
      due.mapped().second();
      next = actions_.upper_bound(due.key());
    }
    return any;
  }

 private:
  std::map<Timer, std::pair<std::chrono::milliseconds, std::function<void()>>> actions_;
  Timer last_ = 0;
};

}  // namespace symbols::io
