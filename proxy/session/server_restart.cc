#include "proxy/session/server_restart.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace symbols::session {

using std::chrono::milliseconds;

ServerRestart::ServerRestart(World& world, relay::Timers& timers, std::string name,
                             const RestartOptions& options)
    : world_(world), timers_(timers), name_(std::move(name)), options_(options), timer_(timers) {}

// Whether the server may be started again now; if so that counts as done. Restarts since a server has served
// the client always count: together they may take longer than the window.
bool ServerRestart::take_restart() {
  if (phase_ == Phase::serving) in_a_row_ = 0;
  while (restarts_.size() > in_a_row_ && !within_window()) restarts_.pop_front();
  if (restarts_.size() >= options_.limit.most) return false;
  restarts_.push_back(timers_.now());
  ++in_a_row_;
  return true;
}

// Before a restart: nothing for the first within the window, then half a second, doubled for each that
// follows up to eight seconds.
milliseconds ServerRestart::delay() const {
  constexpr std::size_t max_doublings = 4;
  if (restarts_.size() < 2) return milliseconds(0);
  return milliseconds(500) * (1 << std::min(restarts_.size() - 2, max_doublings));
}

// Whether all restarts that count lie within the window.
bool ServerRestart::within_window() const {
  return restarts_.empty() || timers_.now() - restarts_.front() < options_.limit.window;
}

bool ServerRestart::server_ended(const std::string& how) {
  const std::string why = killed_because_.empty() ? how : std::exchange(killed_because_, {});
  timer_.stop();
  if (!options_.enabled || phase_ == Phase::over || !world_.can_be_replaced()) return false;
  if (!take_restart()) {
    give_up(why);
    return false;
  }
  phase_ = Phase::waiting;
  world_.say(fmt::format("the server {} {}; it is started again", name_, why));
  world_.server_gone(
      fmt::format("the server {} {} and is started again; send the request once more", name_, why));
  timer_.start(delay(), [this] { start(); });
  return true;
}

void ServerRestart::start() {
  if (const Result<void> started = world_.start_server(); !started) {
    if (!server_ended("cannot be started again: " + started.error().message)) world_.end_session();
    return;
  }
  phase_ = Phase::introducing;
  timer_.start(introduction_limit, [this] {
    kill(fmt::format("did not answer initialize within {} s", introduction_limit.count()));
  });
  world_.introduce_client([this](const Result<std::size_t>& documents) { introduced(documents); });
}

void ServerRestart::introduced(const Result<std::size_t>& documents) {
  if (phase_ != Phase::introducing || !killed_because_.empty()) return;
  if (!documents) {
    kill(documents.error().message);
    return;
  }
  timer_.stop();
  phase_ = Phase::serving;
  world_.say(fmt::format("the server {} runs again, with {} open document{}", name_, *documents,
                         *documents == 1 ? "" : "s"));
  world_.client_goes_on();
  watch();
}

void ServerRestart::kill(const std::string& why) {
  timer_.stop();
  killed_because_ = why;
  world_.kill_server();
}

void ServerRestart::give_up(const std::string& how) {
  phase_ = Phase::over;
  const auto& [most, window] = options_.limit;
  const std::string when =
      within_window() ? fmt::format("within {} minute{}", window.count(), window.count() == 1 ? "" : "s")
                      : std::string("in a row");
  const std::string message =
      fmt::format("the server {} {}; it was restarted {} time{} {} and is not restarted again", name_, how,
                  most, most == 1 ? "" : "s", when);
  world_.say(message);
  world_.show_to_client(message);
}

void ServerRestart::close() {
  timer_.stop();
  phase_ = Phase::over;
}

void ServerRestart::watch() {
  if (!options_.enabled || !options_.stall_timeout) return;
  silence_ = milliseconds(0);
  look_for_stall();
}

void ServerRestart::look_for_stall() {
  const milliseconds limit = *options_.stall_timeout;
  const milliseconds step = std::clamp(limit / 8, milliseconds(10), milliseconds(1000));
  timer_.start(step, [this, limit, step, received = world_.bytes_from_server()] {
    // A request that came within the last step is not late yet, however long nothing was said before it.
    const bool silent = world_.server_owes() && received == world_.bytes_from_server();
    silence_ = silent ? silence_ + step : milliseconds(0);
    if (silence_ <= limit) return look_for_stall();
    kill(limit % 1000 == milliseconds(0) ? fmt::format("has answered nothing for {} s", limit.count() / 1000)
                                         : fmt::format("has answered nothing for {} ms", limit.count()));
  });
}

}  // namespace symbols::session
