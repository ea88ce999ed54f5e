// How a session goes on and ends, as scripts of what happens, and what is done about it at which millisecond.
#include "proxy/session/session_lifecycle.h"

#include <doctest/doctest.h>

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"
#include "tests/proxy/io/scripted_timers.h"

namespace symbols::session {
namespace session_lifecycle_test {

using std::chrono::milliseconds;

class Script final : private SessionLifecycle::World {
 public:
  // `max_restarts`: the maximum number of restarts; 0 disables them.
  explicit Script(std::size_t max_restarts, std::optional<milliseconds> stall_timeout = milliseconds(8000))
      : lifecycle_(
            *this, timers_, "x",
            {.enabled = max_restarts > 0, .max_restarts = max_restarts, .stall_timeout = stall_timeout}) {}
  ~Script() = default;

  // Words: `+N` lets so many milliseconds pass, `@N` all up to that one; `exits=N` and `ends=N` are the
  // server's end, without and with that of its output, where a negative N is a signal; `serves=N`: a new
  // server was sent so many documents; the others are in `words_`.
  void run(std::string_view script) {
    for (const std::string_view word : split(script, ' ')) {
      if (word.starts_with('+')) {
        timers_.pass(milliseconds(std::stoi(std::string(word.substr(1)))));
      } else if (word.starts_with('@')) {
        timers_.pass(milliseconds(std::stoi(std::string(word.substr(1)))) - timers_.passed());
      } else if (word.starts_with("serves=")) {
        introduced_(static_cast<std::size_t>(word.back() - '0'));
      } else if (word.starts_with("exits=") || word.starts_with("ends=")) {
        const int status = std::stoi(std::string(word.substr(word.find('=') + 1)));
        output_closed_ = word.starts_with("ends=");
        lifecycle_.server_exited({.code = status < 0 ? 0 : status, .signal = status < 0 ? -status : 0});
      } else {
        const auto found = words_.find(word);
        REQUIRE_MESSAGE(found != words_.end(), word);
        found->second();
      }
    }
  }
  const std::string& deeds() const { return deeds_; }

 private:
  void does(const std::string& what) {
    deeds_ += (deeds_.empty() ? "" : ", ") + std::to_string(timers_.passed().count()) + " " + what;
  }

  bool client_waits() const override { return waits_; }
  void give_up_answers() override { does("give up"); }
  bool send_shutdown(std::function<void()> answered) override {
    if (!initialized_ || shutdown_answered_) return false;
    does("shutdown");
    shutdown_answered_ = std::move(answered);
    return true;
  }
  void send_exit() override {
    if (std::exchange(initialized_, false)) does("exit");
  }
  std::uint64_t written_to_server() const override { return to_server_; }
  std::uint64_t written_to_client() const override { return to_client_; }
  bool client_has_to_read() const override { return unread_; }
  bool server_stream_ended() const override { return output_closed_; }
  void close_server_input() override { does("close input"); }
  void stop_server(milliseconds grace) override { does("stop=" + std::to_string(grace.count())); }
  void take_rest_of_output() override { does("take rest"); }
  bool can_be_replaced() const override { return replaceable_; }
  void server_gone(const std::string&) override { does("gone"); }
  Result<void> start_server() override {
    does("start");
    if (!startable_) return Error{"no such file", {}};
    output_closed_ = false;
    return {};
  }
  void introduce_client(std::function<void(Result<std::size_t>)> done) override {
    introduced_ = std::move(done);
  }
  void client_goes_on() override { does("client goes on"); }
  bool owes_reply() const override { return owes_; }
  std::uint64_t bytes_from_server() const override { return bytes_; }
  void close_streams(const std::string& why) override { does("close streams: " + why); }
  void warn(const std::string& message) override {
    if (message != "the server x exited with status 1; it is started again") does("warn: " + message);
  }
  void show_to_client(const std::string&) override { does("show"); }
  void done(process::ExitStatus status) override {
    does("done=" + std::to_string(status.signal != 0 ? -status.signal : status.code));
  }

