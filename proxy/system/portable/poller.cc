#include "proxy/system/poller.h"

#include <poll.h>

#include <cerrno>
#include <system_error>
#include <vector>

namespace symbols::system {

struct Poller::State {
  std::vector<pollfd> watched;
  std::vector<int> ready;
};

Poller::Poller() : state_(std::make_unique<State>()) {}

Poller::~Poller() = default;

void Poller::add(int descriptor, Wanted wanted) {
  const int events = wanted == Wanted::input ? POLLIN : wanted == Wanted::room ? POLLOUT : POLLHUP;
  state_->watched.push_back({.fd = descriptor, .events = static_cast<short>(events), .revents = 0});
}

void Poller::remove(int descriptor) {
  std::erase_if(state_->watched, [descriptor](const pollfd& one) { return one.fd == descriptor; });
}

std::span<const int> Poller::wait(int timeout) {
  State& state = *state_;
  state.ready.clear();
  const int count = ::poll(state.watched.data(), static_cast<nfds_t>(state.watched.size()), timeout);
  if (count < 0 && errno != EINTR && errno != EAGAIN)
    throw std::system_error(errno, std::system_category(), "cannot wait for what happens next");
  if (count > 0) {
    for (const pollfd& one : state.watched) {
      if (one.revents != 0) state.ready.push_back(one.fd);
    }
  }
  return state.ready;
}

}  // namespace symbols::system
