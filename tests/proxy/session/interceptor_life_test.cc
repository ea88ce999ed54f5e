// A session between a client and a server, as the interceptor sees it: how it begins and ends.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "proxy/session/interceptor.h"
#include "tests/proxy/session/session_stage.h"

namespace symbols::session {
namespace {

using Strings = std::vector<std::string>;

ProxyOptions in_format(table::Format format) {
  ProxyOptions options;
  options.answers.format = format;
  return options;
}
const ProxyOptions standard = in_format(table::Format::json);

TEST_CASE("interceptor: initialize on its way and back") {
  struct Case {
    const char* what;
    ProxyOptions options;
    std::string params;
    bool request_changes;
    bool offers_command;
  };
  const Case cases[] = {
      {"a text format", {}, R"({"capabilities":{}})", true, true},
      {"standard", standard, R"({"capabilities":{}})", false, false},
      {"the client asks for standard",
       {},
       R"({"initializationOptions":{"symbols":{"format":"json"}}})",
       true,
       false},
      {"the client asks for the table", standard,
       R"({"initializationOptions":{"symbols":{"format":"table"}}})", true, true},
  };
  for (const Case& c : cases) {
    CAPTURE(c.what);
    SessionStage stage(c.options);
    CHECK_FALSE(stage.interceptor->wants_shutdown());
    const std::string body = request("7", "initialize", c.params);
    stage.client(body);
    REQUIRE(stage.at_server.size() == 1);
    CHECK((stage.at_server[0] != body) == c.request_changes);
    CHECK(stage.at_server[0].find("\"symbols\"") == std::string::npos);
    CHECK(stage.interceptor->client_waits());
    CHECK(stage.interceptor->wants_shutdown());
    stage.server(R"({"jsonrpc":"2.0","result":{"capabilities":{}},"id":7})");
    REQUIRE(stage.at_client.size() == 1);
    CHECK(stage.at_client[0].find(R"("experimental":{"symbols":{"version":"1.2")") != std::string::npos);
    CHECK((stage.at_client[0].find("symbols.documentSymbols") != std::string::npos) == c.offers_command);
    CHECK_FALSE(stage.interceptor->client_waits());
    CHECK(stage.all_answered == 1);
    const std::string again = reply("7", R"({"capabilities":{}})");
    stage.server(again);  // a second one is nothing to us
    CHECK(stage.at_client.back() == again);
  }
}

TEST_CASE("interceptor: an initialize that is refused, by us or by the server") {
  SessionStage stage;
  stage.client(request("7", "initialize", R"({"initializationOptions":{"symbols":{"format":"xml"}}})"));
  CHECK(stage.at_server.empty());
  CHECK(stage.at_client ==
        Strings{failure("7", -32602,
                        R"(initializationOptions.symbols: format cannot be \"xml\"; give table, tree, )"
                        R"(outline, tsv, toon, packed, json or standard)")});
  CHECK_FALSE(stage.interceptor->client_waits());
  CHECK_FALSE(stage.interceptor->wants_shutdown());
  CHECK_FALSE(stage.interceptor->wants_exit());

  stage.take_at_client();
  stage.client(request("7", "initialize",
                       R"({"initializationOptions":{"symbols":{"format":"json","max_tokens":100}}})"));
  CHECK(stage.at_server.empty());
  REQUIRE(stage.at_client.size() == 1);
  CHECK(stage.at_client[0].find("initializationOptions.symbols: ") != std::string::npos);
  CHECK_FALSE(stage.interceptor->wants_shutdown());

  stage.take_at_client();
  stage.client(request("8", "initialize", "{}"));
  const std::string error = failure("8", 1, "no");
  stage.server(error);
  CHECK(stage.take_at_client() == Strings{error});
  CHECK_FALSE(stage.interceptor->client_waits());

  stage.client(request("9", "initialize", "{}"));
  const std::string odd = reply("9", "7");
  stage.server(odd);
  CHECK(stage.take_at_client() == Strings{odd});
  CHECK_FALSE(stage.interceptor->client_waits());
}

TEST_CASE("interceptor: a lost server answers all who wait, and nobody twice") {
  SessionStage stage;
  stage.initialize();
  stage.client(request("1", "textDocument/documentSymbol", document("file:///a")));
  stage.client(
      request("2", "textDocument/hover", document("file:///a", R"("position":{"line":0,"character":0})")));
  stage.client(request("\"3\"", "textDocument/definition", document("file:///a")));
  stage.client(
      request("4", "workspace/executeCommand",
              R"({"command":"symbols.documentSymbols","arguments":[{"textDocument":{"uri":"file:///a"}}]})"));
  stage.client(request("5", "x/y", "{}"));
  stage.server(reply("5", "1"));
  stage.take_at_client();
  stage.interceptor->server_lost({"the server x ended", "see its standard error"});
  Strings answers = stage.take_at_client();
  std::sort(answers.begin(), answers.end());
  const std::string message = "the server x ended; see its standard error";
  CHECK(answers == Strings{failure("\"3\"", -32603, message), failure("1", -32603, message),
                           failure("2", -32603, message), failure("4", -32603, message)});
  CHECK_FALSE(stage.interceptor->client_waits());
  stage.delayed.run();
  stage.server(reply(own(1), "[]"));
  stage.interceptor->server_lost({"again", ""});
  CHECK(stage.at_client.empty());
}

TEST_CASE("interceptor: shutdown and exit, the client's and ours") {
  SessionStage stage;
  Interceptor& interceptor = *stage.interceptor;
  CHECK_FALSE(interceptor.wants_shutdown());
  CHECK_FALSE(interceptor.wants_exit());
  stage.initialize();
  CHECK(interceptor.wants_shutdown());
  CHECK(interceptor.wants_exit());
  bool done = false;
  interceptor.shutdown([&done] { done = true; });
  CHECK_FALSE(interceptor.wants_shutdown());
  CHECK(stage.take_at_server() == Strings{R"({"jsonrpc":"2.0","id":"own-1","method":"shutdown"})"});
  CHECK_FALSE(done);
  stage.server(reply(own(1), "null"));
  CHECK(done);
  CHECK(stage.at_client.empty());
  interceptor.exit();
  CHECK(stage.take_at_server() == Strings{R"({"jsonrpc":"2.0","method":"exit"})"});
  CHECK_FALSE(interceptor.wants_exit());
  CHECK(stage.exits == 0);

  SessionStage polite;
  polite.initialize();
  const Strings bodies{R"({"jsonrpc":"2.0","id":9,"method":"shutdown"})",
                       R"({"jsonrpc":"2.0","method":"exit"})"};
  polite.client(bodies[0]);
  CHECK_FALSE(polite.interceptor->wants_shutdown());
  CHECK(polite.interceptor->client_waits());
  polite.server(reply("9", "null"));
  CHECK(polite.take_at_client() == Strings{reply("9", "null")});
  polite.client(bodies[1]);
  polite.client(bodies[1]);
  CHECK(polite.exits == 1);
  CHECK_FALSE(polite.interceptor->wants_exit());
  CHECK(polite.at_server == Strings{bodies[0], bodies[1], bodies[1]});
}

TEST_CASE("interceptor: a client that says exit is answered with what there is") {
  SessionStage stage;
  stage.initialize();
  stage.client(symbols_request("1"));
  stage.client(symbols_request("2", "file:///b"));
  stage.client(hover_request("3", 0));
  stage.server(reply(own(1), two));
  stage.take_at_server();
  stage.client(R"({"jsonrpc":"2.0","method":"exit"})");
  Strings answers = stage.take_at_client();
  std::sort(answers.begin(), answers.end());
  CHECK(answers == Strings{reply("1", two_result("", "", R"(,"meta":{"hovers_missing":2})")),
                           failure("2", -32800, "the client has ended the session"),
                           failure("3", -32800, "the client has ended the session")});
  stage.interceptor->server_lost({"gone", ""});
  stage.delayed.run();
  CHECK(stage.at_client.empty());
}

}  // namespace
}  // namespace symbols::session