  io::ScriptedTimers timers_;
  std::string deeds_;
  std::function<void()> shutdown_answered_;
  bool waits_ = false, initialized_ = true, unread_ = false, output_closed_ = false;
  bool replaceable_ = true, startable_ = true, owes_ = false;
  std::uint64_t to_server_ = 0, to_client_ = 0, bytes_ = 0;
  std::function<void(Result<std::size_t>)> introduced_;
  SessionLifecycle lifecycle_;
  const std::map<std::string_view, std::function<void()>> words_ = {
      {"client_ended", [this] { lifecycle_.client_ended(); }},
      {"client_hung_up", [this] { lifecycle_.client_hung_up(); }},
      {"client_gone", [this] { lifecycle_.client_gone(); }},
      {"exit_received", [this] { lifecycle_.exit_received(); }},
      {"client_took_all", [this] { lifecycle_.client_took_all(); }},
      {"all_answered", [this] { lifecycle_.all_answered(); }},
      {"stop_requested", [this] { lifecycle_.stop_requested(); }},
      {"refuses",
       [this] {
         introduced_(Error{"refused initialize", {}});
       }},
      {"starts", [this] { lifecycle_.server_started(); }},
      {"owes", [this] { owes_ = true; }},
      {"answers", [this] { owes_ = false; }},
      {"writes", [this] { ++bytes_; }},
      {"irreplaceable", [this] { replaceable_ = false; }},
      {"unstartable", [this] { startable_ = false; }},
      {"input_closed", [this] { lifecycle_.server_takes_nothing(); }},
      {"output_closed", [this] { lifecycle_.server_output_ended(); }},
      {"shutdown_answered", [this] { shutdown_answered_(); }},
      {"waits", [this] { waits_ = true; }},
      {"was_shut_down", [this] { initialized_ = false; }},
      {"unread", [this] { unread_ = true; }},
      {"read", [this] { unread_ = false; }},
      {"client_reads", [this] { ++to_client_; }},
      {"server_reads", [this] { ++to_server_; }},
  };
};

struct Case {
  std::string what;
  std::string script;
  std::string deeds;
};

void check(const std::vector<Case>& cases, std::size_t restarts,
           std::optional<milliseconds> stall_timeout = milliseconds(8000)) {
  for (const Case& c : cases) {
    CAPTURE(c.what);
    Script script(restarts, stall_timeout);
    script.run(c.script);
    CHECK(script.deeds() == c.deeds);
  }
}

TEST_CASE("session: how it ends") {
  check(
      {
          {"a client that closes has its server shut down", "client_ended +100 shutdown_answered +50 ends=0",
           "0 give up, 0 shutdown, 100 exit, 100 close input, 100 stop=3000, "
           "150 close streams: exited with status 0, 150 done=0"},
          {"a server that does not answer shutdown gets exit after two seconds", "client_ended +60000",
           "0 give up, 0 shutdown, 2000 exit, 2000 close input, 2000 stop=3000, "
           "12000 warn: the server does not end, though it was killed; it is left to the system, "
           "12500 take rest, 12500 close streams: was ended by signal 9 (Killed), 12500 done=-9"},
          {"a client that has closed and waits for an answer gets two seconds", "waits client_ended +2000",
           "2000 give up, 2000 shutdown"},
          {"but only as long as it takes", "waits client_ended +1999 all_answered +0",
           "1999 give up, 1999 shutdown"},
          {"that all is answered ends nothing while the client is there", "all_answered +60000", ""},
          {"the client's own exit leaves the server more time", "was_shut_down exit_received +0",
           "0 give up, 0 close input, 0 stop=10000"},
          {"a second signal kills the server", "stop_requested stop_requested ends=-15",
           "0 give up, 0 shutdown, 0 stop=0, 0 close streams: was ended by signal 15 (Terminated), 0 "
           "done=-15"},
          {"a client that hung up, reported twice, while the server reads slowly, and then not at all",
           "client_hung_up client_hung_up +1000 server_reads +5000", "6000 give up, 6000 shutdown"},
          {"a client that hung up still has requests to be read, though all read so far are answered",
           "client_hung_up all_answered server_reads +1000 waits client_ended all_answered +0",
           "1000 give up, 1000 shutdown"},
          {"a client that hung up and was read to its end is left to client_ended",
           "client_hung_up +1500 waits client_ended +1999", ""},
          {"a server that closes its output has a moment to end itself", "output_closed +0",
           "0 close input, 0 stop=3000"},
          {"a server that closes its input likewise", "input_closed +0", "0 close input, 0 stop=3000"},
          {"output that another process holds open is waited for half a second", "exits=3 +499 +1",
           "500 take rest, 500 close streams: exited with status 3, 500 done=3"},
          {"but longer while the client still reads", "unread exits=3 +900 client_reads read +100",
           "1000 take rest, 1000 close streams: exited with status 3, 1000 done=3"},
          {"a client that reads slowly gets all of it",
           "unread ends=0 +9000 client_reads +9000 client_reads +9000 read client_took_all",
           "0 close streams: exited with status 0, 27000 done=0"},
          {"a client that reads nothing does not keep us", "unread ends=0 +60000",
           "0 close streams: exited with status 0, 10000 warn: the client does not read; the rest of what "
           "the server wrote is dropped, 10000 done=0"},
          {"nor what it would read later, while another process holds the output open",
           "unread exits=3 +10000 read +500",
           "10000 warn: the client does not read; the rest of what the server wrote is dropped, 10000 "
           "done=3"},
          {"still less after a signal", "unread was_shut_down stop_requested ends=0 +60000",
           "0 give up, 0 close input, 0 stop=3000, 0 close streams: exited with status 0, "
           "1000 warn: the client does not read; the rest of what the server wrote is dropped, 1000 done=0"},
          {"a client that is gone keeps nobody", "unread ends=0 read client_gone +0",
           "0 close streams: exited with status 0, 0 done=0"},
      },
      0);
}

TEST_CASE("session: who is not restarted") {
  for (const char* const script :
       {"waits client_ended ends=0", "client_hung_up ends=0", "was_shut_down client_gone +0 ends=0",
        "exit_received ends=0", "was_shut_down stop_requested ends=0", "irreplaceable ends=0"}) {
    CAPTURE(script);
    Script restarting(5);
    restarting.run(script);
    CHECK(restarting.deeds().ends_with("0 close streams: exited with status 0, 0 done=0"));
    CHECK(restarting.deeds().find("start") == std::string::npos);
  }
}

TEST_CASE("session: at most five restarts") {
  check(
      {
          {"the first is immediate, and the client goes on when the server was sent everything",
           "ends=-9 +100 serves=1",
           "0 warn: the server x was ended by signal 9 (Killed); it is started again, 0 gone, 0 start, 100 "
           "warn: the server x runs again, with 1 open document, 100 client goes on"},
          {"later ones wait longer, and after the last one no other is started",
           "ends=1 +4000 ends=1 +4000 ends=1 +4000 ends=1 +4000 ends=1 +4000 ends=1",
           "0 gone, 0 start, 4000 gone, 4500 start, 8000 gone, 9000 start, 12000 gone, 14000 start, 16000 "
           "gone, 20000 start, 20000 warn: the server x exited with status 1; it was restarted 5 times "
           "within 3 minutes and is not restarted again, 20000 show, 20000 close streams: exited with status "
           "1, 20000 done=1"},
          {"nothing put off for a server happens to its successors",
           "input_closed ends=1 +100 serves=0 +60000 ends=4 +500 serves=0 client_ended shutdown_answered +0 "
           "ends=7",
           "0 gone, 0 start, 100 warn: the server x runs again, with 0 open documents, 100 client goes on, "
           "60100 warn: the server x exited with status 4; it is started again, 60100 gone, 60600 start, "
           "60600 warn: the server x runs again, with 0 open documents, 60600 client goes on, 60600 give up, "
           "60600 shutdown, 60600 exit, 60600 close input, 60600 stop=3000, 60600 close streams: exited with "
           "status 7, 60600 done=7"},
          {"a server that not even SIGKILL ends is left to the system after five seconds and replaced",
           "starts owes +9000 +6000",
           "9000 stop=0, 14000 warn: the server does not end, though it was killed; it is left to the "
           "system, 14500 take rest, 14500 warn: the server x has answered nothing for 8 s; it is started "
           "again, 14500 gone, 14500 start"},
          {"not when the session ends, not even by a second signal",
           "ends=1 stop_requested stop_requested +10000",
           "0 gone, 0 give up, 0 stop=0, 0 close streams: exited with status 1, 0 done=1"},
          {"what a server answers while it is killed comes too late", "ends=1 +60000 serves=1",
           "0 gone, 0 start, 60000 stop=0"},
          {"a server that owes a reply and sends nothing is killed, and its successor is watched too",
           "starts +60000 owes +9000 ends=-15 +9000 serves=0 +9000",
           "69000 stop=0, 69000 warn: the server x has answered nothing for 8 s; it is started again, 69000 "
           "gone, 69000 start, 78000 warn: the server x runs again, with 0 open documents, 78000 client goes "
           "on, 87000 stop=0"},
          {"any byte is a sign of life, and owing nothing for a while is",
           "starts owes +7000 writes +7000 writes +7000 answers +1000 owes +8000", ""},
          {"a server is not killed for its silence when the session ends",
           "starts owes +8000 stop_requested +1000", "8000 give up, 8000 shutdown"},
      },
      5);
}

TEST_CASE("session: a restarted server that serves stays, without a timeout for its silence") {
  check({{"", "ends=1 +100 serves=0 +120000",
          "0 gone, 0 start, 100 warn: the server x runs again, with 0 open documents, 100 client goes on"}},
        5, std::nullopt);
}

TEST_CASE("session: other numbers of restarts") {
  check({{"the wait is eight seconds at most",
          "ends=1 +9000 ends=1 +9000 ends=1 +9000 ends=1 +9000 ends=1 +9000 ends=1 +9000 ends=1 +8000",
          "0 gone, 0 start, 9000 gone, 9500 start, 18000 gone, 19000 start, 27000 gone, 29000 start, 36000 "
          "gone, 40000 start, 45000 gone, 53000 start, 54000 gone, 62000 start"}},
        9);
  check(
      {{"one that never serves is given up, however long each attempt takes", "ends=1 +300000",
        "0 gone, 0 start, 60000 stop=0, 65000 warn: the server does not end, though it was killed; it is "
        "left to the system, 65500 take rest, 65500 warn: the server x did not answer initialize within 60 "
        "s; it is started again, 65500 gone, 66000 start, 126000 stop=0, 131000 warn: the server does not "
        "end, though it was killed; it is left to the system, 131500 take rest, 131500 warn: the server x "
        "did not answer initialize within 60 s; it is started again, 131500 gone, 132500 start, 192500 "
        "stop=0, 197500 warn: the server does not end, though it was killed; it is left to the system, "
        "198000 take rest, 198000 warn: the server x did not answer initialize within 60 s; it was restarted "
        "3 times in a row and is not restarted again, 198000 show, 198000 close streams: was ended by signal "
        "9 (Killed), 198000 done=-9"}},
      3);
  check(
      {
          {"a server that does not answer initialize, or refuses it, is killed and counts",
           "ends=1 +60000 ends=-15 +500 refuses ends=-15",
           "0 gone, 0 start, 60000 stop=0, 60000 warn: the server x did not answer initialize within 60 s; "
           "it is started again, 60000 gone, 60500 start, 60500 stop=0, 60500 warn: the server x refused "
           "initialize; it was restarted 2 times within 3 minutes and is not restarted again, 60500 show, "
           "60500 close streams: was ended by signal 15 (Terminated), 60500 done=-15"},
          {"those after which a server has served count within the window",
           "ends=1 +2000 serves=1 @170000 ends=1 +500 serves=0 @179000 ends=1",
           "0 gone, 0 start, 2000 warn: the server x runs again, with 1 open document, 2000 client goes on, "
           "170000 gone, 170500 start, 170500 warn: the server x runs again, with 0 open documents, 170500 "
           "client goes on, 179000 warn: the server x exited with status 1; it was restarted 2 times within "
           "3 minutes and is not restarted again, 179000 show, 179000 close streams: exited with status 1, "
           "179000 done=1"},
          {"a server that cannot be started again is tried as often, then the session ends",
           "unstartable ends=1 +500",
           "0 gone, 0 start, 0 warn: the server x cannot be started again: no such file; it is started "
           "again, 0 gone, 500 start, 500 warn: the server x cannot be started again: no such file; it was "
           "restarted 2 times within 3 minutes and is not restarted again, 500 show, 500 close streams: "
           "exited with status 1, 500 done=1"},
      },
      2);
  check({{"what was longer ago than the window does not count", "ends=1 +1 serves=0 @180000 ends=1 +0",
          "0 gone, 0 start, 1 warn: the server x runs again, with 0 open documents, 1 client goes on, 180000 "
          "gone, 180000 start"}},
        1);
  check({{"none without the option", "ends=1", "0 close streams: exited with status 1, 0 done=1"}}, 0);
}

}  // namespace session_lifecycle_test
}  // namespace symbols::session
