#include "proxy/system/poller.h"

#include <sys/epoll.h>

#include <array>
#include <cerrno>
#include <system_error>
#include <vector>

#include "base/descriptor.h"

namespace symbols::system {

struct Poller::State {
  Descriptor epoll{::epoll_create1(EPOLL_CLOEXEC)};
  std::array<epoll_event, 16> events{};
  std::vector<int> always_ready;
  std::vector<int> ready;
};

Poller::Poller() : state_(std::make_unique<State>()) {
  if (!state_->epoll)
    throw std::system_error(errno, std::system_category(), "cannot make an epoll descriptor");
}

Poller::~Poller() = default;

void Poller::add(int descriptor, Wanted wanted) {
  epoll_event event{};
  event.events = wanted == Wanted::input ? EPOLLIN : wanted == Wanted::room ? EPOLLOUT : EPOLLRDHUP;
  event.data.fd = descriptor;
  if (::epoll_ctl(state_->epoll.get(), EPOLL_CTL_ADD, descriptor, &event) == 0 || wanted == Wanted::hangup)
    return;
  // EPERM: a regular file, or what is as ready as one.
  if (errno != EPERM) throw std::system_error(errno, std::system_category(), "cannot wait for a descriptor");
  state_->always_ready.push_back(descriptor);
}

void Poller::remove(int descriptor) {
  if (std::erase(state_->always_ready, descriptor) == 0)
    ::epoll_ctl(state_->epoll.get(), EPOLL_CTL_DEL, descriptor, nullptr);
}

std::span<const int> Poller::wait(int timeout) {
  State& state = *state_;
  const int count =
      ::epoll_wait(state.epoll.get(), state.events.data(), static_cast<int>(state.events.size()),
                   state.always_ready.empty() ? timeout : 0);
  if (count < 0 && errno != EINTR)
    throw std::system_error(errno, std::system_category(), "cannot wait for what happens next");
  state.ready = state.always_ready;
  for (int i = 0; i < count; ++i) state.ready.push_back(state.events[static_cast<std::size_t>(i)].data.fd);
  return state.ready;
}

}  // namespace symbols::system
