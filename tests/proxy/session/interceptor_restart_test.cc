// A session whose server dies and is replaced (--restart), as the interceptor sees it.
#include <doctest/doctest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "proxy/session/interceptor.h"
#include "tests/proxy/session/session_stage.h"

namespace symbols::session {
namespace {

using Strings = std::vector<std::string>;

ProxyOptions with_restart() {
  ProxyOptions options;
  options.restart.enabled = true;
  return options;
}
std::string opens(const std::string& uri, const std::string& version, const std::string& text) {
  return notification("textDocument/didOpen", R"({"textDocument":{"uri":")" + uri +
                                                  R"(","languageId":"c","version":)" + version +
                                                  R"(,"text":")" + text + "\"}}");
}

struct RestartedSession : SessionStage {
  std::optional<Result<std::size_t>> introduced;

  explicit RestartedSession(ProxyOptions options = with_restart()) : SessionStage(std::move(options)) {}

  // Another server, which answers initialize so.
  void introduce(const std::string& capabilities = R"("hoverProvider":true)") {
    interceptor->introduce([this](Result<std::size_t> done) { introduced = std::move(done); });
    server(R"({"jsonrpc":"2.0","id":"init","result":{"capabilities":{)" + capabilities + "}}}");
  }
};

TEST_CASE("interceptor: a server can be replaced from its answer to initialize to the client's shutdown") {
  SessionStage without;
  without.initialize();
  CHECK_FALSE(without.interceptor->can_be_replaced());

  RestartedSession stage;
  CHECK_FALSE(stage.interceptor->can_be_replaced());
  stage.client(request("\"init\"", "initialize", "{}"));
  CHECK_FALSE(stage.interceptor->can_be_replaced());
  stage.server(reply("\"init\"", R"({"capabilities":{}})"));
  CHECK(stage.interceptor->can_be_replaced());
  stage.client(R"({"jsonrpc":"2.0","id":9,"method":"shutdown"})");
  CHECK_FALSE(stage.interceptor->can_be_replaced());

  RestartedSession refused;
  refused.client(request("1", "initialize", "{}"));
  refused.server(failure("1", 1, "no"));
  CHECK_FALSE(refused.interceptor->can_be_replaced());

  RestartedSession left;
  left.initialize();
  left.client(R"({"jsonrpc":"2.0","method":"exit"})");
  CHECK_FALSE(left.interceptor->can_be_replaced());
}

TEST_CASE(
    "interceptor: what was in flight gets an error each, and nothing is sent to a server that is gone") {
  RestartedSession stage;
  stage.initialize();
  stage.client(symbols_request("1"));
  stage.client(hover_request("2", 0));
  stage.client(request("\"3\"", "x/y", "{}"));
  stage.client(request("4", "x/y", "{}"));
  stage.server(reply("4", "1"));
  CHECK(stage.interceptor->server_owes());
  stage.take_at_client();
  stage.take_at_server();
  stage.interceptor->server_gone("it crashed");
  Strings answers = stage.take_at_client();
  std::sort(answers.begin(), answers.end());
  CHECK(answers == Strings{failure("\"3\"", -32803, "it crashed"), failure("1", -32803, "it crashed"),
                           failure("2", -32803, "it crashed")});
  stage.delayed.run();
  CHECK(stage.at_server.empty());
  CHECK_FALSE(stage.interceptor->server_owes());
  CHECK_FALSE(stage.interceptor->wants_shutdown());
  CHECK_FALSE(stage.interceptor->wants_exit());
  stage.introduce();
  stage.take_at_server();
  CHECK(stage.interceptor->wants_shutdown());
  // The new server is asked, and what it says of the old one's requests is for nobody.
  stage.client(symbols_request("5"));
  REQUIRE(stage.at_server.size() == 1);
  CHECK(stage.at_server[0].find("documentSymbol") != std::string::npos);
  stage.server(reply(own(1), "[]"));
  CHECK(stage.at_client.empty());
}

