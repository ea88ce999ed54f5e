// `--restart` and `--stall-timeout` (docs/proxy.md, "A server that crashes"): whether a server that ends
// unasked is started again, after how long, and when no more; and when one that owes a reply and sends
// nothing is killed, which counts as a crash. A state machine without I/O: events come in, actions go out
// through World.
//
// For a stall it looks now and then, so that what comes costs nothing. Time in which this process did not run
// (the machine slept, a debugger stopped it) counts as one step at most.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>

#include "base/result.h"
#include "proxy/relay/timers.h"

namespace symbols::session {

// At most so many restarts within the window, VS Code's own numbers: a server that crashes whenever it has
// opened the project must not be started for ever.
struct RestartLimit {
  std::size_t most = 5;
  std::chrono::minutes window{3};
};

struct RestartOptions {
  bool enabled = false;
  RestartLimit limit{};
  std::optional<std::chrono::milliseconds> stall_timeout{};  // absent: a silent server is waited for
};

// Single-threaded.
class ServerRestart {
 public:
  class World {
   public:
    // Whether another server could be sent all that the last one was sent, and the client needs one.
    virtual bool can_be_replaced() const = 0;
    // Requests that the client waits for get an error with `why`; it is not read until client_goes_on().
    virtual void server_gone(const std::string& why) = 0;
    virtual Result<void> start_server() = 0;
    // Sends the new server what the old one was sent. `done` gets the number of documents, or why the server
    // cannot be used; never from within, nor after server_gone() has been called again.
    virtual void introduce_client(std::function<void(Result<std::size_t>)> done) = 0;
    virtual void client_goes_on() = 0;
    virtual bool server_owes() const = 0;                 // a reply, and waits for none itself
    virtual std::uint64_t bytes_from_server() const = 0;  // so far: any more is a sign of life
    virtual void kill_server() = 0;                       // its end is reported as usual
    // No server could be started: the session ends as if the last one had just ended.
    virtual void end_session() = 0;
    virtual void say(const std::string& message) = 0;  // for the user
    virtual void show_to_client(const std::string& message) = 0;

   protected:
    ~World() = default;
  };

  // `name`: the server's, for messages. `world` and `timers` outlive this.
  ServerRestart(World& world, relay::Timers& timers, std::string name, const RestartOptions& options);

  // The server has ended unasked, and all that it wrote was read. False: no other one takes its place.
  bool server_ended(const std::string& how);
  // The server runs: from now on it is watched for a stall, if that was asked for.
  void watch();
  // The session ends: nothing is started any more.
  void close();

  bool is_away() const { return phase_ == Phase::waiting || phase_ == Phase::introducing; }

 private:
  enum class Phase {
    serving,
    waiting,      // to start another one
    introducing,  // it was started, and is sent what the last one was sent
    over,         // no other is started
  };

  // For a new server's answer to initialize: the client waits meanwhile, and has timeouts too.
  static constexpr std::chrono::seconds introduction_limit{60};

  bool take_restart();
  std::chrono::milliseconds delay() const;
  bool within_window() const;
  void start();
  void introduced(const Result<std::size_t>& documents);
  void look_for_stall();
  void kill(const std::string& why);
  void give_up(const std::string& how);

  World& world_;
  relay::Timers& timers_;
  std::string name_;
  RestartOptions options_;
  std::deque<relay::Timers::Clock::time_point> restarts_;  // those that count
  std::size_t in_a_row_ = 0;                               // the last of them, since a server has served
  Phase phase_ = Phase::serving;
  relay::Timer timer_;                    // of what the phase waits for; while serving, of the next look
  std::string killed_because_;            // empty where it was not us
  std::chrono::milliseconds silence_{0};  // of a server that owes a reply
};

}  // namespace symbols::session
