// The hovers of the answers, and the client's own: shared, remembered, cancelled, overtaken by a change.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/proxy/query/query_stage.h"
#include "tests/proxy/session/session_stage.h"

namespace symbols::session {
namespace {

using Strings = std::vector<std::string>;

TEST_CASE("interceptor: a request is cancelled by its id, and what it had asked for with it") {
  SessionStage stage;
  stage.initialize();
  stage.client(symbols_request("1"));
  stage.client(symbols_request("\"1\""));
  stage.take_at_server();

  // Before the symbols have come.
  stage.client(cancel("1"));
  CHECK(stage.take_at_client() == Strings{failure("1", -32800, "cancelled by the client")});
  CHECK(stage.take_at_server() == Strings{cancel(own(1))});
  stage.client(cancel("1"));  // once more: nobody's business any more
  CHECK(stage.take_at_server() == Strings{cancel("1")});
  stage.server(reply(own(1), two));  // late
  stage.server(failure(own(1), -32800, "twice"));
  CHECK(stage.at_client.empty());
  CHECK(stage.at_server.empty());

  // While the hovers are out.
  stage.server(reply(own(2), two));
  CHECK(stage.take_at_server() == Strings{own_hover(3, 0), own_hover(4, 1)});
  stage.server(reply(own(3), hover_result("A")));
  stage.client(cancel("\"1\""));
  CHECK(stage.take_at_client() == Strings{failure("\"1\"", -32800, "cancelled by the client")});
  CHECK(stage.take_at_server() == Strings{cancel(own(4))});
  stage.server(failure(own(4), -32800, "cancelled"));
  CHECK(stage.at_client.empty());
  CHECK_FALSE(stage.interceptor->client_waits());

  // A hover, with the symbols that it needs.
  stage.client(hover_request("2", 0));
  CHECK(stage.take_at_server() == Strings{own_hover(5, 0)});
  stage.client(cancel("2"));
  CHECK(stage.take_at_client() == Strings{failure("2", -32800, "cancelled by the client")});
  CHECK(stage.take_at_server() == Strings{cancel(own(5))});
  stage.server(reply(own(5), hover_result("late")));
  stage.client(hover_request("2", 0));
  stage.server(reply(own(6), hover_result("H")));
  CHECK(stage.take_at_server() == Strings{own_hover(6, 0), own_symbols(7)});
  stage.client(cancel("2"));
  CHECK(stage.take_at_client() == Strings{failure("2", -32800, "cancelled by the client")});
  CHECK(stage.take_at_server() == Strings{cancel(own(7))});
  stage.server(reply(own(7), two));

  // After the answer.
  stage.client(hover_request("3", 0, R"("hover_reply":"text")"));
  stage.server(reply(own(8), "null"));
  CHECK(stage.take_at_client() == Strings{reply("3", "null")});
  stage.take_at_server();
  stage.client(cancel("3"));
  CHECK(stage.at_client.empty());
  stage.delayed.run();
  CHECK(stage.at_client.empty());
}

TEST_CASE("interceptor: two requests share their hovers, and one of them may go") {
  SessionStage stage;
  stage.initialize();
  stage.client(symbols_request("1"));
  stage.client(symbols_request("2"));
  stage.server(reply(own(1), two));
  stage.server(reply(own(2), two));
  CHECK(stage.take_at_server() == Strings{own_symbols(1), own_symbols(2), own_hover(3, 0), own_hover(4, 1)});
  stage.client(cancel("1"));
  CHECK(stage.at_server.empty());
  stage.server(reply(own(4), hover_result("B")));
  stage.server(reply(own(3), hover_result("A")));
  CHECK(stage.take_at_client() ==
        Strings{failure("1", -32800, "cancelled by the client"), reply("2", two_result("A", "B"))});

  // And then they are remembered.
  stage.client(symbols_request("3"));
  stage.server(reply(own(5), two));
  CHECK(stage.take_at_client() == Strings{reply("3", two_result("A", "B"))});
  CHECK(stage.take_at_server() == Strings{own_symbols(5)});
}

TEST_CASE("interceptor: what empties the memory of hovers") {
  struct Case {
    const char* what;
    bool of_server;
    std::string body;
    bool empties;
  };
  const std::string other = R"({"textDocument":{"uri":"file:///b"}})";
  const Case cases[] = {
      {"didChange of another document", false, change("file:///b"), true},
      {"didOpen", false,
       notification("textDocument/didOpen",
                    R"({"textDocument":{"uri":"file:///b","languageId":"c","version":1,"text":""}})"),
       true},
      {"didClose", false, notification("textDocument/didClose", other), true},
      {"didSave", false, notification("textDocument/didSave", other), true},
      {"didChangeWatchedFiles", false, notification("workspace/didChangeWatchedFiles", "{}"), true},
      {"didChangeConfiguration", false, notification("workspace/didChangeConfiguration", "{}"), true},
      {"refresh", true, request("1", "workspace/semanticTokens/refresh", "null"), true},
      {"a request of the client", false, request("7", "textDocument/definition", other), false},
      {"diagnostics", true, notification("textDocument/publishDiagnostics", R"({"uri":"file:///a"})"), false},
      {"progress", true, notification("$/progress", R"({"token":1,"value":{"kind":"begin"}})"), false},
  };
  for (const Case& c : cases) {
    CAPTURE(c.what);
    SessionStage stage;
    stage.initialize();
    ask_for_two(stage);
    REQUIRE(stage.take_at_client() == Strings{reply("1", two_result("A", "B"))});
    stage.take_at_server();
    c.of_server ? stage.server(c.body) : stage.client(c.body);
    CHECK((c.of_server ? stage.take_at_client() : stage.take_at_server()) == Strings{c.body});
    stage.next_turn();
    stage.client(symbols_request("2"));
    stage.server(reply(own(4), two));
    CHECK(stage.take_at_server().size() == (c.empties ? 3 : 1));
  }
}

TEST_CASE("interceptor: what is answered before the server has read a change is not remembered") {
  SessionStage stage;
  stage.initialize();
  stage.client(change("file:///b"));
  ask_for_two(stage);
  stage.next_turn();
  stage.take_at_server();
  stage.client(symbols_request("2"));
  stage.server(reply(own(4), two));
  CHECK(stage.take_at_server().size() == 3);
}

TEST_CASE("interceptor: what is never remembered") {
  const std::string begin = notification("$/progress", R"({"token":"t","value":{"kind":"begin"}})");
  const std::string end = notification("$/progress", R"({"token":"t","value":{"kind":"end"}})");
  SessionStage stage;
  stage.initialize();
  int number = 0;
  const auto ask = [&](const std::string& a) {
    stage.client(symbols_request("1", "file:///a"));
    stage.server(reply(own(++number), "[" + query::symbol_json("a", 0, 0, 9) + "]"));
    stage.take_at_server();
    if (!stage.take_at_client().empty()) return std::string("remembered");
    a.starts_with("{\"code\"") ? stage.server(R"({"id":)" + own(++number) + R"(,"error":)" + a + "}")
                               : stage.server(reply(own(++number), a));
    return std::string(stage.take_at_client().empty() ? "?" : "asked for");
  };
  CHECK(ask("null") == "asked for");
  CHECK(ask(R"({"code":1,"message":"m"})") == "asked for");
  CHECK(ask(R"({"contents":""})") == "asked for");
  stage.server(begin);
  stage.take_at_client();
  CHECK(ask(hover_result("A")) == "asked for");
  CHECK(ask(hover_result("A")) == "asked for");
  stage.server(end);
  stage.take_at_client();
  CHECK(ask(hover_result("A")) == "asked for");
  CHECK(ask("") == "remembered");
}

TEST_CASE("interceptor: a change of the document keeps the symbols and counts the hovers that were out") {
  SessionStage stage;
  stage.initialize();
  stage.client(symbols_request("1"));
  stage.server(reply(own(1), two));
  stage.server(reply(own(2), hover_result("A")));
  stage.take_at_server();
  stage.client(change("file:///b"));  // another one: they still come
  CHECK(stage.at_client.empty());
  stage.take_at_server();
  stage.client(change("file:///a"));
  CHECK(stage.take_at_client() ==
        Strings{reply("1", two_result("A", "", R"(,"meta":{"hovers_missing":1})"))});
  CHECK(stage.take_at_server() == Strings{cancel(own(3)), change("file:///a")});
  stage.next_turn();

  // Before the symbols have come it is the server that knows.
  stage.client(symbols_request("2"));
  stage.client(change("file:///a"));
  CHECK(stage.at_client.empty());
  stage.server(failure(own(4), -32801, "content modified"));
  CHECK(stage.take_at_client() == Strings{failure("2", -32801, "content modified")});

  // Closed while collecting.
  stage.client(symbols_request("3"));
  stage.server(reply(own(5), two));
  stage.client(notification("textDocument/didClose", document("file:///a")));
  CHECK(stage.take_at_client() == Strings{reply("3", two_result("", "", R"(,"meta":{"hovers_missing":2})"))});
}

TEST_CASE("interceptor: hovers are given so much time") {
  SessionStage stage;
  stage.initialize();
  stage.client(symbols_request("1", "file:///a", R"("timeout_ms":77)"));
  stage.server(reply(own(1), two));
  REQUIRE(stage.delayed.delays().size() == 1);
  CHECK(stage.delayed.delays()[0] == std::chrono::milliseconds(77));
  stage.delayed.run();
  CHECK(stage.at_client == Strings{reply("1", two_result("", "", R"(,"meta":{"hovers_missing":2})"))});
}

TEST_CASE("interceptor: a hover as a row, as text, as it is") {
  SessionStage stage;
  stage.initialize();
  stage.client(
      notification("textDocument/didOpen",
                   R"({"textDocument":{"uri":"file:///a","languageId":"x","version":1,"text":"a = 1\nb"}})"));
  stage.take_at_server();
  stage.client(hover_request("1", 0));
  CHECK(stage.take_at_server() == Strings{own_hover(1, 0)});
  stage.server(reply(own(1), hover_result("A")));
  CHECK(stage.take_at_server() == Strings{own_symbols(2)});
  stage.server(reply(own(2), two));
  const std::string head =
      R"({"contents":{"kind":"plaintext","value":"NAME | KIND | RANGE | SELECTION | PARENT | )"
      R"(HOVER_INFO | EOL\n)";
  CHECK(stage.take_at_client() == Strings{reply("1", head + "a | 12 | 0:0-9 | 0:0-1 |  | A | <<<\"}}")});
  // The next one has the symbols already.
  stage.client(hover_request("2", 1, R"("hover_chars":3)"));
  CHECK(stage.take_at_server() == Strings{own_hover(3, 1)});
  stage.server(reply(own(3), hover_result("12345")));
  CHECK(stage.take_at_client() ==
        Strings{reply("2", head + R"(b | 12 | 1:0-9 | 1:0-1 |  | 12\u2026 | <<<"}})")});
  stage.client(hover_request("3", 1, R"("hover_reply":"text")"));
  CHECK(stage.take_at_server() == Strings{own_hover(4, 1)});
  stage.server(reply(own(4), hover_result("**B**")));
  CHECK(stage.take_at_client() == Strings{reply("3", R"({"contents":{"kind":"plaintext","value":"B"}})")});
  stage.client(hover_request("4", 1, R"("hover_reply":"standard")"));
  CHECK(stage.take_at_server() == Strings{hover_request("4", 1)});
  stage.server(reply("4", hover_result("**B**")));
  CHECK(stage.take_at_client() == Strings{reply("4", hover_result("**B**"))});
  // A change makes the symbols old.
  stage.client(change("file:///a"));
  stage.next_turn();
  stage.take_at_server();
  stage.client(hover_request("5", 1));
  stage.server(reply(own(5), hover_result("B")));
  CHECK(stage.take_at_server() == Strings{own_hover(5, 1), own_symbols(6)});
}

TEST_CASE("interceptor: a null hover asks for no symbols, so that nothing else waits behind them") {
  SessionStage stage;
  stage.initialize();
  stage.client(hover_request("1", 0));
  stage.server(reply(own(1), "null"));
  CHECK(stage.take_at_client() == Strings{reply("1", "null")});
  stage.client(hover_request("2", 0));
  CHECK(stage.take_at_server() == Strings{own_hover(1, 0), own_hover(2, 0)});
}

TEST_CASE("interceptor: a server that offers no hovers is asked for none, until it registers them") {
  struct Case {
    const char* capabilities;
    const char* registration;  // empty for none
    bool asked;
  };
  const Case cases[] = {
      {R"("hoverProvider":true)", "", true},
      {R"("hoverProvider":{"workDoneProgress":true})", "", true},
      {R"("hoverProvider":false)", "", false},
      {R"("hoverProvider":null)", "", false},
      {"", "", false},
      {"", R"({"registrations":[{"id":"1","method":"textDocument/definition"}]})", false},
      {"", R"({"registrations":[{"id":"1","method":"textDocument/hover"}]})", true},
      {"", R"({"registrations":[{"id":"1","method":"textDocument\/hover"}]})", true},
  };
  for (const Case& c : cases) {
    CAPTURE(c.capabilities);
    CAPTURE(c.registration);
    SessionStage stage;
    stage.initialize("", c.capabilities);
    if (*c.registration != '\0') {
      const std::string body = request("1", "client/registerCapability", c.registration);
      stage.server(body);
      CHECK(stage.take_at_client() == Strings{body});
    }
    stage.client(symbols_request("1"));
    stage.server(reply(own(1), two));
    CHECK(stage.at_server.size() == (c.asked ? 3 : 1));
    CHECK(stage.at_client == (c.asked ? Strings{} : Strings{reply("1", two_result("", ""))}));
  }
}

TEST_CASE("interceptor: the symbol of a hover where the server's symbols are flat") {
  SessionStage stage;
  stage.initialize();
  stage.client(notification(
      "textDocument/didOpen",
      R"({"textDocument":{"uri":"file:///a","languageId":"sh","version":1,"text":"f() {\n}\n"}})"));
  stage.client(hover_request("1", 0));
  stage.server(reply(own(1), hover_result("H")));
  stage.server(reply(own(2), R"([{"name":"f","kind":12,"location":{"uri":"file:///a","range":)"
                             R"({"start":{"line":0,"character":0},"end":{"line":1,"character":1}}}}])"));
  CHECK(stage.at_client ==
        Strings{reply("1", R"({"contents":{"kind":"plaintext","value":"NAME | KIND | RANGE | SELECTION | )"
                           R"(PARENT | HOVER_INFO | EOL\nf | 12 | 0:0-1:1 | 0:0-1 |  | H | <<<"}})")});
}

}  // namespace
}  // namespace symbols::session
