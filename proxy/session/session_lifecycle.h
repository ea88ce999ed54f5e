// How a session of a client and a server goes on and ends: what each side is sent, in which order, and the
// timeouts (docs/spec.md, sections 7 and 8; docs/proxy.md, "A server that crashes", "How it ends").
//
// With `--restart` a server that ends unasked is started again, up to a limit. With `--stall-timeout` one
// that owes a reply and sends nothing is killed, which counts as a crash. It polls, so that messages cost
// nothing; time in which this process did not run (suspended, in a debugger) counts as one step at most.
//
// A state machine without I/O: events come in, actions go out through World.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "proxy/io/timers.h"
#include "proxy/process/child_process.h"

namespace symbols::session {

struct RestartOptions {
  bool enabled = false;
  // At most so many restarts within the window, VS Code's own numbers: a server that crashes whenever it has
  // opened the project must not be started for ever.
  std::size_t max_restarts = 5;
  std::chrono::minutes window{3};
  std::optional<milliseconds> stall_timeout{};  // absent: a silent server is waited for
};

// Single-threaded.
class SessionLifecycle {
 public:
  // The session's streams, process and protocol. Nothing here calls back into SessionLifecycle from within a
  // call, except for the callback of send_shutdown().
  class World {
   public:
    virtual bool client_waits() const = 0;  // for an answer
    virtual void give_up_answers() = 0;     // drops the requests that are being answered
    // False: it is not to be sent. `done` is called at the server's answer, never from within.
    virtual bool send_shutdown(std::function<void()> done) = 0;
    virtual void send_exit() = 0;  // if it is still to be sent

    // The bytes that the server and the client have accepted so far.
    virtual std::uint64_t written_to_server() const = 0;
    virtual std::uint64_t written_to_client() const = 0;
    // Whether something is still to be written to the client, and its stream is not broken.
    virtual bool client_has_to_read() const = 0;
    virtual bool server_stream_ended() const = 0;

    virtual void close_server_input() = 0;
    virtual void stop_server(milliseconds grace) = 0;  // ChildProcess::stop()
    // Reads what the server wrote before it ended, although another process holds its output open.
    virtual void take_rest_of_output() = 0;

    // Whether another server could be sent all that the last one was sent, and the client needs one.
    virtual bool can_be_replaced() const = 0;
    // The server has ended, and another will take its place: requests that the client waits for get an error
    // with `why`, and it is not read until client_goes_on().
    virtual void server_gone(const std::string& why) = 0;
    virtual Result<void> start_server() = 0;
    // Sends the new server what the old one was sent. `done` gets the number of documents, or why the server
    // cannot be used; never from within, nor after server_gone() has been called again.
    virtual void introduce_client(std::function<void(Result<std::size_t>)> done) = 0;
    virtual void client_goes_on() = 0;
    virtual bool owes_reply() const = 0;                  // the server, and it waits for none itself
    virtual std::uint64_t bytes_from_server() const = 0;  // so far: any more is a sign of life

    // The server has ended: each request that the client waits for gets an error that says `why`.
    virtual void close_streams(const std::string& why) = 0;
    virtual void warn(const std::string& message) = 0;  // for the user
    virtual void show_to_client(const std::string& message) = 0;
    // The session is over. Called once, last.
    virtual void done(process::ExitStatus status) = 0;

   protected:
    ~World() = default;
  };

  // `name`: the server's, for messages. `world` and `timers` outlive this, and no delay runs after it.
  SessionLifecycle(World& world, io::Timers& timers, std::string name, const RestartOptions& options);

  // From now on the server is watched for a stall, if that was asked for.
  void server_started();
  void client_ended();                          // its stream
  void client_hung_up();                        // it has closed its stream while we hold back
  void client_gone();                           // it reads nothing more
  void exit_received();                         // `exit` was received
  void client_took_all() { finish_if_done(); }  // it has accepted all that was written
  void all_answered();                          // it waits for no answer any more
  // SIGTERM, SIGINT, SIGHUP. At the second one the server is killed at once.
  void stop_requested();

  // The server has closed its standard input, its output, has ended.
  void server_takes_nothing() { soon(&SessionLifecycle::lose_server); }
  void server_output_ended();
  void server_exited(process::ExitStatus status);

  // Whether another server is being started, or is sent what the last one was sent.
  bool is_away() const { return phase_ == Phase::waiting || phase_ == Phase::introducing; }

 private:
  enum class Client { open, hung_up, ended };
  // Each is followed by a later one; after `drained` comes `waiting` if another server takes the place of the
  // one that has ended, and after `introducing` comes `running`.
  enum class Phase {
    running,
    waiting,      // to start another server
    introducing,  // it was started, and is sent what the last one was sent
    closing,      // shutdown is being sent
    ending,       // it was sent exit, and its input is closed
    exited,
    drained,  // all that it wrote has been read
    closed,   // the streams
    over,
  };

  void soon(void (SessionLifecycle::*what)());
  void watch_stalled_server();
  void close_server(milliseconds patience);
  void close_server_now() { close_server(milliseconds(0)); }
  void end_server();
  void lose_server();
  void stop_server(milliseconds grace);
  void wait_for_output();
  void watch_for_stall(milliseconds waited);
  void finish();
  bool replace_server(const std::string& how);
  bool take_restart();
  bool within_window() const;
  void give_up(const std::string& how);
  void start_server();
  void introduced(const Result<std::size_t>& documents);
  void look_for_stall();
  void kill(const std::string& why);
  void finish_if_done();
  void over();

  World& world_;
  io::Timers& timers_;
  std::string name_;
  RestartOptions restart_;
  process::ExitStatus status_;
  io::Timer closing_timer_;
  io::Timer drain_timer_;
  io::Timer restart_timer_;  // of what the phase waits for; while running, of the next look for a stall
  // The number of the present server: timers of an earlier one have no effect.
  std::size_t server_ = 0;
  Client client_ = Client::open;
  Phase phase_ = Phase::running;
  bool exit_received_ = false;
  bool stop_requested_ = false;
  bool closed_server_ = false;                          // it ends because the session does
  std::deque<io::Timers::Clock::time_point> restarts_;  // those that count
  std::size_t in_a_row_ = 0;                            // the last of them, since a server has served
  std::string killed_because_;                          // empty if we have not killed it
  milliseconds silence_{0};                             // of a server that owes a reply
};

}  // namespace symbols::session
