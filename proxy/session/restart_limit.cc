#include "proxy/session/restart_limit.h"

#include <algorithm>

namespace symbols::session {

bool RestartLimit::take(Time now, bool served) {
  if (served) in_a_row_ = 0;
  while (times_.size() > in_a_row_ && !within_window(now)) times_.pop_front();
  if (times_.size() >= values_.most) return false;
  times_.push_back(now);
  ++in_a_row_;
  return true;
}

std::chrono::milliseconds RestartLimit::delay() const {
  constexpr std::chrono::milliseconds first{500};
  constexpr std::size_t most_doublings = 4;
  if (times_.size() < 2) return std::chrono::milliseconds(0);
  return first * (1 << std::min(times_.size() - 2, most_doublings));
}

}  // namespace symbols::session
