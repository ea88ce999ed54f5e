// How a session ends, as scripts of what happens, and what is done about it at which millisecond.
#include "proxy/session/session_end.h"

#include <doctest/doctest.h>

#include <functional>
#include <map>
#include <string>
#include <utility>

#include "base/text.h"
#include "tests/proxy/relay/scripted_timers.h"

namespace symbols::session {
namespace {

using std::chrono::milliseconds;

class Script final : private SessionEnd::World {
 public:
  // Words: `+N` lets so many milliseconds pass; `exits=N` and `ends=N` are the server's end, without and with
  // that of its output, where a negative N is a signal; the others are in `words_`.
  void run(std::string_view script) {
    for (const std::string_view word : split(script, ' ')) {
      if (word.starts_with('+')) {
        timers_.pass(milliseconds(std::stoi(std::string(word.substr(1)))));
      } else if (word.starts_with("exits=") || word.starts_with("ends=")) {
        const int status = std::stoi(std::string(word.substr(word.find('=') + 1)));
        output_closed_ = word.starts_with("ends=");
        if (output_closed_) end_.server_output_ended();
        end_.server_exited({.code = status < 0 ? 0 : status, .signal = status < 0 ? -status : 0});
        output_closed_ = false;
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
  bool wants_shutdown() const override { return initialized_ && !shutdown_answered_; }
  bool wants_exit() const override { return initialized_; }
  void send_shutdown(std::function<void()> answered) override {
    does("shutdown");
    shutdown_answered_ = std::move(answered);
  }
  void send_exit() override {
    does("exit");
    initialized_ = false;
  }
  std::uint64_t written_to_server() const override { return to_server_; }
  std::uint64_t written_to_client() const override { return to_client_; }
  bool client_has_to_read() const override { return unread_; }
  bool client_stream_ended() const override { return client_closed_; }
  bool server_stream_ended() const override { return output_closed_; }
  void close_server_input() override { does("close input"); }
  void stop_server(milliseconds grace) override { does("stop=" + std::to_string(grace.count())); }
  void take_rest_of_output() override { does("take rest"); }
  bool replace_server(process::ExitStatus) override {
    if (replaces_) does("replace");
    return replaces_;
  }
  void close_streams(const std::string& why) override { does("close streams: " + why); }
  void warn(const std::string& message) override { does("warn: " + message); }
  void done(process::ExitStatus status) override {
    does("done=" + std::to_string(status.signal != 0 ? -status.signal : status.code));
  }

  relay::ScriptedTimers timers_;
  std::string deeds_;
  std::function<void()> shutdown_answered_;
  bool waits_ = false, initialized_ = true, unread_ = false, client_closed_ = false, output_closed_ = false;
  bool replaces_ = false;
  std::uint64_t to_server_ = 0, to_client_ = 0;
  SessionEnd end_{*this, timers_};
  const std::map<std::string_view, std::function<void()>> words_ = {
      {"client_ended", [this] { end_.client_ended(); }},
      {"client_hung_up", [this] { end_.client_hung_up(); }},
      {"client_gone", [this] { end_.client_gone(); }},
      {"client_said_exit", [this] { end_.client_said_exit(); }},
      {"client_took_all", [this] { end_.client_took_all(); }},
      {"all_answered", [this] { end_.all_answered(); }},
      {"told_to_end", [this] { end_.told_to_end(); }},
      {"kill", [this] { end_.kill_server(); }},
      {"input_closed", [this] { end_.server_takes_nothing(); }},
      {"output_closed", [this] { end_.server_output_ended(); }},
      {"shutdown_answered", [this] { shutdown_answered_(); }},
      {"waits", [this] { waits_ = true; }},
      {"was_shut_down", [this] { initialized_ = false; }},
      {"unread", [this] { unread_ = true; }},
      {"read", [this] { unread_ = false; }},
      {"client_reads", [this] { ++to_client_; }},
      {"server_reads", [this] { ++to_server_; }},
      {"client_closed", [this] { client_closed_ = true; }},
      {"replaces", [this] { replaces_ = true; }},
  };
};

TEST_CASE("session end") {
  struct Case {
    std::string what;
    std::string script;
    std::string deeds;
  };
  const Case cases[] = {
      {"a client that closes has its server shut down",
       "client_closed client_ended +100 shutdown_answered +50 ends=0",
       "0 give up, 0 shutdown, 100 exit, 100 close input, 100 stop=3000, "
       "150 close streams: exited with status 0, 150 done=0"},
      {"a server that ends by itself is replaced, and nothing put off for it happens to its successors",
       "replaces input_closed ends=-11 +60000 ends=4 client_ended shutdown_answered +0 ends=7",
       "0 close input, 0 stop=3000, 0 replace, 60000 close input, 60000 stop=3000, 60000 replace, 60000 give "
       "up, 60000 shutdown, 60000 exit, "
       "60000 close input, 60000 stop=3000, 60000 close streams: exited with status 7, 60000 done=7"},
      {"a server that not even SIGKILL ends is left to the system after five seconds and replaced",
       "replaces kill +6000",
       "0 stop=0, 5000 warn: the server does not end, though it was killed; it is left to the system, "
       "5500 take rest, 5500 replace"},
      {"no server is replaced once its client has closed", "replaces waits client_ended ends=0",
       "0 close input, 0 stop=3000, 0 close streams: exited with status 0, 0 done=0"},
      {"nor once it has hung up", "replaces client_hung_up ends=0",
       "0 close input, 0 stop=3000, 0 close streams: exited with status 0, 0 done=0"},
      {"nor once it is gone", "replaces was_shut_down client_gone +0 ends=0",
       "0 give up, 0 close input, 0 stop=3000, 0 close streams: exited with status 0, 0 done=0"},
      {"nor once it has sent exit", "replaces client_said_exit ends=0",
       "0 close input, 0 stop=3000, 0 close streams: exited with status 0, 0 done=0"},
      {"nor after a signal", "replaces was_shut_down told_to_end ends=-15",
       "0 give up, 0 close input, 0 stop=3000, 0 close streams: was ended by signal 15 (Terminated), 0 "
       "done=-15"},
      {"a server that does not answer shutdown gets exit after two seconds", "client_ended +60000",
       "0 give up, 0 shutdown, 2000 exit, 2000 close input, 2000 stop=3000, "
       "12000 warn: the server does not end, though it was killed; it is left to the system, "
       "12500 take rest, 12500 close streams: was ended by signal 9 (Killed), 12500 done=-9"},
      {"a client that has closed and waits for an answer gets two seconds", "waits client_ended +2000",
       "2000 give up, 2000 shutdown"},
      {"but only as long as it takes", "waits client_ended +1999 all_answered +0",
       "1999 give up, 1999 shutdown"},
      {"that all is answered ends nothing while the client is there", "all_answered +60000", ""},
      {"the client's own exit leaves the server more time", "was_shut_down client_said_exit +0",
       "0 give up, 0 close input, 0 stop=10000"},
      {"a second signal kills the server", "told_to_end told_to_end ends=-15",
       "0 give up, 0 shutdown, 0 stop=0, 0 close streams: was ended by signal 15 (Terminated), 0 done=-15"},
      {"a client that hung up, reported twice, while the server reads slowly, and then not at all",
       "client_hung_up client_hung_up +1000 server_reads +5000", "6000 give up, 6000 shutdown"},
      {"a client that hung up still has requests to be read, though all read so far are answered",
       "client_hung_up all_answered server_reads +1000 client_closed waits client_ended all_answered +0",
       "1000 give up, 1000 shutdown"},
      {"a client that hung up and was read to its end is left to client_ended",
       "client_hung_up client_closed +3000", ""},
      {"a server that closes its output has a moment to end itself", "output_closed +0",
       "0 close input, 0 stop=3000"},
      {"a server that closes its input likewise", "input_closed +0", "0 close input, 0 stop=3000"},
      {"output that another process holds open is waited for half a second", "exits=3 +499 +1",
       "500 take rest, 500 close streams: exited with status 3, 500 done=3"},
      {"but longer while the client still reads", "unread exits=3 +900 client_reads read +100",
       "1000 take rest, 1000 close streams: exited with status 3, 1000 done=3"},
      {"a client that reads slowly gets all of it",
       "unread ends=0 +9000 client_reads +9000 client_reads +9000 read client_took_all",
       "0 close input, 0 stop=3000, 0 close streams: exited with status 0, 27000 done=0"},
      {"a client that reads nothing does not keep us", "unread ends=0 +60000",
       "0 close input, 0 stop=3000, 0 close streams: exited with status 0, 10000 warn: the client does not "
       "read; the rest of what the "
       "server wrote is dropped, 10000 done=0"},
      {"still less after a signal", "unread was_shut_down told_to_end ends=0 +60000",
       "0 give up, 0 close input, 0 stop=3000, 0 close streams: exited with status 0, "
       "1000 warn: the client does not read; the rest of what the server wrote is dropped, 1000 done=0"},
      {"a client that is gone keeps nobody", "unread ends=0 read client_gone +0",
       "0 close input, 0 stop=3000, 0 close streams: exited with status 0, 0 done=0"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.what);
    Script script;
    script.run(c.script);
    CHECK(script.deeds() == c.deeds);
  }
}

}  // namespace
}  // namespace symbols::session