TEST_CASE("interceptor: a second reply to the initialize that a new server was sent is for nobody") {
  RestartedSession stage;
  stage.initialize();
  for (int restart = 0; restart < 2; ++restart) {
    stage.interceptor->server_gone("it crashed");
    stage.introduced.reset();
    stage.introduce();
    CHECK(stage.introduced.has_value());
    stage.take_at_client();
    stage.server(reply("\"init\"", R"({"capabilities":{}})"));
    CHECK(stage.at_client.empty());
  }
}

TEST_CASE("interceptor: a new server is told what the old one was told, in this order") {
  RestartedSession stage;
  stage.client(request("\"init\"", "initialize",
                       R"({"processId":1,"initializationOptions":{"symbols":{"format":"table"},"x":1}})"));
  const std::string initialize = stage.take_at_server().at(0);
  CHECK(initialize.find("\"symbols\"") == std::string::npos);
  stage.server(R"({"jsonrpc":"2.0","id":"init","result":{"capabilities":{"hoverProvider":true}}})");
  const std::string initialized = notification("initialized", R"({"odd":1})");
  const auto configuration = [](int i) {
    return notification("workspace/didChangeConfiguration", "{\"settings\":" + std::to_string(i) + "}");
  };
  const auto folders = [](int i) {
    return notification("workspace/didChangeWorkspaceFolders", "{\"event\":" + std::to_string(i) + "}");
  };
  const std::string trace = notification("$/setTrace", R"({"value":"off"})");
  for (const std::string& body :
       {initialized, configuration(1), folders(1), configuration(2), folders(2), trace,
        notification("workspace/didChangeWatchedFiles", "{}"), notification("own/x", "{}")})
    stage.client(body);
  stage.client(opens("file:///z", "7", "z"));
  stage.client(opens("file:///a", "1", "one\\n"));
  stage.client(opens("file:///closed", "1", "c"));
  stage.client(notification("textDocument/didClose", document("file:///closed")));
  stage.client(notification(
      "textDocument/didChange",
      R"({"textDocument":{"uri":"file:///a","version":9},"contentChanges":[{"range":{"start":{"line":0,"character":1},"end":{"line":0,"character":3}},"text":"\ud83d\ude00"},{"range":{"start":{"line":0,"character":3},"end":{"line":0,"character":3}},"text":"x"}]})"));
  stage.take_at_server();
  stage.take_at_client();
  stage.interceptor->server_gone("it crashed");
  stage.interceptor->introduce([&stage](Result<std::size_t> done) { stage.introduced = std::move(done); });
  CHECK(stage.take_at_server() == Strings{initialize});
  CHECK_FALSE(stage.introduced);
  stage.server(R"({"jsonrpc":"2.0","id":"init","result":{"capabilities":{"hoverProvider":true}}})");
  CHECK(stage.at_client.empty());
  REQUIRE(stage.introduced);
  REQUIRE(stage.introduced->has_value());
  CHECK(**stage.introduced == 2);
  CHECK(stage.warnings.empty());
  CHECK(stage.take_at_server() == Strings{initialized, trace, configuration(2), folders(1), folders(2),
                                          opens("file:///z", "7", "z"),
                                          opens("file:///a", "9", "o\\ud83d\\ude00x\\n")});
}

TEST_CASE("interceptor: whether the server owes an answer") {
  RestartedSession stage;
  stage.initialize();
  CHECK_FALSE(stage.interceptor->server_owes());
  stage.client(symbols_request("1"));
  CHECK(stage.interceptor->server_owes());
  stage.server(reply(own(1), "[]"));
  CHECK_FALSE(stage.interceptor->server_owes());
  stage.client(request("2", "x/y", "{}"));
  CHECK(stage.interceptor->server_owes());
  stage.server(reply("2", "1"));
  CHECK_FALSE(stage.interceptor->server_owes());
  stage.interceptor->shutdown([] {});
  CHECK(stage.interceptor->server_owes());
}

TEST_CASE("interceptor: a server does not wait for a client that is only told something") {
  RestartedSession stage;
  stage.initialize();
  stage.client(request("1", "x/y", "{}"));
  for (const char* method : {"client/registerCapability", "client/unregisterCapability",
                             "window/workDoneProgress/create", "workspace/codeLens/refresh"}) {
    CAPTURE(method);
    stage.server(request('"' + std::string(method) + '"', method, "{}"));
    CHECK(stage.interceptor->server_owes());
  }
  stage.server(request("1", "workspace/applyEdit", "{}"));
  CHECK_FALSE(stage.interceptor->server_owes());
  stage.server(request("2", "own/question", "{}"));
  stage.client(reply("1", "null"));
  CHECK_FALSE(stage.interceptor->server_owes());
  stage.client(reply("2", "null"));
  CHECK(stage.interceptor->server_owes());
  // Nor does a new server wait for what its predecessor asked.
  stage.server(request("3", "own/question", "{}"));
  stage.interceptor->server_gone("it crashed");
  stage.introduce();
  stage.client(request("4", "x/y", "{}"));
  CHECK(stage.interceptor->server_owes());
  stage.server(request("3", "own/question", "{}"));  // under another id
  CHECK_FALSE(stage.interceptor->server_owes());
}

TEST_CASE("interceptor: a question of a server that is being started again is shown, and nobody chooses") {
  RestartedSession stage;
  stage.initialize();
  const std::string ask =
      request("0", "window/showMessageRequest", R"({"type":2,"message":"m","actions":[{"title":"Yes"}]})");
  stage.server(ask);
  CHECK(stage.take_at_client() == Strings{ask});
  stage.client(reply("0", "null"));
  stage.interceptor->server_gone("it crashed");
  stage.take_at_server();
  stage.take_at_client();
  stage.interceptor->introduce([&stage](Result<std::size_t> done) { stage.introduced = std::move(done); });
  stage.take_at_server();
  stage.server(ask);
  CHECK(stage.take_at_server() == Strings{reply("0", "null")});
  CHECK(
      stage.take_at_client() ==
      Strings{notification("window/showMessage", R"({"type":2,"message":"m","actions":[{"title":"Yes"}]})")});
  stage.server(R"({"jsonrpc":"2.0","id":"init","result":{"capabilities":{}}})");
  CHECK(stage.introduced);
}

TEST_CASE("interceptor: what the old server was doing, or has said, does not hold of the new one") {
  RestartedSession stage;
  stage.initialize();
  auto ask = [&stage, own_number = 0, number = 0]() mutable {
    stage.client(symbols_request(std::to_string(++number)));
    stage.server(reply(own(++own_number), two));
    const std::size_t sent = stage.take_at_server().size();
    for (std::size_t i = 1; i < sent; ++i) stage.server(reply(own(++own_number), hover_result("A")));
    stage.take_at_client();
    return sent;
  };
  CHECK(ask() == 3);
  CHECK(ask() == 1);
  stage.server(notification("$/progress", R"({"token":1,"value":{"kind":"begin"}})"));
  stage.interceptor->server_gone("it crashed");
  stage.introduce();
  stage.take_at_server();
  stage.take_at_client();
  CHECK(ask() == 3);
  CHECK(ask() == 1);  // it is not loading, so its hovers are remembered
  // The client may use the id of its initialize again.
  const std::string answer = reply("\"init\"", R"({"capabilities":{}})");
  stage.client(request("\"init\"", "x/y", "{}"));
  stage.server(answer);
  CHECK(stage.take_at_client() == Strings{answer});
}

TEST_CASE("interceptor: a new server that offers something else is told of, one that refuses is refused") {
  RestartedSession stage;
  stage.initialize();
  stage.interceptor->server_gone("it crashed");
  stage.introduce(R"("hoverProvider":false)");
  REQUIRE(stage.warnings.size() == 1);
  CHECK(stage.warnings[0].find("other capabilities") != std::string::npos);

  RestartedSession refusing;
  refusing.initialize();
  refusing.interceptor->server_gone("it crashed");
  refusing.interceptor->introduce([&](Result<std::size_t> done) { refusing.introduced = std::move(done); });
  refusing.server(failure("\"init\"", 1, "no"));
  REQUIRE(refusing.introduced);
  CHECK_FALSE(refusing.introduced->has_value());
  CHECK(refusing.at_client.empty());
}

TEST_CASE("interceptor: the client's late answers reach nobody, and ids that are still owed are replaced") {
  RestartedSession stage;
  stage.initialize();
  const std::string ask = request("0", "workspace/configuration", "{}");
  stage.server(ask);
  CHECK(stage.take_at_client() == Strings{ask});
  CHECK_FALSE(stage.interceptor->server_owes());
  stage.interceptor->server_gone("it crashed");
  stage.introduce();
  stage.take_at_server();
  stage.take_at_client();
  stage.server(ask);
  CHECK(stage.take_at_client() == Strings{request("\"own-client-1\"", "workspace/configuration", "{}")});
  stage.client(reply("0", "1"));
  CHECK(stage.take_at_server().empty());
  stage.client(reply("\"own-client-1\"", "2"));
  CHECK(stage.take_at_server() == Strings{reply("0", "2")});
  stage.server(ask);
  CHECK(stage.take_at_client() == Strings{ask});
  stage.client(reply("0", "3"));
  CHECK(stage.take_at_server() == Strings{reply("0", "3")});
}

TEST_CASE("interceptor: progress ends with its server, and its registrations are taken back") {
  RestartedSession stage;
  stage.initialize();
  const auto progress = [](const char* token, const char* kind) {
    return notification("$/progress",
                        R"({"token":)" + std::string(token) + R"(,"value":{"kind":")" + kind + "\"}}");
  };
  stage.server(progress("\"a\"", "begin"));
  stage.server(progress("7", "begin"));
  stage.server(progress("7", "end"));
  stage.server(request("1", "client/registerCapability", R"({"registrations":[{"id":"r","method":"m"}]})"));
  stage.client(reply("1", "null"));
  stage.take_at_client();
  stage.take_at_server();
  stage.interceptor->server_gone("it crashed");
  CHECK(stage.take_at_client() ==
        Strings{progress("\"a\"", "end"), request("\"own-client-1\"", "client/unregisterCapability",
                                                  R"({"unregisterations":[{"id":"r","method":"m"}]})")});
  stage.introduce();
  stage.take_at_server();
  stage.client(reply("\"own-client-1\"", "null"));
  CHECK(stage.at_server.empty());
}

TEST_CASE("interceptor: a document whose text is not known is named, and opened when its whole text comes") {
  RestartedSession stage;
  stage.initialize();
  stage.client(opens("file:///a", "1", "one"));
  stage.client(opens("file:///b", "1", "one"));
  stage.client(notification("textDocument/didChange",
                            document("file:///a", R"("contentChanges":[{"range":{},"text":"odd"}])")));
  stage.interceptor->server_gone("it crashed");
  stage.introduce();
  REQUIRE(stage.introduced);
  CHECK(**stage.introduced == 1);
  REQUIRE(stage.warnings.size() == 1);
  CHECK(stage.warnings[0].find("file:///a") != std::string::npos);
  stage.take_at_server();
  const std::string part =
      R"("contentChanges":[{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":0}},"text":"x"}])";
  stage.client(notification("textDocument/didChange", document("file:///a", part)));
  CHECK(stage.take_at_server().empty());
  stage.client(notification("textDocument/didSave", document("file:///a")));
  CHECK(stage.take_at_server().empty());
  const std::string saved = notification("textDocument/didSave", document("file:///b"));
  stage.client(saved);
  CHECK(stage.take_at_server() == Strings{saved});
  stage.client(
      notification("textDocument/didChange",
                   R"({"textDocument":{"uri":"file:///a","version":4},"contentChanges":[{"text":"new"}]})"));
  CHECK(stage.take_at_server() == Strings{opens("file:///a", "4", "new")});
  const std::string known = notification("textDocument/didChange", document("file:///a", part));
  stage.client(known);
  CHECK(stage.take_at_server() == Strings{known});
}

}  // namespace
}  // namespace symbols::session
