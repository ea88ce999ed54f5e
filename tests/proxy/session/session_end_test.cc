// How a session ends, as what is done at which time. The world is a list of what was done and a clock that
// the test turns.
#include "proxy/session/session_end.h"

#include <doctest/doctest.h>

#include <csignal>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/proxy/relay/scripted_timers.h"

namespace symbols::session {
namespace {

using std::chrono::milliseconds;
using Deeds = std::vector<std::string>;

struct Recorded final : SessionEnd::World {
  relay::ScriptedTimers timers;
  Deeds deeds;
  std::optional<process::ExitStatus> over;
  std::function<void()> shutdown_answered;

  bool waits = false;
  bool initialized = true;
  std::uint64_t to_server = 0;
  std::uint64_t to_client = 0;
  bool unread = false;
  bool client_closed = false;
  bool output_closed = false;
  bool replaces = false;

  void does(const std::string& what) {
    deeds.push_back(std::to_string(timers.passed().count()) + " " + what);
  }

  bool client_waits() const override { return waits; }
  void give_up_answers() override { does("give up answers"); }
  bool wants_shutdown() const override { return initialized && !shutdown_answered; }
  bool wants_exit() const override { return initialized; }
  void send_shutdown(std::function<void()> answered) override {
    does("shutdown");
    shutdown_answered = std::move(answered);
  }
  void send_exit() override {
    does("exit");
    initialized = false;
  }
  std::uint64_t written_to_server() const override { return to_server; }
  std::uint64_t written_to_client() const override { return to_client; }
  bool client_has_to_read() const override { return unread; }
  bool client_stream_ended() const override { return client_closed; }
  bool server_stream_ended() const override { return output_closed; }
  void close_server_input() override { does("close input"); }
  void stop_server(milliseconds grace) override { does("stop " + std::to_string(grace.count())); }
  void take_rest_of_output() override { does("take rest"); }
  bool replace_server(process::ExitStatus) override {
    if (replaces) does("replace server");
    return replaces;
  }
  void close_streams(const std::string& why) override { does("close streams: " + why); }
  void warn(const std::string& message) override { does("warn: " + message); }
  void done(process::ExitStatus status) override {
    does("done");
    over = status;
  }
};

struct Session {
  Recorded world;
  SessionEnd end{world, world.timers};

