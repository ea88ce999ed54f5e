#include "proxy/session/session_lifecycle.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <utility>

#include "base/text.h"

namespace symbols::session {
namespace {

// A client that has closed its stream may still read: its last requests have this long.
constexpr milliseconds last_answers_limit{2000};
constexpr milliseconds shutdown_limit{2000};  // for the server's answer to shutdown
// After exit, before SIGTERM: a server may have something to finish (clangd: 7 s on a busy machine). It has
// less time if the client has not sent exit itself.
constexpr milliseconds exit_grace{10'000};
constexpr milliseconds lost_grace{3000};
// A process that even SIGKILL has not ended (it waits for a dead disk) is left to the system.
constexpr milliseconds sigkill_limit{5000};
// From SIGTERM to SIGKILL, as in ChildProcess::stop.
constexpr milliseconds sigterm_grace{2000};
// After the server's end, how long to wait for its output while another process (a grandchild) holds it open.
constexpr milliseconds drain_limit{500};
// The rest is dropped if a client reads nothing for this long.
constexpr milliseconds stalled_client_limit{10'000};
constexpr milliseconds leaving_client_limit{1000};  // after the client or a signal has ended the session
// For a new server's answer to initialize: the client waits meanwhile, and has timeouts too.
constexpr std::chrono::seconds introduction_limit{60};

}  // namespace

SessionLifecycle::SessionLifecycle(World& world, io::Timers& timers, std::string name,
                                   const RestartOptions& options)
    : world_(world),
      timers_(timers),
      name_(std::move(name)),
      restart_(options),
      closing_timer_(timers),
      drain_timer_(timers),
      restart_timer_(timers) {}

// The message that caused an event may still be on its way through the session: acts after that.
void SessionLifecycle::soon(void (SessionLifecycle::*what)()) {
  timers_.later(milliseconds(0), [this, what, server = server_] {
    // lose_server() is about the server that it was scheduled for; the others are about the session.
    if (server == server_ || what != &SessionLifecycle::lose_server) (this->*what)();
  });
}

void SessionLifecycle::client_ended() {
  client_ = Client::ended;
  close_server(world_.client_waits() ? last_answers_limit : milliseconds(0));
}

// The server does not read what the client sent before it closed its stream: the wait is limited.
void SessionLifecycle::client_hung_up() {
  if (client_ != Client::open) return;  // reported repeatedly
  client_ = Client::hung_up;
  watch_stalled_server();
}

void SessionLifecycle::watch_stalled_server() {
  timers_.later(lost_grace, [this, written = world_.written_to_server()] {
    if (client_ == Client::ended || phase_ >= Phase::exited) return;
    if (written == world_.written_to_server()) return close_server_now();
    watch_stalled_server();
  });
}

void SessionLifecycle::client_gone() {
  timers_.later(milliseconds(0), [this] {
    close_server_now();
    finish_if_done();
  });
}

void SessionLifecycle::exit_received() {
  exit_received_ = true;
  soon(&SessionLifecycle::close_server_now);
}

void SessionLifecycle::all_answered() {
  if (client_ == Client::ended) soon(&SessionLifecycle::close_server_now);
}

void SessionLifecycle::stop_requested() {
  if (std::exchange(stop_requested_, true)) return stop_server(milliseconds(0));
  close_server_now();
}

// shutdown and exit, with limits. After `patience`, or at once when called again without.
void SessionLifecycle::close_server(milliseconds patience) {
  if (phase_ >= Phase::closing) return;
  closing_timer_.stop();
  if (patience.count() > 0) return closing_timer_.start(patience, [this] { close_server_now(); });
  const bool has_server = phase_ != Phase::waiting;
  phase_ = Phase::closing;
  closed_server_ = true;
  restart_timer_.stop();
  world_.give_up_answers();
  if (!has_server) {
    timers_.later(milliseconds(0), [this] { server_exited(status_); });
    return;
  }
  if (!world_.send_shutdown([this] { soon(&SessionLifecycle::end_server); })) return end_server();
  closing_timer_.start(shutdown_limit, [this] { end_server(); });
}

void SessionLifecycle::end_server() {
  if (phase_ >= Phase::ending) return;
  phase_ = Phase::ending;
  closing_timer_.stop();
  world_.send_exit();
  world_.close_server_input();
  stop_server(exit_received_ ? exit_grace : lost_grace);
}

void SessionLifecycle::server_output_ended() {
  if (phase_ >= Phase::exited) return finish();
  lose_server();
}

// The server has closed its input or its output: closes its input, and gives it a moment to end itself.
void SessionLifecycle::lose_server() {
  if (phase_ >= Phase::closing) return;
  world_.close_server_input();
  stop_server(lost_grace);
}

void SessionLifecycle::stop_server(milliseconds grace) {
  if (phase_ >= Phase::exited) return;
  world_.stop_server(grace);
  timers_.later(grace + std::min(grace, sigterm_grace) + sigkill_limit, [this, server = server_] {
    if (phase_ >= Phase::exited || server != server_) return;
    world_.warn("the server does not end, though it was killed; it is left to the system");
    server_exited({.code = 0, .signal = SIGKILL});
  });
}

void SessionLifecycle::server_exited(process::ExitStatus status) {
  if (phase_ >= Phase::exited) return;
  phase_ = Phase::exited;
  status_ = status;
  closing_timer_.stop();
  restart_timer_.stop();
  watch_for_stall(milliseconds(0));
  if (world_.server_stream_ended()) return finish();
  wait_for_output();
}

void SessionLifecycle::wait_for_output() {
  drain_timer_.start(drain_limit, [this] {
    // A slow client still gets what the server wrote.
    if (world_.client_has_to_read()) return wait_for_output();
    world_.take_rest_of_output();
    finish();
  });
}

void SessionLifecycle::finish() {
  // Not twice for one server: taking the rest of its output may have come here already, and begun again.
  if (phase_ != Phase::exited) return;
  phase_ = Phase::drained;
  drain_timer_.stop();
  const bool may_go_on = !closed_server_ && !stop_requested_ && !exit_received_ && client_ == Client::open;
  if (may_go_on && replace_server(status_.text())) return;
  world_.close_streams(status_.text());
  phase_ = Phase::closed;
  finish_if_done();
}

// --- a server that takes the place of another

// Whether another server takes the place of the one that has ended.
bool SessionLifecycle::replace_server(const std::string& how) {
  const std::string why = killed_because_.empty() ? how : std::exchange(killed_because_, {});
  if (!restart_.enabled || !world_.can_be_replaced()) return false;
  if (!take_restart()) {
    give_up(why);
    return false;
  }
  ++server_;
  phase_ = Phase::waiting;
  world_.warn(fmt::format("the server {} {}; it is started again", name_, why));
  world_.server_gone(
      fmt::format("the server {} {} and is started again; send the request once more", name_, why));
  // Nothing for the first in the window, then half a second, doubled each time, up to eight seconds.
  constexpr std::size_t max_doublings = 4;
  const milliseconds delay = restarts_.size() < 2
                                 ? milliseconds(0)
                                 : milliseconds(500) * (1 << std::min(restarts_.size() - 2, max_doublings));
  restart_timer_.start(delay, [this] { start_server(); });
  return true;
}

// Whether the server may be started again now; if so that counts as done. Restarts since a server has served
// the client always count: together they may take longer than the window.
bool SessionLifecycle::take_restart() {
  while (restarts_.size() > in_a_row_ && !within_window()) restarts_.pop_front();
  if (restarts_.size() >= restart_.max_restarts) return false;
  restarts_.push_back(timers_.now());
  ++in_a_row_;
  return true;
}

// Whether all restarts that count lie within the window.
bool SessionLifecycle::within_window() const {
  return restarts_.empty() || timers_.now() - restarts_.front() < restart_.window;
}

void SessionLifecycle::give_up(const std::string& how) {
  restart_.enabled = false;
  const auto minutes = static_cast<std::size_t>(restart_.window.count());
  const std::string message =
      fmt::format("the server {} {}; it was restarted {} {} and is not restarted again", name_, how,
                  counted(restart_.max_restarts, "time"),
                  within_window() ? "within " + counted(minutes, "minute") : "in a row");
  world_.warn(message);
  world_.show_to_client(message);
}

void SessionLifecycle::start_server() {
  if (const Result<void> started = world_.start_server(); !started) {
    // Else the session ends as if the last one had just ended.
    if (!replace_server("cannot be started again: " + started.error().message)) server_exited(status_);
    return;
  }
  phase_ = Phase::introducing;
  restart_timer_.start(introduction_limit, [this] {
    kill(fmt::format("did not answer initialize within {} s", introduction_limit.count()));
  });
  world_.introduce_client([this](const Result<std::size_t>& documents) { introduced(documents); });
}

void SessionLifecycle::introduced(const Result<std::size_t>& documents) {
  if (phase_ != Phase::introducing || !killed_because_.empty()) return;
  if (!documents) return kill(documents.error().message);
  restart_timer_.stop();
  phase_ = Phase::running;
  in_a_row_ = 0;
  world_.warn(fmt::format("the server {} runs again, with {}", name_, counted(*documents, "open document")));
  world_.client_goes_on();
  server_started();
}

void SessionLifecycle::kill(const std::string& why) {
  restart_timer_.stop();
  killed_because_ = why;
  stop_server(milliseconds(0));
}

void SessionLifecycle::server_started() {
  silence_ = milliseconds(0);
  if (restart_.enabled && restart_.stall_timeout) look_for_stall();
}

void SessionLifecycle::look_for_stall() {
  const milliseconds limit = *restart_.stall_timeout;
  const milliseconds step = std::clamp(limit / 8, milliseconds(10), milliseconds(1000));
  restart_timer_.start(step, [this, limit, step, received = world_.bytes_from_server()] {
    // A request that came within the last step is not late yet, however long nothing was said before it.
    const bool silent = world_.owes_reply() && received == world_.bytes_from_server();
    silence_ = silent ? silence_ + step : milliseconds(0);
    if (silence_ <= limit) return look_for_stall();
    kill(limit % 1000 == milliseconds(0) ? fmt::format("has answered nothing for {} s", limit.count() / 1000)
                                         : fmt::format("has answered nothing for {} ms", limit.count()));
  });
}

// --- the end of the session

void SessionLifecycle::finish_if_done() {
  if (phase_ == Phase::closed && !world_.client_has_to_read()) over();
}

void SessionLifecycle::over() {
  phase_ = Phase::over;
  drain_timer_.stop();
  world_.done(status_);
}

// The limit of waiting for a client that does not read, once the server has ended.
void SessionLifecycle::watch_for_stall(milliseconds waited) {
  static constexpr milliseconds step{250};
  timers_.later(step, [this, waited, written = world_.written_to_client(), server = server_] {
    if (phase_ == Phase::over || server != server_) return;
    const bool stalled = world_.client_has_to_read() && written == world_.written_to_client();
    const milliseconds limit =
        stop_requested_ || client_ != Client::open ? leaving_client_limit : stalled_client_limit;
    if (!stalled) return watch_for_stall(milliseconds(0));
    if (waited + step < limit) return watch_for_stall(waited + step);
    world_.warn("the client does not read; the rest of what the server wrote is dropped");
    over();
  });
}

}  // namespace symbols::session
