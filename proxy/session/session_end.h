// How a session between a client and a server ends: what each side is sent, in which order, and the timeouts
// (docs/spec.md, sections 7 and 8; docs/proxy.md, "How it ends").
//
// A state machine without I/O: events come in, actions go out through World.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "proxy/process/child_process.h"
#include "proxy/relay/timers.h"

namespace symbols::session {

class SessionEnd {
 public:
  // The session's streams, process and protocol. Nothing here calls back into SessionEnd from within a call,
  // except for the callback of send_shutdown().
  class World {
   public:
    virtual bool client_waits() const = 0;  // for an answer
    virtual void give_up_answers() = 0;     // drops the requests that are being answered
    // Whether shutdown, and exit, are still to be sent to the server.
    virtual bool wants_shutdown() const = 0;
    virtual bool wants_exit() const = 0;
    // `done` is called at the server's answer, never from within.
    virtual void send_shutdown(std::function<void()> done) = 0;
    virtual void send_exit() = 0;

    // The bytes that the server and the client have accepted so far.
    virtual std::uint64_t written_to_server() const = 0;
    virtual std::uint64_t written_to_client() const = 0;
    // Whether something is still to be written to the client, and its stream is not broken.
    virtual bool client_has_to_read() const = 0;
    virtual bool client_stream_ended() const = 0;
    virtual bool server_stream_ended() const = 0;

    virtual void close_server_input() = 0;
    virtual void stop_server(std::chrono::milliseconds grace) = 0;  // ChildProcess::stop()
    // Reads what the server wrote before it ended, although another process holds its output open.
    virtual void take_rest_of_output() = 0;
    // The server has ended unasked, and all that it wrote was read. Returns whether another one takes its
    // place; the session then continues as if it had just begun.
    virtual bool replace_server(process::ExitStatus status) = 0;
    // The server has ended: each request that the client waits for gets an error that says `why`.
    virtual void close_streams(const std::string& why) = 0;
    virtual void warn(const std::string& message) = 0;
    // The session is over. Called once, last.
    virtual void done(process::ExitStatus status) = 0;

   protected:
    ~World() = default;
  };

  // `world` and `timers` outlive this, and no delay runs after it.
  SessionEnd(World& world, relay::Timers& timers)
      : world_(world), timers_(timers), closing_timer_(timers), drain_timer_(timers) {}

  void client_ended();                          // its stream
  void client_hung_up();                        // it has closed its stream while we hold back
  void client_gone();                           // it reads nothing more
  void client_said_exit();                      // `exit` was received
  void client_took_all() { finish_if_done(); }  // it has accepted all that was written
  void all_answered();                          // it waits for no answer any more
  // SIGTERM, SIGINT, SIGHUP. At the second one the server is killed at once.
  void told_to_end();
  // Kills a server that answers nothing.
  void kill_server() { stop_server(std::chrono::milliseconds(0)); }

  // The server has closed its standard input, its output, has ended.
  void server_takes_nothing() { soon(&SessionEnd::lose_server); }
  void server_output_ended();
  void server_exited(process::ExitStatus status);

 private:
  enum class Client { open, hung_up, ended };
  // Each is followed by a later one, or by the first if another server takes the place of one that has ended.
  enum class Phase {
    running,
    closing,  // shutdown is being sent
    ending,   // it was sent exit, and its input is closed
    exited,
    drained,  // all that it wrote has been read
    closed,   // the streams
    over,
  };

  void soon(void (SessionEnd::*what)());
  void watch_stalled_server();
  void close_server(std::chrono::milliseconds patience);
  void close_server_now() { close_server(std::chrono::milliseconds(0)); }
  void end_server();
  void lose_server();
  void stop_server(std::chrono::milliseconds grace);
  void wait_for_output();
  void watch_for_stall(std::chrono::milliseconds waited);
  void finish();
  bool may_go_on() const;
  void begin_again();
  void finish_if_done();
  void over();

  World& world_;
  relay::Timers& timers_;
  process::ExitStatus status_;
  relay::Timer closing_timer_;
  relay::Timer drain_timer_;
  // The number of the present server: timers of an earlier one have no effect.
  std::size_t server_ = 0;
  Client client_ = Client::open;
  Phase phase_ = Phase::running;
  bool client_said_exit_ = false;
  bool told_to_end_ = false;
  bool closed_server_ = false;  // it ends because the session does
};

}  // namespace symbols::session
