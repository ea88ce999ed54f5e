// A connection to a server that the test plays, on the test's clock.
#include "proxy/engine/server_connection.h"

#include <doctest/doctest.h>

#include "tests/proxy/engine/scripted_servers.h"

namespace symbols::engine {
namespace server_connection_test {

using std::chrono::milliseconds;
using std::chrono::seconds;
using Methods = std::vector<std::string>;

struct StageOptions {
  bool wait_for_progress = false;
  std::vector<std::string> files_found_logs{};
};

struct Stage {
  io::ScriptedTimers timers;
  ScriptedServers servers;
  std::unique_ptr<ServerConnection> connection;
  std::vector<std::string> told;  // each after the second in which it was called

  explicit Stage(ScriptedServers::OnMessage on_message, const StageOptions& options = {})
      : servers(timers, std::move(on_message)) {
    ServerLaunch launch{.name = "fake", .command = {}};
    launch.command.program = "/bin/fake";
    launch.command.arguments = {"--stdio"};
    launch.command.wait_for_progress = options.wait_for_progress;
    launch.command.files_found_logs = options.files_found_logs;
    connection = std::make_unique<ServerConnection>(
        timers, servers.starter(), ConnectionOptions{.server = launch, .root = "/project"},
        ServerConnection::Callbacks{.on_ready = [this] { tell("ready"); },
                                    .on_failure = [this](const Error& error) { tell(error.text()); },
                                    .on_stopped =
                                        [this] {
                                          tell("stopped");
                                          connection.reset();
                                        }});
    connection->start();
  }
  void tell(const std::string& what) {
    told.push_back(std::to_string(timers.passed() / seconds(1)) + " " + what);
  }
  ScriptedServer& server() { return *servers.all.front(); }
};

const ScriptedServers::OnMessage behaves = [](ScriptedServer& server, const lsp::Envelope& message) {
  server.behaves(message);
};

TEST_CASE("connection: a server is started in its root, that of a project that is not trusted in none") {
  struct Case {
    std::string root;
    std::optional<std::vector<std::string>> inherited;
    std::string working_directory;
  };
  const Case cases[] = {{"/project", std::nullopt, "/project"},
                        {"", std::nullopt, "/"},
                        {"/project", {{"LANG=C"}}, "/"},
                        {"/project", {{}}, "/"}};
  for (const Case& c : cases) {
    io::ScriptedTimers timers;
    ScriptedServers servers(timers, behaves);
    ConnectionOptions options{.server = {.name = "fake", .command = {}}, .root = c.root};
    options.server.command.environment = {"PATH=/bin"};
    options.server.command.inherited_environment = c.inherited;
    ServerConnection connection(timers, servers.starter(), options, {});
    connection.start();
    const process::ProcessOptions& process = servers.all.front()->options;
    CHECK(process.working_directory == c.working_directory);
    CHECK(process.environment == std::vector<std::string>{"PATH=/bin"});
    CHECK(process.inherited_environment == c.inherited);
  }
}

TEST_CASE("connection: silence counts from the last request, and any sign of life ends it") {
  Stage stage(behaves);
  stage.timers.pass(seconds(1000));  // nothing is asked, nothing is late
  stage.connection->session().request("slow", "{}", [](const lsp::Reply&) {});
  stage.timers.pass(seconds(26));  // it is checked eight times in 30 s
  stage.server().send(
      R"({"jsonrpc":"2.0","method":"$/progress","params":{"token":1,"value":{"kind":"begin","title":"x"}}})");
  stage.timers.pass(seconds(29));
  CHECK(stage.told.size() == 1);
  stage.timers.pass(seconds(2));
  REQUIRE(stage.told.size() == 3);
  CHECK(stage.told[1].starts_with("1056 fake (/bin/fake --stdio) has not answered for 30 s"));
}

TEST_CASE("connection: a server that closes its output gets a moment to end, and is then given up") {
  Stage stage(behaves);
  stage.timers.pass(seconds(10));
  stage.connection->session().request("asked", "{}", [](const lsp::Reply&) {});
  stage.server().close_output();
  stage.timers.pass(seconds(1));
  SUBCASE("it lives on") {
    stage.timers.pass(seconds(10));
    REQUIRE(stage.told.size() == 3);
    CHECK(stage.told[1].starts_with("13 fake (/bin/fake --stdio) closed its output and keeps running; "));
    CHECK(stage.told[2] == "13 stopped");
  }
  SUBCASE("it ends: its exit status is the better reason") {
    stage.server().exit({.code = 0, .signal = 11});
    stage.timers.pass(seconds(10));
    REQUIRE(stage.told.size() == 3);
    CHECK(stage.told[1].starts_with("11 fake (/bin/fake --stdio) was ended by signal 11"));
  }
  SUBCASE("it is stopped meanwhile") {
    stage.connection->stop();
    stage.timers.pass(seconds(10));
    CHECK(stage.told == std::vector<std::string>{"0 ready", "11 stopped"});
  }
}

TEST_CASE("connection: a server that has to load first is ready once its loading has ended for a while") {
  const std::string progress = R"({"jsonrpc":"2.0","method":"$/progress","params":{"token":1,"value":)";
  Stage stage(behaves, {.wait_for_progress = true});
  stage.timers.pass(milliseconds(100));
  stage.server().send(progress + R"({"kind":"begin","title":"Loading"}}})");
  stage.timers.pass(seconds(60));
  CHECK(stage.told.empty());
  CHECK(stage.connection->progress_text() == "Loading");
  stage.server().send(progress + R"({"kind":"end"}}})");
  stage.timers.pass(milliseconds(200));
  CHECK(stage.told.empty());
  stage.timers.pass(seconds(1));
  CHECK(stage.told == std::vector<std::string>{"60 ready"});
}

TEST_CASE("connection: a server that has to load first is not ready before it has found the files") {
  const std::string log = R"({"jsonrpc":"2.0","method":"window/logMessage","params":{"type":3,"message":")";
  const StageOptions finds_files{.wait_for_progress = true, .files_found_logs = {"Finished"}};
  Stage stage(behaves, finds_files);
  stage.server().send(log + R"(Not Finished"}})");
  stage.timers.pass(seconds(50));
  CHECK(stage.told.empty());
  stage.server().send(log + R"(Finished. 3 files"}})");
  stage.timers.pass(seconds(1));
  CHECK(stage.told == std::vector<std::string>{"50 ready"});
  // Half of the silence that is accepted.
  Stage silent(behaves, finds_files);
  silent.timers.pass(seconds(70));
  CHECK(silent.told == std::vector<std::string>{"60 ready"});
}

}  // namespace server_connection_test
}  // namespace symbols::engine
