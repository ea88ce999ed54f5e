#include "proxy/session/session_end.h"

#include <algorithm>
#include <csignal>
#include <utility>

namespace symbols::session {
namespace {

using std::chrono::milliseconds;

// A client that has closed its stream may still read: its last requests have this long.
constexpr milliseconds last_answers_limit{2000};
constexpr milliseconds shutdown_limit{2000};  // for the server's answer to shutdown
// After exit, before SIGTERM: a server may have something to finish (clangd: 7 s on a busy machine). It has
// less time if the client has not sent exit itself.
constexpr milliseconds exit_grace{10'000};
constexpr milliseconds lost_grace{3000};
// A process that even SIGKILL has not ended (it waits for a disk that does not respond) is left to the
// system.
constexpr milliseconds sigkill_limit{5000};
// From SIGTERM to SIGKILL, as in ChildProcess::stop.
constexpr milliseconds sigterm_grace{2000};
// After the server's end, how long to wait for its output while another process (a grandchild) holds it open.
constexpr milliseconds drain_limit{500};
// The rest is dropped if a client reads nothing for this long.
constexpr milliseconds stalled_client_limit{10'000};
constexpr milliseconds leaving_client_limit{1000};  // after the client or a signal has ended the session

}  // namespace

// The message that caused an event may still be on its way through the session: acts after that.
void SessionEnd::soon(void (SessionEnd::*what)()) {
  timers_.later(milliseconds(0), [this, what, server = server_] {
    // lose_server() is about the server that it was scheduled for; the others are about the session.
    if (server == server_ || what != &SessionEnd::lose_server) (this->*what)();
  });
}

void SessionEnd::client_ended() {
  client_ = Client::ended;
  close_server(world_.client_waits() ? last_answers_limit : milliseconds(0));
}

// The server does not read what the client sent before it closed its stream: the wait is limited.
void SessionEnd::client_hung_up() {
  if (client_ != Client::open) return;  // reported repeatedly
  client_ = Client::hung_up;
  watch_stalled_server();
}

void SessionEnd::watch_stalled_server() {
  timers_.later(lost_grace, [this, written = world_.written_to_server()] {
    if (world_.client_stream_ended() || phase_ >= Phase::exited) return;
    if (written == world_.written_to_server()) {
      close_server_now();
    } else {
      watch_stalled_server();
    }
  });
}

void SessionEnd::client_gone() {
  timers_.later(milliseconds(0), [this] {
    close_server_now();
    finish_if_done();
  });
}

void SessionEnd::client_said_exit() {
  client_said_exit_ = true;
  soon(&SessionEnd::close_server_now);
}

void SessionEnd::all_answered() {
  if (client_ == Client::ended) soon(&SessionEnd::close_server_now);
}

void SessionEnd::told_to_end() {
  if (std::exchange(told_to_end_, true)) {
    stop_server(milliseconds(0));
  } else {
    close_server_now();
  }
}

// shutdown and exit, with limits. After `patience`, or at once when called again without.
void SessionEnd::close_server(milliseconds patience) {
  if (phase_ >= Phase::closing) return;
  closing_timer_.stop();
  if (patience.count() > 0) {
    closing_timer_.start(patience, [this] { close_server_now(); });
    return;
  }
  phase_ = Phase::closing;
  closed_server_ = true;
  world_.give_up_answers();
  if (!world_.wants_shutdown()) {
    end_server();
    return;
  }
  closing_timer_.start(shutdown_limit, [this] { end_server(); });
  world_.send_shutdown([this] { soon(&SessionEnd::end_server); });
}

void SessionEnd::end_server() {
  if (phase_ >= Phase::ending) return;
  phase_ = Phase::ending;
  closing_timer_.stop();
  if (world_.wants_exit()) world_.send_exit();
  world_.close_server_input();
  stop_server(client_said_exit_ ? exit_grace : lost_grace);
}

void SessionEnd::server_output_ended() {
  if (phase_ >= Phase::exited) {
    finish();
  } else {
    lose_server();
  }
}

// The server has closed its input or its output: closes its input, and gives it a moment to end itself.
void SessionEnd::lose_server() {
  if (phase_ >= Phase::closing) return;
  world_.close_server_input();
  stop_server(lost_grace);
}

void SessionEnd::stop_server(milliseconds grace) {
  if (phase_ >= Phase::exited) return;
  world_.stop_server(grace);
  timers_.later(grace + std::min(grace, sigterm_grace) + sigkill_limit, [this, server = server_] {
    if (phase_ >= Phase::exited || server != server_) return;
    world_.warn("the server does not end, though it was killed; it is left to the system");
    server_exited({.code = 0, .signal = SIGKILL});
  });
}

void SessionEnd::server_exited(process::ExitStatus status) {
  if (phase_ >= Phase::exited) return;
  phase_ = Phase::exited;
  status_ = status;
  closing_timer_.stop();
  watch_for_stall(milliseconds(0));
  if (world_.server_stream_ended()) {
    finish();
  } else {
    wait_for_output();
  }
}

void SessionEnd::wait_for_output() {
  drain_timer_.start(drain_limit, [this] {
    if (phase_ >= Phase::drained) return;
    // A slow client still gets what the server wrote.
    if (world_.client_has_to_read()) {
      wait_for_output();
    } else {
      world_.take_rest_of_output();
      finish();
    }
  });
}

void SessionEnd::finish() {
  // Not twice for one server: taking the rest of its output may have come here already, and begun again.
  if (phase_ != Phase::exited) return;
  phase_ = Phase::drained;
  drain_timer_.stop();
  if (may_go_on() && world_.replace_server(status_)) {
    begin_again();
    return;
  }
  world_.close_streams(status_.text());
  phase_ = Phase::closed;
  finish_if_done();
}

bool SessionEnd::may_go_on() const {
  return !closed_server_ && !told_to_end_ && !client_said_exit_ && client_ == Client::open;
}

void SessionEnd::begin_again() {
  ++server_;
  closing_timer_.stop();
  phase_ = Phase::running;
}

void SessionEnd::finish_if_done() {
  if (phase_ == Phase::closed && !world_.client_has_to_read()) over();
}

void SessionEnd::over() {
  if (phase_ == Phase::over) return;
  phase_ = Phase::over;
  world_.done(status_);
}

// The limit of waiting for a client that does not read, once the server has ended.
void SessionEnd::watch_for_stall(milliseconds waited) {
  static constexpr milliseconds step{250};
  timers_.later(step, [this, waited, written = world_.written_to_client(), server = server_] {
    if (phase_ == Phase::over || server != server_) return;
    const bool stalled = world_.client_has_to_read() && written == world_.written_to_client();
    const milliseconds limit =
        told_to_end_ || client_ != Client::open ? leaving_client_limit : stalled_client_limit;
    if (!stalled) {
      watch_for_stall(milliseconds(0));
    } else if (waited + step < limit) {
      watch_for_stall(waited + step);
    } else {
      world_.warn("the client does not read; the rest of what the server wrote is dropped");
      over();
    }
  });
}

}  // namespace symbols::session
