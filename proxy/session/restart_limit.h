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

  // Whether the server may be started again now; if so that counts as done. `served`: the last one has come
  // to serve the client. Attempts since one did are never too long ago to count: all of them together may
  // take longer than the window, and the client waits meanwhile.
  bool take(Time now, bool served);
  // How long to wait before that: nothing for the first within the window, then half a second, twice as long
  // for each that follows, and at most eight seconds.
  std::chrono::milliseconds delay() const;
  // Whether those that count all lie within the window.
  bool within_window(Time now) const { return times_.empty() || now - times_.front() < values_.window; }
  const Values& values() const { return values_; }

 private:
  Values values_;
  std::deque<Time> times_;    // of those that count
  std::size_t in_a_row_ = 0;  // the last of them, since a server has served
};

}  // namespace symbols::session
