// How a session between a client and a server ends: which side hears what, in which order, and how long each
// is waited for (docs/spec.md, sections 7 and 8; docs/proxy.md, "How it ends").
//
// A state machine without I/O: what happens comes in as events, what is to be done goes out through World.
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
  // The streams, the process and the protocol, as the session has them. Nothing here calls back into
  // SessionEnd from within a call, but what is handed to `shutdown`, and done() which is the
  // last.
  class World {
   public:
    // Whether an answer is being made that the client waits for.
    virtual bool client_waits() const = 0;
    // Those get an error; nothing of the client's is waited for any more.
    virtual void give_up_answers() = 0;
    // Whether the server is still to be sent shutdown; exit.
    virtual bool wants_shutdown() const = 0;
    virtual bool wants_exit() const = 0;
    // `done` is called at the server's answer, never from within.
    virtual void send_shutdown(std::function<void()> done) = 0;
    virtual void send_exit() = 0;

    // What the server was sent so far, in bytes, and what the client has taken.
    virtual std::uint64_t written_to_server() const = 0;
    virtual std::uint64_t written_to_client() const = 0;
    // Whether something is still to be written to the client, who may take it.
    virtual bool client_has_to_read() const = 0;
    // Whether nothing more comes of the client; of the server.
    virtual bool client_stream_ended() const = 0;
    virtual bool server_stream_ended() const = 0;

    virtual void close_server_input() = 0;
    // ChildProcess::stop().
    virtual void stop_server(std::chrono::milliseconds grace) = 0;
    // Takes what the server wrote before it ended, though somebody else holds its output open.
    virtual void take_rest_of_output() = 0;
    // The server has ended, though neither the client nor a signal has asked for an end, and all that it
    // wrote was read. True: another one takes its place, and the session goes on as if it had just begun.
    virtual bool replace_server(process::ExitStatus status) = 0;
    // No more comes of the server: what the client waits for gets an error that says `why`.
    virtual void close_streams(const std::string& why) = 0;
    virtual void warn(const std::string& message) = 0;
    // The session is over. Called once.
    virtual void done(process::ExitStatus status) = 0;

   protected:
    ~World() = default;
  };

  // `world` and `timers` outlive this, and no delay runs after it.
  SessionEnd(World& world, relay::Timers& timers)
      : world_(world), timers_(timers), closing_timer_(timers), drain_timer_(timers) {}

  // The client: its stream has ended; its end is closed while the server does not take what it sent before;
  // it takes nothing more; it has sent the notification `exit`; it has taken all that was written.
  void client_ended();
  void client_hung_up();
  void client_gone();
  void client_said_exit();
  void client_took_all() { finish_if_done(); }
  // Every request of the client that was to be answered here is.
  void all_answered();
  // SIGTERM, SIGINT, SIGHUP. At the second the server is not given any more time.
  void told_to_end();
  // The server is of no use any more, as it answers nothing: it is killed, and its end is awaited for no
  // longer than that of any other.
  void kill_server() { stop_server(std::chrono::milliseconds(0)); }

  // The server: it has closed its standard input; its output; it has ended.
  void server_takes_nothing() { soon(&SessionEnd::lose_server); }
  void server_output_ended();
  void server_exited(process::ExitStatus status);

 private:
  enum class Client {
    open,
    hung_up,  // it has closed its end, and the server does not take what it sent before
    ended,
  };
  // Of the session; each is only ever followed by a later one, or by the first where another server takes
  // the place of one that has ended.
  enum class Phase {
    running,
    closing,  // the server is being told of the end
    ending,   // it was sent exit, and its input is closed
    exited,
    drained,  // all that it wrote has been read
    closed,   // the streams, with all that is to be said on them
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
  // Each server has its number: what was put off for an earlier one is of no use any more.
  std::size_t server_ = 0;
  Client client_ = Client::open;
  Phase phase_ = Phase::running;
  bool client_said_exit_ = false;
  bool told_to_end_ = false;
  bool closed_server_ = false;  // it ends because the session does
};

}  // namespace symbols::session