  void server_ends(process::ExitStatus status = {}) {
    world.output_closed = true;
    end.server_output_ended();
    end.server_exited(status);
  }
};

TEST_CASE("a client that closes has its server shut down") {
  Session session;
  session.world.client_closed = true;
  session.end.client_ended();
  session.world.timers.pass(milliseconds(100));
  session.world.shutdown_answered();
  session.world.timers.pass(milliseconds(50));
  session.server_ends();
  CHECK(session.world.deeds == Deeds{"0 give up answers", "0 shutdown", "100 exit", "100 close input",
                                     "100 stop 3000", "150 close streams: exited with status 0", "150 done"});
  CHECK(session.world.over->code == 0);
}

TEST_CASE("a server that ends by itself may be replaced, and then its successor ends as it would have") {
  Session session;
  session.world.replaces = true;
  session.end.server_takes_nothing();
  session.server_ends({.code = 0, .signal = SIGSEGV});
  CHECK(session.world.deeds == Deeds{"0 close input", "0 stop 3000", "0 replace server"});
  session.world.output_closed = false;
  // Nothing that was put off for the first one happens to the second.
  session.world.timers.pass(milliseconds(60'000));
  CHECK(session.world.deeds.size() == 3);
  session.server_ends({.code = 4, .signal = 0});
  CHECK(session.world.deeds.back() == "60000 replace server");
  session.world.output_closed = false;
  session.end.client_ended();
  session.world.shutdown_answered();
  session.world.timers.pass(milliseconds(0));
  session.server_ends({.code = 7, .signal = 0});
  CHECK(session.world.deeds.back() == "60000 done");
  CHECK(session.world.over->code == 7);
}

TEST_CASE("a server that not even SIGKILL ends is left to the system after five seconds and replaced") {
  Session session;
  session.world.replaces = true;
  session.end.kill_server();
  session.world.timers.pass(milliseconds(4999));
  CHECK(session.world.deeds == Deeds{"0 stop 0"});
  session.world.timers.pass(milliseconds(1001));
  CHECK(session.world.deeds ==
        Deeds{"0 stop 0",
              "5000 warn: the server does not end, though it was killed; it is left to the system",
              "5500 take rest", "5500 replace server"});
}

TEST_CASE("a server is not replaced once the client or a signal has asked for the end") {
  for (const auto ask : {&SessionEnd::client_ended, &SessionEnd::client_hung_up, &SessionEnd::client_gone,
                         &SessionEnd::client_said_exit, &SessionEnd::told_to_end}) {
    Session session;
    session.world.replaces = true;
    session.world.waits = true;
    (session.end.*ask)();
    session.world.timers.pass(milliseconds(0));
    session.server_ends();
    CHECK(session.world.over);
  }
}

TEST_CASE("a server that does not answer shutdown is told to exit after two seconds") {
  Session session;
  session.end.client_ended();
  session.world.timers.pass(milliseconds(60'000));
  CHECK(session.world.deeds ==
        Deeds{"0 give up answers", "0 shutdown", "2000 exit", "2000 close input", "2000 stop 3000",
              "12000 warn: the server does not end, though it was killed; it is left "
              "to the system",
              "12500 take rest", "12500 close streams: was ended by signal 9 (Killed)", "12500 done"});
  CHECK(session.world.over->signal == SIGKILL);
}

TEST_CASE("a client that has closed but waits for an answer gets two seconds") {
  Session session;
  session.world.waits = true;
  session.end.client_ended();
  session.world.timers.pass(milliseconds(1999));
  CHECK(session.world.deeds.empty());

  SUBCASE("and no more") {
    session.world.timers.pass(milliseconds(1));
    CHECK(session.world.deeds == Deeds{"2000 give up answers", "2000 shutdown"});
  }
  SUBCASE("but only as long as it takes") {
    session.end.all_answered();
    session.world.timers.pass(milliseconds(0));
    CHECK(session.world.deeds == Deeds{"1999 give up answers", "1999 shutdown"});
  }
}

TEST_CASE("answers that all are given end nothing while the client is there") {
  Session session;
  session.end.all_answered();
  session.world.timers.pass(milliseconds(60'000));
  CHECK(session.world.deeds.empty());
}

TEST_CASE("the client's own exit leaves a server more time") {
  Session session;
  session.world.initialized = false;  // shutdown and exit have passed
  session.end.client_said_exit();
  CHECK(session.world.deeds.empty());  // exit itself is not forwarded yet
  session.world.timers.pass(milliseconds(0));
  CHECK(session.world.deeds == Deeds{"0 give up answers", "0 close input", "0 stop 10000"});
}

TEST_CASE("told twice to end") {
  Session session;
  session.end.told_to_end();
  session.end.told_to_end();
  CHECK(session.world.deeds == Deeds{"0 give up answers", "0 shutdown", "0 stop 0"});
  session.server_ends({.code = 0, .signal = SIGTERM});
  CHECK(session.world.over->signal == SIGTERM);
}

TEST_CASE("a client that hung up while the server does not read") {
  Session session;
  session.end.client_hung_up();
  session.end.client_hung_up();  // seen again: one wait is enough
  CHECK(session.world.timers.waiting() == 1);
  session.world.timers.pass(milliseconds(1000));
  session.world.to_server = 65536;  // it does, slowly
  session.world.timers.pass(milliseconds(4000));
  CHECK(session.world.deeds.empty());
  session.world.timers.pass(milliseconds(1000));
  CHECK(session.world.deeds == Deeds{"6000 give up answers", "6000 shutdown"});
}

TEST_CASE("a client that hung up still has requests to be read, though all read so far are answered") {
  Session session;
  session.end.client_hung_up();
  session.end.all_answered();
  session.world.to_server = 65536;
  session.world.timers.pass(milliseconds(1000));
  CHECK(session.world.deeds.empty());
  session.world.client_closed = true;
  session.world.waits = true;  // for what was read meanwhile
  session.end.client_ended();
  CHECK(session.world.deeds.empty());
  session.end.all_answered();
  session.world.timers.pass(milliseconds(0));
  CHECK(session.world.deeds == Deeds{"1000 give up answers", "1000 shutdown"});
}

TEST_CASE("a client that hung up and was read to its end is left to client_ended") {
  Session session;
  session.end.client_hung_up();
  session.world.client_closed = true;
  session.world.timers.pass(milliseconds(3000));
  CHECK(session.world.deeds.empty());
}

TEST_CASE("a server that closes a stream has a moment to end itself") {
  Session session;
  SUBCASE("its output") {
    session.end.server_output_ended();
  }
  SUBCASE("its input") {
    session.end.server_takes_nothing();
  }
  session.world.timers.pass(milliseconds(0));
  CHECK(session.world.deeds == Deeds{"0 close input", "0 stop 3000"});
}

TEST_CASE("output that somebody else holds open is waited for half a second") {
  Session session;
  session.end.server_exited({.code = 3, .signal = 0});
  session.world.timers.pass(milliseconds(499));
  CHECK(session.world.deeds.empty());
  session.world.timers.pass(milliseconds(1));
  CHECK(session.world.deeds == Deeds{"500 take rest", "500 close streams: exited with status 3", "500 done"});
  CHECK(session.world.over->code == 3);
}

TEST_CASE("a client that reads slowly gets all of it") {
  Session session;
  session.world.unread = true;
  session.server_ends();
  for (int i = 0; i < 100; ++i) {
    session.world.timers.pass(milliseconds(5000));
    ++session.world.to_client;
  }
  CHECK_FALSE(session.world.over.has_value());
  session.world.unread = false;
  session.end.client_took_all();
  CHECK(session.world.over.has_value());
}

TEST_CASE("a client that reads nothing does not keep us") {
  Session session;
  session.world.unread = true;
  milliseconds limit{10'000};
  SUBCASE("while it is there") {}
  SUBCASE("after it was told to end") {
    session.end.told_to_end();
    limit = milliseconds(1000);
  }
  session.server_ends();
  session.world.timers.pass(limit - milliseconds(1));
  CHECK_FALSE(session.world.over.has_value());
  session.world.timers.pass(milliseconds(1));
  REQUIRE(session.world.over.has_value());
  CHECK(session.world.deeds[session.world.deeds.size() - 2].ends_with(
      "warn: the client does not read; the rest of what the server wrote is dropped"));
}

TEST_CASE("a client that is gone keeps nobody") {
  Session session;
  session.world.unread = true;
  session.server_ends();
  CHECK_FALSE(session.world.over.has_value());
  session.world.unread = false;  // what was queued is dropped
  session.end.client_gone();
  session.world.timers.pass(milliseconds(0));
  CHECK(session.world.over.has_value());
}

}  // namespace
}  // namespace symbols::session
