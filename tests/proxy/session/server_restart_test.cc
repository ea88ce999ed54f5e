// When a server is started again, as scripts of what happens, and what is done about it at which millisecond.
#include "proxy/session/server_restart.h"

#include <doctest/doctest.h>

#include <functional>
#include <string>
#include <utility>

#include "base/text.h"
#include "tests/proxy/relay/scripted_timers.h"

namespace symbols::session {
namespace {

using std::chrono::milliseconds;

class Script final : private ServerRestart::World {
 public:
  explicit Script(std::size_t most)
      : restart_(*this, timers_, "x",
                 {.enabled = most > 0, .limit = {.most = most}, .stall_timeout = milliseconds(8000)}) {}
  ~Script() = default;

  // Words: `+N` lets so many milliseconds pass, `@N` all up to that one; `crash` is the server's end,
  // `killed` that of one that we have killed; `serves=N` is introduced with so many documents; `owes` and
  // `answers` are about a reply, `writes` about any byte.
  void run(std::string_view script) {
    for (const std::string_view word : split(script, ' ')) {
      const std::string rest(word.substr(1));
      if (word.starts_with('+')) {
        timers_.pass(milliseconds(std::stoi(rest)));
      } else if (word.starts_with('@')) {
        timers_.pass(milliseconds(std::stoi(rest)) - timers_.passed());
      } else if (word == "crash" || word == "killed") {
        const bool again = restart_.server_ended(word == "crash" ? "crashed" : "was ended by signal 15");
        if (!again) does("not again");
        CHECK(restart_.is_away() == again);
      } else if (word.starts_with("serves=")) {
        introduced_(static_cast<std::size_t>(word.back() - '0'));
      } else if (word == "refuses") {
        introduced_(Error{"refused initialize", {}});
      } else if (word == "watch") {
        restart_.watch();
      } else if (word == "owes" || word == "answers") {
        owes_ = word == "owes";
      } else if (word == "writes") {
        ++bytes_;
      } else if (word == "close") {
        restart_.close();
      } else if (word == "irreplaceable") {
        replaceable_ = false;
      } else {
        REQUIRE(word == "unstartable");
        startable_ = false;
      }
    }
  }
  const std::string& deeds() const { return deeds_; }

 private:
  void does(const std::string& what) {
    deeds_ += (deeds_.empty() ? "" : ", ") + std::to_string(timers_.passed().count()) + " " + what;
  }
  bool can_be_replaced() const override { return replaceable_; }
  void server_gone(const std::string&) override { does("gone"); }
  Result<void> start_server() override {
    does("start");
    if (!startable_) return Error{"no such file", {}};
    return {};
  }
  void introduce_client(std::function<void(Result<std::size_t>)> done) override {
    introduced_ = std::move(done);
  }
  void client_goes_on() override { does("client goes on"); }
  bool server_owes() const override { return owes_; }
  std::uint64_t bytes_from_server() const override { return bytes_; }
  void kill_server() override { does("kill"); }
  void end_session() override { does("end session"); }
  void say(const std::string& message) override {
    if (!message.ends_with("it is started again") || message.find("crashed") == std::string::npos)
      does("say: " + message);
  }
  void show_to_client(const std::string&) override { does("show"); }

