// `--restart`: what is done when a server ends without having been asked to, and in which order: whether it
// is started again, after how long, what becomes of the client's messages meanwhile, and when it is given up
// (docs/proxy.md, "A server that crashes").
//
// A state machine without I/O: what happens comes in as events, what is to be done goes out through World.
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

// How often a server that ends by itself is started again, and how long is waited before: one that crashes
// whenever it has opened the project is not to be started for ever.
class RestartLimit {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // At most `most` restarts within `window`. Those are VS Code's own numbers.
  struct Values {
    std::size_t most = 5;
    std::chrono::minutes window{3};
  };

  explicit RestartLimit(Values values) : values_(values) {}

  // Whether the server may be started again now; if so that counts as done. `served`: the last one has come
  // to serve the client. Attempts since one did are never too long ago to count: all of them together may
  // take longer than the window, and the client waits meanwhile.
  bool take(Time now, bool served);
  // How long to wait before that: nothing for the first within the window, then half a second, twice as long
  // for each that follows, and at most eight seconds.
  std::chrono::milliseconds delay() const;
  // Whether those that count all lie within the window.
  bool within_window(Time now) const { return times_.empty() || now - times_.front() < values_.window; }
  const Values& values() const { return values_; }

 private:
  Values values_;
  std::deque<Time> times_;    // of those that count
  std::size_t in_a_row_ = 0;  // the last of them, since a server has served
};

struct RestartOptions {
  bool enabled = false;
  RestartLimit::Values limit{};
  std::optional<std::chrono::milliseconds> stall_timeout{};  // absent: a silent server is waited for
};

// Single-threaded.
class ServerRestart {
 public:
  class World {
   public:
    // Whether another server could be told all that the one that ended was told, and the client wants one.
    virtual bool can_be_replaced() const = 0;
    // What the client waits for gets an error that says `why`, and it sends nothing more until
    // client_goes_on().
    virtual void server_gone(const std::string& why) = 0;
    virtual Result<void> start_server() = 0;
    // Tells the new server what the old one was told. `done`: the number of documents, or why it will not do.
    // Never from within; not after server_gone() has been called again.
    virtual void introduce_client(std::function<void(Result<std::size_t>)> done) = 0;
    virtual void client_goes_on() = 0;
    // It ends soon, which is told as usual.
    virtual void kill_server() = 0;
    // No server could be started: the session ends as if the last one had just ended.
    virtual void end_session() = 0;
    // For a person.
    virtual void say(const std::string& message) = 0;
    virtual void show_to_client(const std::string& message) = 0;

   protected:
    ~World() = default;
  };

  // `name`: the server's, for messages. `world` and `timers` outlive this.
  ServerRestart(World& world, relay::Timers& timers, std::string name, const RestartOptions& options);

  // The server has ended, not asked to, and all that it wrote was read. False: no other one takes its place.
  bool server_ended(const std::string& how);
  // It owes a reply and says nothing: it is killed, and counts as one that crashed.
  void server_stalled();
  // The session ends: nothing is started any more.
  void close();

  bool is_away() const { return phase_ == Phase::waiting || phase_ == Phase::introducing; }

 private:
  enum class Phase {
    serving,
    waiting,      // to start another one
    introducing,  // it was started, and is told what there is
    over,         // it was given up, or the session ends
  };

  // The longest wait for a new server's answer to initialize. The client waits meanwhile, and may be about to
  // give up too.
  static constexpr std::chrono::seconds introduction_limit{60};

  void start();
  void introduced(const Result<std::size_t>& documents);
  void kill(const std::string& why);
  void give_up(const std::string& how);

  World& world_;
  relay::Timers& timers_;
  std::string name_;
  RestartOptions options_;
  RestartLimit limit_;
  Phase phase_ = Phase::serving;
  relay::Timer timer_;
  std::string killed_because_;  // empty where it was not us
};

// `--stall-timeout`: notices that a server which owes a reply sends nothing at all any more.
//
// Looks now and then, so that what comes costs nothing. Time in which this process did not run (the machine
// slept, a debugger stopped it) counts as one step at most.
class StallWatch {
 public:
  struct Server {
    // Whether it owes a reply, and waits for nobody itself.
    std::function<bool()> owes;
    // Bytes that have come of it so far. Any is a sign of life: log lines, progress, a part of a long reply.
    std::function<std::uint64_t()> bytes;
    std::function<void()> on_stall;
  };

  // `timers` outlives it.
  StallWatch(relay::Timers& timers, std::chrono::milliseconds limit, Server server);

  // From now on, and anew where it has been started before. on_stall is called once for each start.
  void start();
  void stop() { timer_.stop(); }

 private:
  void look();

  std::chrono::milliseconds limit_;
  std::chrono::milliseconds step_;
  Server server_;
  relay::Timer timer_;
  std::chrono::milliseconds silence_{0};
  std::uint64_t bytes_ = 0;
};

}  // namespace symbols::session
