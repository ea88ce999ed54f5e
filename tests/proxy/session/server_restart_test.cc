// When a server is started again, as what is done at which time.
#include "proxy/session/server_restart.h"

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/proxy/relay/scripted_timers.h"

namespace symbols::session {
namespace {

using std::chrono::milliseconds;
using Deeds = std::vector<std::string>;

struct RestartStage final : ServerRestart::World {
  relay::ScriptedTimers timers;
  Deeds deeds;
  bool replaceable = true;
  bool startable = true;
  std::function<void(Result<std::size_t>)> introduced;
  ServerRestart restart;

  explicit RestartStage(std::size_t most = 5, bool enabled = true)
      : restart(*this, timers, "x",
                {.enabled = enabled, .limit = {.most = most}, .stall_timeout = milliseconds(30'000)}) {}
  ~RestartStage() = default;

  void does(const std::string& what) {
    deeds.push_back(std::to_string(timers.passed().count()) + " " + what);
  }
  bool can_be_replaced() const override { return replaceable; }
  void server_gone(const std::string&) override { does("gone"); }
  Result<void> start_server() override {
    does("start");
    if (!startable) return Error{"no such file", {}};
    return {};
  }
  void introduce_client(std::function<void(Result<std::size_t>)> done) override {
    introduced = std::move(done);
  }
  void client_goes_on() override { does("client goes on"); }
  void kill_server() override { does("kill"); }
  void end_session() override { does("end session"); }
  void say(const std::string& message) override { does("say: " + message); }
  void show_to_client(const std::string& message) override { does("show: " + message); }
};

TEST_CASE("restart: the first is immediate, the client goes on when the server has been told everything") {
  RestartStage stage;
  CHECK(stage.restart.server_ended("crashed"));
  CHECK(stage.restart.is_away());
  stage.timers.pass(milliseconds(100));
  stage.introduced(std::size_t{1});
  CHECK_FALSE(stage.restart.is_away());
  CHECK(stage.deeds == Deeds{"0 say: the server x crashed; it is started again", "0 gone", "0 start",
                             "100 say: the server x runs again, with 1 open document", "100 client goes on"});
}

TEST_CASE("restart: later ones wait longer, and after the last one it is given up") {
  RestartStage stage;
  Deeds starts;
  for (int i = 0; i < 5; ++i) {
    CHECK(stage.restart.server_ended("crashed"));
    stage.timers.pass(milliseconds(4'000));
    for (const std::string& deed : std::exchange(stage.deeds, {})) {
      if (deed.ends_with("start")) starts.push_back(deed);
    }
  }
  CHECK(starts == Deeds{"0 start", "4500 start", "9000 start", "14000 start", "20000 start"});
  CHECK_FALSE(stage.restart.server_ended("crashed"));
  const std::string message =
      "the server x crashed; it was restarted 5 times within 3 minutes and is not restarted again";
  CHECK(stage.deeds == Deeds{"20000 say: " + message, "20000 show: " + message});
  CHECK_FALSE(stage.restart.server_ended("crashed"));
}

TEST_CASE("restart: what was longer ago than the window does not count") {
  RestartStage stage(1);
  CHECK(stage.restart.server_ended("crashed"));
  stage.timers.pass(milliseconds(1));
  stage.introduced(std::size_t{0});
  stage.timers.pass(std::chrono::minutes(3) - milliseconds(1));
  stage.deeds.clear();
  CHECK(stage.restart.server_ended("crashed"));
  stage.timers.pass(milliseconds(0));
  CHECK(stage.deeds.back() == "180000 start");
}

TEST_CASE("restart: not without the option, nor where the client wants no other, nor when the session ends") {
  RestartStage off(5, false);
  CHECK_FALSE(off.restart.server_ended("crashed"));
  RestartStage stage;
  stage.replaceable = false;
  CHECK_FALSE(stage.restart.server_ended("crashed"));
  stage.replaceable = true;
  CHECK(stage.restart.server_ended("crashed"));
  stage.deeds.clear();
  stage.restart.close();
  stage.timers.pass(milliseconds(10'000));
  CHECK(stage.deeds.empty());
  CHECK_FALSE(stage.restart.server_ended("crashed"));
}

TEST_CASE("restart: a server that does not answer initialize, or refuses it, is killed and counts") {
  RestartStage stage(2);
  CHECK(stage.restart.server_ended("crashed"));
  stage.timers.pass(milliseconds(60'000));
  CHECK(stage.deeds.back() == "60000 kill");
  CHECK(stage.restart.server_ended("was ended by signal 15"));
  CHECK(stage.deeds[stage.deeds.size() - 2] ==
        "60000 say: the server x did not answer initialize within 60 s; it is started again");
  stage.timers.pass(milliseconds(500));
  stage.introduced(Error{"refused initialize", {}});
  CHECK(stage.deeds.back() == "60500 kill");
  CHECK_FALSE(stage.restart.server_ended("was ended by signal 15"));
  CHECK(stage.deeds.back().starts_with(
      "60500 show: the server x refused initialize; it was restarted 2 times"));
}

TEST_CASE(
    "restart: a server that never gets so far as to serve is given up, however long each attempt takes") {
  RestartStage stage;
  CHECK(stage.restart.server_ended("crashed"));
  for (int attempt = 1; attempt < 5; ++attempt) {
    stage.timers.pass(std::chrono::minutes(2));
    CHECK(stage.restart.server_ended("was ended by signal 15"));
  }
  stage.timers.pass(std::chrono::minutes(2));
  CHECK_FALSE(stage.restart.server_ended("was ended by signal 15"));
  CHECK(stage.deeds.back() ==
        "600000 show: the server x did not answer initialize within 60 s; it was restarted 5 times in a row "
        "and is not restarted again");
}

TEST_CASE("restart: those after which a server has served count within the window, also beside others") {
  RestartStage stage;
  const auto crash_at = [&stage](milliseconds time) {
    if (time > stage.timers.passed()) stage.timers.pass(time - stage.timers.passed());
    return stage.restart.server_ended("crashed");
  };
  for (const int second : {0, 10, 20}) {
    CHECK(crash_at(std::chrono::seconds(second)));
    stage.timers.pass(milliseconds(2000));
    stage.introduced(std::size_t{1});
  }
  // From here on none serves.
  for (const int second : {175, 235, 295, 355}) CHECK(crash_at(std::chrono::seconds(second)));
  CHECK(crash_at(std::chrono::seconds(415)));
  CHECK_FALSE(crash_at(std::chrono::seconds(475)));
  CHECK(stage.deeds.back().find("restarted 5 times in a row") != std::string::npos);
}

TEST_CASE("restart: what a server answers while it is killed for its silence comes too late") {
  RestartStage stage;
  CHECK(stage.restart.server_ended("crashed"));
  stage.timers.pass(milliseconds(60'000));
  stage.deeds.clear();
  stage.introduced(std::size_t{1});
  CHECK(stage.deeds.empty());
  CHECK(stage.restart.is_away());
}

TEST_CASE("restart: a server that cannot be started again is tried as often, then the session ends") {
  RestartStage stage(2);
  stage.startable = false;
  CHECK(stage.restart.server_ended("crashed"));
  stage.timers.pass(milliseconds(500));
  REQUIRE(stage.deeds.size() > 2);
  CHECK(stage.deeds.back() == "500 end session");
  CHECK(stage.deeds[stage.deeds.size() - 2].starts_with(
      "500 show: the server x cannot be started again: no such file"));
}

TEST_CASE("restart: a server that stalls is killed, and that is the reason") {
  RestartStage stage;
  stage.restart.server_stalled();
  CHECK(stage.deeds == Deeds{"0 kill"});
  CHECK(stage.restart.server_ended("was ended by signal 15"));
  CHECK(stage.deeds[1] == "0 say: the server x has answered nothing for 30 s; it is started again");
  stage.restart.server_stalled();  // there is none just now
  CHECK(stage.deeds.size() == 3);
}

struct Watched {
  relay::ScriptedTimers timers;
  bool owes = false;
  std::uint64_t bytes = 0;
  std::vector<long> stalls;  // when
  StallWatch watch{timers,
                   milliseconds(8000),
                   {.owes = [this] { return owes; },
                    .bytes = [this] { return bytes; },
                    .on_stall = [this] { stalls.push_back(static_cast<long>(timers.passed().count())); }}};
};

TEST_CASE("stall: a server that owes a reply and says nothing, told once for each start") {
  Watched watched;
  watched.watch.start();
  watched.timers.pass(milliseconds(60'000));
  CHECK(watched.stalls.empty());  // it owes nothing
  watched.owes = true;
  watched.timers.pass(milliseconds(8000));
  CHECK(watched.stalls.empty());
  watched.timers.pass(milliseconds(60'000));
  CHECK(watched.stalls == std::vector<long>{69'000});
  watched.watch.start();
  watched.timers.pass(milliseconds(60'000));
  CHECK(watched.stalls.size() == 2);
}

TEST_CASE("stall: any byte is a sign of life, and so is it to owe nothing for a while") {
  Watched watched;
  watched.watch.start();
  watched.owes = true;
  for (int i = 0; i < 10; ++i) {
    watched.timers.pass(milliseconds(7000));
    ++watched.bytes;
  }
  for (int i = 0; i < 10; ++i) {
    watched.owes = true;
    watched.timers.pass(milliseconds(6000));
    watched.owes = false;
    watched.timers.pass(milliseconds(1000));
  }
  CHECK(watched.stalls.empty());
  watched.watch.stop();
  watched.owes = true;
  watched.timers.pass(milliseconds(60'000));
  CHECK(watched.stalls.empty());
}

}  // namespace
}  // namespace symbols::session
