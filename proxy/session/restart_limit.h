// How often a server that ends by itself is started again, and how long is waited before: one that crashes
// whenever it has opened the project is not to be started for ever.
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>

namespace symbols::session {

class RestartLimit {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // At most `most` restarts within `window`. Those are VS Code's own numbers.
  struct Values {
    std::size_t most = 5;
    std::chrono::minutes window{3};
  };

  explicit RestartLimit(Values values) : values_(values) {}

  // Whether the server may be started again now; if so that counts as done.
  bool take(Time now);
  // How long to wait before that: nothing for the first within the window, then half a second, twice as long
  // for each that follows, and at most eight seconds.
  std::chrono::milliseconds delay() const;
  // Restarts within the window.
  std::size_t count() const { return times_.size(); }
  const Values& values() const { return values_; }

 private:
  Values values_;
  std::deque<Time> times_;  // within the window
};

}  // namespace symbols::session
