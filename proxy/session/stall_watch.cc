#include "proxy/session/stall_watch.h"

#include <algorithm>
#include <utility>

namespace symbols::session {

using std::chrono::milliseconds;

StallWatch::StallWatch(relay::Timers& timers, milliseconds limit, Server server)
    : limit_(limit),
      step_(std::clamp(limit / 8, milliseconds(10), milliseconds(1000))),
      server_(std::move(server)),
      timer_(timers) {}

void StallWatch::start() {
  silence_ = milliseconds(0);
  bytes_ = server_.bytes();
  timer_.start(step_, [this] { look(); });
}

void StallWatch::look() {
  const std::uint64_t before = std::exchange(bytes_, server_.bytes());
  // A request that came within the last step is not late yet, however long nothing was said before it.
  silence_ = server_.owes() && before == bytes_ ? silence_ + step_ : milliseconds(0);
  if (silence_ > limit_) {
    server_.on_stall();
  } else {
    timer_.start(step_, [this] { look(); });
  }
}

}  // namespace symbols::session
