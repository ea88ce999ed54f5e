#include "proxy/io/event_loop.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <system_error>

namespace symbols::io {
namespace {

// For the handler of signals: where it writes their numbers, and who may. A child that has not called exec
// yet has both as well.
std::atomic<int> signal_pipe = -1;
std::atomic<pid_t> signals_of = 0;
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<pid_t>::is_always_lock_free);

void tell_signal(int number) {
  const int error = errno;
  const char byte = static_cast<char>(number);
  if (::getpid() == signals_of) (void)!::write(signal_pipe, &byte, 1);  // a full one has enough of them
  errno = error;
}

}  // namespace

EventLoop::~EventLoop() {
  if (signals_.write && signal_pipe == signals_.write.get()) signal_pipe = -1;
}

void EventLoop::watch(int descriptor, Wanted wanted, Action ready) {
  poller_.add(descriptor, wanted);
  const auto index = static_cast<std::size_t>(descriptor);
  if (watches_.size() <= index) watches_.resize(index + 1);
  watches_[index] = std::make_unique<Action>(std::move(ready));
}

void EventLoop::unwatch(int descriptor) {
  const auto index = static_cast<std::size_t>(descriptor);
  if (index >= watches_.size() || !watches_[index]) return;
  poller_.remove(descriptor);
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

void EventLoop::on_signals(const std::vector<int>& signals, std::function<void(int)> handler) {
  if (!signals_.open()) throw std::system_error(errno, std::system_category(), "cannot watch for signals");
  signals_.write = Descriptor(system::Pipe::give_away(signals_.write));
  signal_pipe = signals_.write.get();
  signals_of = ::getpid();
  sigset_t handled;
  sigemptyset(&handled);
  for (const int number : signals) {
    struct sigaction action {};
    ::sigaction(number, nullptr, &action);
    if (action.sa_handler == SIG_IGN) continue;
    action = {};
    action.sa_handler = tell_signal;
    action.sa_flags = SA_RESTART;
    ::sigaction(number, &action, nullptr);
    sigaddset(&handled, number);
  }
  ::sigprocmask(SIG_UNBLOCK, &handled, nullptr);  // our parent may have started us with them blocked
  watch(signals_.read.get(), Wanted::input, [this, handler = std::move(handler)] {
    char number = 0;
    if (::read(signals_.read.get(), &number, 1) == 1) handler(number);
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
  const std::unique_ptr<Action>& ready = watches_[static_cast<std::size_t>(descriptor)];
  if (ready) (*ready)();  // else a handler before it has ended it
}

void EventLoop::run() {
  while (!stopped_) {
    const int timeout = run_timers();
    if (stopped_) break;
    for (const int descriptor : poller_.wait(timeout)) {
      if (!stopped_) run_ready(descriptor);
    }
    ended_watches_.clear();
  }
}

}  // namespace symbols::io
