#include "proxy/io/event_loop.h"

#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>

namespace symbols::io {

EventLoop::EventLoop() : epoll_(::epoll_create1(EPOLL_CLOEXEC)) {
  if (!epoll_) throw std::system_error(errno, std::system_category(), "cannot make an epoll descriptor");
}

void EventLoop::watch(int descriptor, Wanted wanted, Action ready) {
  epoll_event event{};
  event.events = wanted == Wanted::input ? EPOLLIN : wanted == Wanted::room ? EPOLLOUT : EPOLLRDHUP;
  event.data.fd = descriptor;
  const bool pollable = ::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, descriptor, &event) == 0;
  if (!pollable && wanted == Wanted::hangup) return;  // there is no other side
  // EPERM: a regular file, or what is as ready as one.
  if (!pollable && errno != EPERM)
    throw std::system_error(errno, std::system_category(), "cannot wait for a descriptor");
  if (!pollable) ++always_ready_;
  const auto index = static_cast<std::size_t>(descriptor);
  if (watches_.size() <= index) watches_.resize(index + 1);
  watches_[index] = std::make_unique<Watch>(Watch{std::move(ready), pollable});
}

void EventLoop::unwatch(int descriptor) {
  const auto index = static_cast<std::size_t>(descriptor);
  if (index >= watches_.size() || !watches_[index]) return;
  if (watches_[index]->pollable) {
    ::epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, descriptor, nullptr);
  } else {
    --always_ready_;
  }
  ended_watches_.push_back(std::move(watches_[index]));
}

EventLoop::Timer EventLoop::later(milliseconds delay, Action action) {
  const Timer timer = ++last_timer_;
  timers_.emplace(std::pair(Clock::now() + delay, timer), std::move(action));
  return timer;
}

void EventLoop::cancel(Timer timer) {
  const auto found =
      std::ranges::find_if(timers_, [timer](const auto& one) { return one.first.second == timer; });
  if (found == timers_.end()) return;
  // Let go of at the end: what the action owns may cancel others when it goes.
  const auto action = timers_.extract(found);
}

void EventLoop::on_signals(std::vector<int> signals, std::function<void(int)> handler) {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal_number : signals) {
    struct sigaction action {};
    ::sigaction(signal_number, nullptr, &action);
    if (action.sa_handler != SIG_IGN) sigaddset(&set, signal_number);
  }
  ::sigprocmask(SIG_BLOCK, &set, &signals_before_.emplace());
  signals_ = Descriptor(::signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC));
  if (!signals_) throw std::system_error(errno, std::system_category(), "cannot watch for signals");
  watch(signals_.get(), Wanted::input, [this, handler = std::move(handler)] {
    signalfd_siginfo info{};
    while (::read(signals_.get(), &info, sizeof info) == sizeof info)
      handler(static_cast<int>(info.ssi_signo));
  });
}

// Runs those that are due; returns how long the next one has, in milliseconds, -1 for no limit.
int EventLoop::run_timers() {
  if (timers_.empty()) return -1;
  // Those that are added meanwhile wait for the next round.
  const Clock::time_point now = Clock::now();
  const Timer newest = last_timer_;
  while (!timers_.empty() && !stopped_) {
    const auto first = timers_.begin();
    if (first->first.first > now || first->first.second > newest) break;
    const Action action = std::move(first->second);
    timers_.erase(first);
    action();
  }
  if (timers_.empty()) return -1;
  const auto left = timers_.begin()->first.first - Clock::now();
  if (left.count() <= 0) return 0;
  // Rounded up: a wait that ends too early would be followed by another.
  const auto whole = std::chrono::duration_cast<milliseconds>(left).count() + 1;
  return static_cast<int>(std::min<std::int64_t>(whole, 60'000));
}

void EventLoop::run_ready(int descriptor) {
  const std::unique_ptr<Watch>& watch = watches_[static_cast<std::size_t>(descriptor)];
  if (watch) watch->ready();  // else a handler before it has ended it
}

void EventLoop::run() {
  std::array<epoll_event, 16> events{};
  while (!stopped_) {
    int timeout = run_timers();
    if (stopped_) break;
    if (always_ready_ > 0) timeout = 0;
    const int count = ::epoll_wait(epoll_.get(), events.data(), static_cast<int>(events.size()), timeout);
    if (count < 0 && errno != EINTR)
      throw std::system_error(errno, std::system_category(), "cannot wait for what happens next");
    for (int i = 0; i < count && !stopped_; ++i) run_ready(events[static_cast<std::size_t>(i)].data.fd);
    for (std::size_t i = 0; always_ready_ > 0 && i < watches_.size() && !stopped_; ++i) {
      if (watches_[i] && !watches_[i]->pollable) run_ready(static_cast<int>(i));
    }
    ended_watches_.clear();
  }
}

}  // namespace symbols::io
