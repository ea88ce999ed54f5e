// A connection to a server that the test plays, on the test's clock.
#include "proxy/batch/server_connection.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <csignal>

#include "proxy/relay/event_loop.h"
#include "tests/proxy/batch/scripted_servers.h"

namespace symbols::batch {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using Methods = std::vector<std::string>;

struct Stage {
  relay::ScriptedTimers timers;
  ScriptedServers servers;
  std::unique_ptr<ServerConnection> connection;
  std::vector<std::string> told;  // each after the second in which it was called

  explicit Stage(ScriptedServers::OnMessage on_message, bool wait_for_progress = false, bool confined = false,
                 std::vector<std::string> files_found_logs = {})
      : servers(timers, std::move(on_message)) {
    symbols::servers::ServerCommand command;
    command.program = "/bin/fake";
    command.arguments = {"--stdio"};
    command.wait_for_progress = wait_for_progress;
    command.files_found_logs = std::move(files_found_logs);
    connection = std::make_unique<ServerConnection>(
        timers, servers.starter(),
        ConnectionOptions{.server = {.name = "fake",
                                     .command = command,
                                     .only_writable_folders =
                                         confined ? std::optional(std::vector<std::string>()) : std::nullopt},
                          .root = "/project",
                          .version = "1"},
        ServerConnection::Callbacks{.on_ready = [this](lsp::ServerCapabilities) { tell("ready"); },
                                    .on_failure = [this](const Error& error) { tell(error.text()); },
                                    .on_stopped =
                                        [this] {
                                          tell("stopped");
                                          connection.reset();
                                        },
                                    .waits_for_symbols = [] { return false; }});
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

TEST_CASE("connection: initialize, then shutdown, exit and a grace to end by itself") {
  Stage stage(behaves);
  CHECK(stage.told.empty());
  stage.timers.pass(seconds(1));
  CHECK(stage.told == std::vector<std::string>{"0 ready"});
  stage.connection->stop();
  stage.timers.pass(seconds(1));
  CHECK(stage.told == std::vector<std::string>{"0 ready", "1 stopped"});
  CHECK(stage.server().received == Methods{"initialize", "initialized", "shutdown", "exit"});
  CHECK(stage.server().stops == std::vector<milliseconds>{milliseconds(300)});
}

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
    relay::ScriptedTimers timers;
    ScriptedServers servers(timers, behaves);
    ConnectionOptions options{.server = {.name = "fake", .command = {}}, .root = c.root};
    options.server.command.environment = {"PATH=/bin"};
    options.server.command.inherited_environment = c.inherited;
    ServerConnection connection(timers, servers.starter(), options,
                                {.on_ready = [](lsp::ServerCapabilities) {},
                                 .on_failure = [](const Error&) {},
                                 .on_stopped = [] {},
                                 .waits_for_symbols = [] { return false; }});
    connection.start();
    const process::ProcessOptions& process = servers.all.front()->options;
    CHECK(process.working_directory == c.working_directory);
    CHECK(process.environment == std::vector<std::string>{"PATH=/bin"});
    CHECK(process.inherited_environment == c.inherited);
  }
}

TEST_CASE("connection: a server that does not answer shutdown is stopped all the same") {
  Stage stage([](ScriptedServer& server, const lsp::Envelope& message) {
    if (message.method != "shutdown") server.behaves(message);
  });
  stage.timers.pass(seconds(1));
  stage.connection->stop();
  stage.timers.pass(seconds(10));
  CHECK(stage.told == std::vector<std::string>{"0 ready", "4 stopped"});
  CHECK(stage.server().stops == std::vector<milliseconds>{milliseconds(0)});
}

TEST_CASE("connection: aborted, it says nothing more to the server and nothing of its end") {
  Stage stage(behaves);
  stage.timers.pass(seconds(1));
  stage.connection->abort();
  stage.timers.pass(seconds(1));
  CHECK(stage.told == std::vector<std::string>{"0 ready", "1 stopped"});
  CHECK(stage.server().received == Methods{"initialize", "initialized"});
}

TEST_CASE("connection: a failure before it is ready is reported once, with the server's stderr tail") {
  struct Case {
    const char* what;
    ScriptedServers::OnMessage on_message;
    std::string error;
  };
  const Case cases[] = {
      {"ends",
       [](ScriptedServer& server, const lsp::Envelope&) {
         server.callbacks.on_error_output("cannot load\n");
         server.exit({.code = 2, .signal = 0});
       },
       "0 fake (/bin/fake --stdio) exited with status 2 before it answered initialize; its stderr ends with: "
       "cannot load; run the command by itself"},
      {"speaks no LSP", [](ScriptedServer& server, const lsp::Envelope&) { server.say("Usage: fake\n\n"); },
       "0 fake (/bin/fake --stdio) does not speak the Language Server Protocol: "},
      {"sends no JSON-RPC", [](ScriptedServer& server, const lsp::Envelope&) { server.send("[]"); },
       "0 fake (/bin/fake --stdio) sent what is "},
      {"refuses",
       [](ScriptedServer& server, const lsp::Envelope& message) {
         server.send(R"({"jsonrpc":"2.0","id":)" + std::string(message.id) +
                     R"(,"error":{"code":-32603,"message":"no"}})");
       },
       "0 fake (/bin/fake --stdio) cannot be used: it refused initialize: no; "},
      {"says nothing", [](ScriptedServer&, const lsp::Envelope&) {},
       "120 fake (/bin/fake --stdio) has not answered for 120 s; give it more time with --timeout"},
  };
  for (const Case& each : cases) {
    CAPTURE(each.what);
    Stage stage(each.on_message);
    stage.timers.pass(seconds(200));
    REQUIRE(stage.told.size() == 2);
    CAPTURE(stage.told.front());
    CHECK(stage.told.front().starts_with(each.error));
    CHECK(stage.told.back().ends_with(" stopped"));
    CHECK(stage.servers.alive() == 0);
  }
}

TEST_CASE("connection: of a confined server that ends it is said that it was confined") {
  Stage stage([](ScriptedServer& server, const lsp::Envelope&) { server.exit({.code = 2, .signal = 0}); },
              false, true);
  stage.timers.pass(seconds(1));
  REQUIRE(stage.told.size() == 2);
  CHECK(
      stage.told.front().ends_with("; it was confined: try --no-confine, and run the "
                                   "command by itself"));
}

TEST_CASE("connection: stderr that the loop has not come to is read before a failure is reported") {
  Stage stage([](ScriptedServer& server, const lsp::Envelope&) {
    server.untaken_error_output = "unknown flag\n";
    server.say("Usage: fake\n\n");
  });
  stage.timers.pass(seconds(1));
  REQUIRE(stage.told.size() == 2);
  CHECK(stage.told.front().find("; its stderr ends with: unknown flag; ") != std::string::npos);
}

// Processes, as it is the order in which their pipes become ready that is tested.
TEST_CASE("connection: what a server wrote to stderr before it failed is in the error, every time") {
  struct Case {
    const char* script;
    const char* error;
  };
  const Case cases[] = {
      {"echo why >&2; exit 3",
       "exited with status 3 before it answered initialize; its stderr ends with: why"},
      {"echo why >&2; exec >&-; exit 3",
       "exited with status 3 before it answered initialize; its stderr ends with: why"},
      {"echo why >&2; echo no protocol; exit 3", "does not speak the Language Server Protocol: "},
      {"echo why >&2; echo no protocol; cat", "does not speak the Language Server Protocol: "},
  };
  void (*const sigpipe_before)(int) = std::signal(SIGPIPE, [](int) {});  // as the program has it
  for (const Case& each : cases) {
    CAPTURE(std::string(each.script));
    int complete = 0;
    for (int i = 0; i < 100; ++i) {
      relay::EventLoop loop;
      std::string told;
      symbols::servers::ServerCommand shell;
      shell.program = "/bin/sh";
      shell.arguments = {"-c", each.script};
      ServerConnection connection(
          loop,
          [&loop](const process::ProcessOptions& options, process::ServerProcess::Callbacks callbacks) {
            return process::start_server(loop, options, std::move(callbacks));
          },
          {.server = {.name = "shell", .command = shell}},
          {.on_ready = {},
           .on_failure = [&](const Error& error) { told = error.text(); },
           .on_stopped = [&loop] { loop.stop(); },
           .waits_for_symbols = {}});
      connection.start();
      if (i % 2 == 0) ::usleep(5'000);  // it may have written all before the loop first looks
      loop.run();
      if (told.find(each.error) != std::string::npos &&
          told.find("its stderr ends with: why") != std::string::npos)
        ++complete;
    }
    CHECK(complete == 100);
  }
  std::signal(SIGPIPE, sigpipe_before);
}

TEST_CASE("connection: a server that cannot be started is reported from the loop") {
  relay::ScriptedTimers timers;
  ScriptedServers servers(timers, behaves);
  servers.error = "Permission denied";
  std::vector<std::string> told;
  symbols::servers::ServerCommand fake;
  fake.program = "/bin/fake";
  ServerConnection connection(timers, servers.starter(), {.server = {.name = "fake", .command = fake}},
                              {.on_ready = {},
                               .on_failure = [&](const Error& error) { told.push_back(error.text()); },
                               .on_stopped = [&] { told.emplace_back("stopped"); },
                               .waits_for_symbols = {}});
  connection.start();
  CHECK(told.empty());
  timers.pass(seconds(0));
  CHECK(told ==
        std::vector<std::string>{"fake (/bin/fake) cannot be run: Permission denied; check that it is "
                                 "installed and may be run",
                                 "stopped"});
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
  Stage stage(behaves, /*wait_for_progress=*/true);
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
  Stage stage(behaves, /*wait_for_progress=*/true, /*confined=*/false, {"Finished"});
  stage.server().send(log + R"(Not Finished"}})");
  stage.timers.pass(seconds(50));
  CHECK(stage.told.empty());
  stage.server().send(log + R"(Finished. 3 files"}})");
  stage.timers.pass(seconds(1));
  CHECK(stage.told == std::vector<std::string>{"50 ready"});
  // Half of the silence that is accepted.
  Stage silent(behaves, /*wait_for_progress=*/true, /*confined=*/false, {"Finished"});
  silent.timers.pass(seconds(70));
  CHECK(silent.told == std::vector<std::string>{"60 ready"});
}

TEST_CASE("connection: a server that keeps sending requests and reads nothing is given up") {
  Stage stage(behaves);
  stage.timers.pass(seconds(1));
  stage.server().reads = false;
  std::string items = "{}";
  for (int i = 0; i < 10'000; ++i) items += ",{}";
  const std::string request = lsp::frame(
      R"({"jsonrpc":"2.0","id":1,"method":"workspace/configuration","params":{"items":[)" + items + "]}}");
  for (int i = 0; i < 1000 && stage.told.size() == 1; ++i) {
    stage.server().say(request);
    stage.timers.pass(milliseconds(1));
  }
  stage.timers.pass(seconds(1));
  REQUIRE(stage.told.size() == 3);
  CHECK(stage.told[1].find("sends requests without reading the answers") != std::string::npos);
  CHECK(stage.server().unread < std::size_t{20} << 20);
}

}  // namespace
}  // namespace symbols::batch