  relay::ScriptedTimers timers_;
  std::string deeds_;
  bool replaceable_ = true;
  bool startable_ = true;
  bool owes_ = false;
  std::uint64_t bytes_ = 0;
  std::function<void(Result<std::size_t>)> introduced_;
  ServerRestart restart_;
};

TEST_CASE("restart") {
  struct Case {
    std::string what;
    std::size_t most;
    std::string script;
    std::string deeds;
  };
  const Case cases[] = {
      {"the first is immediate, and the client goes on when the server was sent everything", 5,
       "crash +100 serves=1",
       "0 gone, 0 start, 100 say: the server x runs again, with 1 open document, 100 client goes on"},
      {"later ones wait longer, and after the last one no other is started", 5,
       "crash +4000 crash +4000 crash +4000 crash +4000 crash +4000 crash crash",
       "0 gone, 0 start, 4000 gone, 4500 start, 8000 gone, 9000 start, 12000 gone, 14000 start, 16000 gone, "
       "20000 start, 20000 say: the server x crashed; it was restarted 5 times within 3 minutes and is not "
       "restarted again, 20000 show, 20000 not again, 20000 not again"},
      {"the wait is eight seconds at most", 9,
       "crash +9000 crash +9000 crash +9000 crash +9000 crash +9000 crash +9000 crash +8000",
       "0 gone, 0 start, 9000 gone, 9500 start, 18000 gone, 19000 start, 27000 gone, 29000 start, 36000 "
       "gone, "
       "40000 start, 45000 gone, 53000 start, 54000 gone, 62000 start"},
      {"what was longer ago than the window does not count", 1, "crash +1 serves=0 @180000 crash +0",
       "0 gone, 0 start, 1 say: the server x runs again, with 0 open documents, 1 client goes on, 180000 "
       "gone, "
       "180000 start"},
      {"not without the option", 0, "crash", "0 not again"},
      {"not where the client wants no other", 5, "irreplaceable crash", "0 not again"},
      {"not when the session ends", 5, "crash close +10000 crash", "0 gone, 10000 not again"},
      {"a server that does not answer initialize, or refuses it, is killed and counts", 2,
       "crash +60000 killed +500 refuses killed",
       "0 gone, 0 start, 60000 kill, 60000 say: the server x did not answer initialize within 60 s; it is "
       "started again, 60000 gone, 60500 start, 60500 kill, 60500 say: the server x refused initialize; it "
       "was "
       "restarted 2 times within 3 minutes and is not restarted again, 60500 show, 60500 not again"},
      {"a server that never serves is given up, however long each attempt takes", 2,
       "crash +120000 killed +120000 killed",
       "0 gone, 0 start, 60000 kill, 120000 say: the server x did not answer initialize within 60 s; it is "
       "started again, 120000 gone, 120500 start, 180500 kill, 240000 say: the server x did not answer "
       "initialize within 60 s; it was restarted 2 times in a row and is not restarted again, 240000 show, "
       "240000 not again"},
      {"those after which a server has served count within the window, also beside others", 2,
       "crash +2000 serves=1 @175000 crash +60000 killed @360000 killed",
       "0 gone, 0 start, 2000 say: the server x runs again, with 1 open document, 2000 client goes on, "
       "175000 gone, 175500 start, 235000 say: the server x was ended by signal 15; it is started again, "
       "235000 gone, 235500 start, 295500 kill, 360000 say: the server x did not answer initialize within 60 "
       "s; "
       "it was restarted 2 times in a row and is not restarted again, 360000 show, 360000 not again"},
      {"what a server answers while it is killed comes too late", 5, "crash +60000 serves=1",
       "0 gone, 0 start, 60000 kill"},
      {"a server that cannot be started again is tried as often, then the session ends", 2,
       "unstartable crash +500",
       "0 gone, 0 start, 0 say: the server x cannot be started again: no such file; it is started again, "
       "0 gone, 500 start, 500 say: the server x cannot be started again: no such file; it was restarted 2 "
       "times within 3 minutes and is not restarted again, 500 show, 500 end session"},
      {"a server that owes a reply and sends nothing is killed, and that is the reason; its successor is "
       "watched too",
       5, "watch +60000 owes +9000 killed +9000 serves=0 +9000",
       "69000 kill, 69000 say: the server x has answered nothing for 8 s; it is started again, 69000 gone, "
       "69000 "
       "start, 78000 say: the server x runs again, with 0 open documents, 78000 client goes on, 87000 kill"},
      {"any byte is a sign of life, and owing nothing for a while is", 5,
       "watch owes +7000 writes +7000 writes +7000 answers +1000 owes +8000", ""},
      {"it is killed once, and not when the session ends", 5, "watch owes +60000 close +60000", "9000 kill"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.what);
    Script script(c.most);
    script.run(c.script);
    CHECK(script.deeds() == c.deeds);
  }
}

}  // namespace
}  // namespace symbols::session
