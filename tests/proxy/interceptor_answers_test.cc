// The requests that the proxy answers itself, from the client's body to the answer's: ids, options,
// cancelling, changes in between, several documents.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/proxy/query_stage.h"
#include "tests/proxy/session_stage.h"

namespace symbols::proxy {
namespace {

using Strings = std::vector<std::string>;

constexpr const char* symbols_method = "textDocument/documentSymbol";
constexpr const char* hover_method = "textDocument/hover";

std::string symbols_request(const std::string& id, const std::string& uri = "file:///a",
                            const std::string& more = "") {
  return request(id, symbols_method, document(uri, more));
}
std::string hover_request(const std::string& id, int line, const std::string& more = "") {
  return request(id, hover_method,
                 document("file:///a", R"("position":{"line":)" + std::to_string(line) +
                                           R"(,"character":0})" + (more.empty() ? "" : "," + more)));
}
std::string command(const std::string& id, const std::string& argument) {
  return request(id, "workspace/executeCommand",
                 R"({"command":"symbols.documentSymbols","arguments":[)" + argument + "]}");
}
std::string own_symbols(int number, const std::string& uri = "file:///a") {
  return request(own(number), symbols_method, document(uri));
}
std::string own_hover(int number, int line, const std::string& uri = "file:///a") {
  return request(own(number), hover_method,
                 document(uri, R"("position":{"line":)" + std::to_string(line) + R"(,"character":0})"));
}
std::string change(const std::string& uri) {
  return notification("textDocument/didChange", document(uri, R"("contentChanges":[{"text":"new"}])"));
}

const std::string two = "[" + symbol_json("a", 0, 0, 9) + "," + symbol_json("b", 1, 0, 9) + "]";
const std::string no_hover = R"("include_hover":false)";

// The answer for `two`, with these hovers.
std::string two_result(const std::string& a, const std::string& b, const std::string& meta = "") {
  return table_result(
      R"(\na | 12 | 0:0-9 | 0:0-1 |  | )" + a + R"( | <<<\nb | 12 | 1:0-9 | 1:0-1 |  | )" + b + " | <<<",
      " | HOVER_INFO | EOL", meta);
}
std::string hover(const std::string& text) {
  return R"({"contents":")" + text + "\"}";
}

TEST_CASE("interceptor: any id of the client comes back as it was, in whatever order the server answers") {
  const Strings ids = {"1",
                       "\"1\"",
                       "9007199254740993",
                       "9007199254740992",
                       "-1",
                       "1.50e0",
                       "\"é\\u0041\"",
                       "null",
                       "\"\"",
                       "\"own-1\"",
                       "\"" + std::string(300, 'x') + "\""};
  SessionStage stage;
  stage.initialize();
  for (const std::string& id : ids) stage.client(symbols_request(id, "file:///a", no_hover));
  Strings expected;
  for (std::size_t i = 0; i < ids.size(); ++i) expected.push_back(own_symbols(static_cast<int>(i) + 1));
  CHECK(stage.take_at_server() == expected);
  for (std::size_t i = ids.size(); i-- > 0;) {
    CAPTURE(ids[i]);
    const std::string name(1, static_cast<char>('a' + i));
    stage.server(reply(own(static_cast<int>(i) + 1), "[" + symbol_json(name, 0, 0, 9) + "]"));
    CHECK(stage.take_at_client() ==
          Strings{reply(ids[i], table_result("\\n" + name + " | 12 | 0:0-9 | 0:0-1 | ", ""))});
  }
  CHECK(stage.all_answered >= 1);
  CHECK_FALSE(stage.interceptor->client_waits());
  CHECK(stage.at_server.empty());
}

TEST_CASE("interceptor: options of the request, of initialize, of the command line") {
  struct Case {
    const char* what;
    AnswerOptions command_line;
    std::string initialize;
    std::string request;
    std::string at_server;  // the request that comes to the server
    std::string result;     // of the server's symbol `f`
  };
  const std::string plain = own_symbols(1);
  const std::string tree = "[" + symbol_json("f", 0, 0, 9) + "]";
  const std::string table = table_result(R"(\nf | 12 | 0:0-9 | 0:0-1 | )", "");
  const std::string json_session = R"("initializationOptions":{"symbols":{"format":"json"}})";
  const Case cases[] = {
      {"request", {}, "", symbols_request("1", "file:///a", no_hover), plain, table},
      {"initialize",
       {},
       R"("initializationOptions":{"symbols":{"include_hover":false}})",
       symbols_request("1"),
       plain,
       table},
      {"command line", {.include_hover = false}, "", symbols_request("1"), plain, table},
      {"request over initialize over command line",
       {.format = AnswerFormat::json, .include_hover = true},
       R"("initializationOptions":{"symbols":{"format":"table"}})",
       symbols_request("1", "file:///a", no_hover),
       plain,
       table},
      {"a table in a session of json",
       {},
       json_session,
       symbols_request("1", "file:///a", R"("format":"table","include_hover":false)"),
       plain,
       table},
      {"json for one request, and the client knows no hierarchy",
       {},
       "",
       symbols_request("1", "file:///a", R"("format":"json")"),
       plain,
       R"([{"name":"f","kind":12,"location":{"uri":"file:///a","range":)" + range_json(0, 0, 9) + "}}]"},
      {"json for one request, and it does",
       {},
       R"("capabilities":{"textDocument":{"documentSymbol":{"hierarchicalDocumentSymbolSupport":true}}})",
       symbols_request("1", "file:///a", R"("format":"json")"),
       symbols_request("1"),
       tree},
      {"levels in a session of json",
       {},
       json_session,
       symbols_request("1", "file:///a", R"("return_children":"no")"),
       plain,
       tree},
      {"other params stay, a token for parts does not",
       {},
       "",
       request(
           "1", symbols_method,
           R"({ "partialResultToken":"p", "workDoneToken":1.0, "textDocument":{"uri":"file:\/\/\/a","x":[1]},)"
           R"( "format":"table", "include_hover":false })"),
       request(own(1), symbols_method,
               R"({ "workDoneToken":1.0, "textDocument":{"uri":"file:\/\/\/a","x":[1]} })"),
       table},
  };
  for (const Case& c : cases) {
    CAPTURE(c.what);
    InterceptorOptions options;
    options.answers = c.command_line;
    SessionStage stage(options);
    stage.initialize(c.initialize);
    stage.client(c.request);
    CHECK(stage.at_server == Strings{c.at_server});
    stage.server(reply(c.at_server.find(own(1)) != std::string::npos ? own(1) : "1", tree));
    CHECK(stage.at_client == Strings{reply("1", c.result)});
  }
}

TEST_CASE("interceptor: options that are wrong are the client's error, and nothing is asked") {
  const std::string message = R"(carrier: \"7\" is no value of it; give object or symbol)";
  const std::string later =
      "max_tokens: this version has no such option; it has format, include_hover, return_children, "
      "hover_chars, "
      "hover_reply, carrier, timeout_ms";
  SessionStage stage;
  stage.initialize();
  stage.client(symbols_request("1", "file:///a", R"("carrier":7)"));
  stage.client(hover_request("2", 0, R"("carrier":7)"));
  stage.client(command("3", R"({"textDocument":{"uri":"file:///a"},"carrier":7})"));
  stage.client(symbols_request("4", "file:///a", R"("max_tokens":100)"));
  CHECK(stage.at_client == Strings{failure("1", -32602, message), failure("2", -32602, message),
                                   failure("3", -32602, message), failure("4", -32602, later)});
  CHECK(stage.at_server.empty());
  CHECK_FALSE(stage.interceptor->client_waits());
}

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
  stage.server(reply(own(3), hover("A")));
  stage.client(cancel("\"1\""));
  CHECK(stage.take_at_client() == Strings{failure("\"1\"", -32800, "cancelled by the client")});
  CHECK(stage.take_at_server() == Strings{cancel(own(4))});
  stage.server(failure(own(4), -32800, "cancelled"));
  CHECK(stage.at_client.empty());
  CHECK_FALSE(stage.interceptor->client_waits());

  // A hover, with the symbols that it needs.
  stage.client(hover_request("2", 0));
  CHECK(stage.take_at_server() == Strings{own_hover(5, 0), own_symbols(6)});
  stage.client(cancel("2"));
  CHECK(stage.take_at_client() == Strings{failure("2", -32800, "cancelled by the client")});
  Strings cancelled = stage.take_at_server();
  std::sort(cancelled.begin(), cancelled.end());
  CHECK(cancelled == Strings{cancel(own(5)), cancel(own(6))});
  stage.server(reply(own(5), hover("late")));
  stage.server(reply(own(6), two));

  // After the answer.
  stage.client(hover_request("3", 0, R"("hover_reply":"text")"));
  stage.server(reply(own(7), "null"));
  CHECK(stage.take_at_client() == Strings{reply("3", "null")});
  stage.take_at_server();
  stage.client(cancel("3"));
  CHECK(stage.at_client.empty());
  stage.run_delayed();
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
  stage.server(reply(own(4), hover("B")));
  stage.server(reply(own(3), hover("A")));
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
    stage.client(symbols_request("1"));
    stage.server(reply(own(1), two));
    stage.server(reply(own(2), hover("A")));
    stage.server(reply(own(3), hover("B")));
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

TEST_CASE("interceptor: what is never remembered") {
  const std::string begin = notification("$/progress", R"({"token":"t","value":{"kind":"begin"}})");
  const std::string end = notification("$/progress", R"({"token":"t","value":{"kind":"end"}})");
  SessionStage stage;
  stage.initialize();
  int number = 0;
  const auto ask = [&](const std::string& a) {
    stage.client(symbols_request("1", "file:///a"));
    stage.server(reply(own(++number), "[" + symbol_json("a", 0, 0, 9) + "]"));
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
  CHECK(ask(hover("A")) == "asked for");
  CHECK(ask(hover("A")) == "asked for");
  stage.server(end);
  stage.take_at_client();
  CHECK(ask(hover("A")) == "asked for");
  CHECK(ask("") == "remembered");
}

TEST_CASE("interceptor: a change of the document keeps the symbols and counts the hovers that were out") {
  SessionStage stage;
  stage.initialize();
  stage.client(symbols_request("1"));
  stage.server(reply(own(1), two));
  stage.server(reply(own(2), hover("A")));
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
  REQUIRE(stage.delayed.size() == 1);
  CHECK(stage.delayed[0].first == std::chrono::milliseconds(77));
  stage.run_delayed();
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
  CHECK(stage.take_at_server() == Strings{own_hover(1, 0), own_symbols(2)});
  stage.server(reply(own(2), two));
  stage.server(reply(own(1), hover("A")));
  const std::string head =
      R"({"contents":{"kind":"plaintext","value":"NAME | KIND | RANGE | SELECTION | PARENT | )"
      R"(HOVER_INFO | EOL\n)";
  CHECK(stage.take_at_client() == Strings{reply("1", head + "a | 12 | 0:0-9 | 0:0-1 |  | A | <<<\"}}")});
  // The next one has the symbols already.
  stage.client(hover_request("2", 1, R"("hover_chars":3)"));
  CHECK(stage.take_at_server() == Strings{own_hover(3, 1)});
  stage.server(reply(own(3), hover("12345")));
  CHECK(stage.take_at_client() ==
        Strings{reply("2", head + R"(b | 12 | 1:0-9 | 1:0-1 |  | 12\u2026 | <<<"}})")});
  stage.client(hover_request("3", 1, R"("hover_reply":"text")"));
  CHECK(stage.take_at_server() == Strings{own_hover(4, 1)});
  stage.server(reply(own(4), hover("**B**")));
  CHECK(stage.take_at_client() == Strings{reply("3", R"({"contents":{"kind":"plaintext","value":"B"}})")});
  stage.client(hover_request("4", 1, R"("hover_reply":"standard")"));
  CHECK(stage.take_at_server() == Strings{hover_request("4", 1)});
  stage.server(reply("4", hover("**B**")));
  CHECK(stage.take_at_client() == Strings{reply("4", hover("**B**"))});
  // A change makes the symbols old.
  stage.client(change("file:///a"));
  stage.next_turn();
  stage.take_at_server();
  stage.client(hover_request("5", 1));
  CHECK(stage.take_at_server() == Strings{own_hover(5, 1), own_symbols(6)});
}

TEST_CASE("interceptor: the command, for one document") {
  struct Case {
    const char* what;
    std::string argument;
    std::string at_server;  // empty where it is refused
    std::string server;     // the server's result, or error
    std::string at_client;
  };
  const std::string flat =
      R"([{"name":"f","kind":12,"location":{"uri":"file:///a","range":)" + range_json(0, 0, 9) + "}}]";
  const auto refused = [](const std::string& message) { return failure("\"c\"", -32602, message); };
  const Case cases[] = {
      {"a table", R"({"textDocument":{"uri":"file:///a"},"include_hover":false})", own_symbols(1),
       "[" + symbol_json("f", 0, 0, 9) + "]",
       reply("\"c\"", table_result(R"(\nf | 12 | 0:0-9 | 0:0-1 | )", ""))},
      {"json, for a client without hierarchy", R"({"textDocument":{"uri":"file:///a"},"format":"json"})",
       own_symbols(1), "[" + symbol_json("f", 0, 0, 9) + "]", reply("\"c\"", flat)},
      {"further arguments are not looked at", R"({"textDocument":{"uri":"file:///\u0061"}},7)",
       own_symbols(1), "null", reply("\"c\"", table_result(""))},
      {"no argument", "", "", "",
       refused(
           R"(symbols.documentSymbols: its argument is one object; give [{\"textDocument\":{\"uri\":\u2026}}])")},
      {"a text", R"("file:///a")", "", "",
       refused(
           R"(symbols.documentSymbols: its argument is one object; give [{\"textDocument\":{\"uri\":\u2026}}])")},
      {"no document", "{}", "", "",
       refused("symbols.documentSymbols: no document; give textDocument or textDocuments, with a uri each")},
      {"no list of documents", R"({"textDocuments":{"uri":"file:///a"}})", "", "",
       refused(R"(textDocuments: no list of documents; give [{\"uri\":\"file:///\u2026\"},\u2026])")},
      {"a list of something else", R"({"textDocuments":["file:///a"]})", "", "",
       refused(R"(textDocuments: no list of documents; give [{\"uri\":\"file:///\u2026\"},\u2026])")},
  };
  for (const char* const session : {"", R"("initializationOptions":{"symbols":{"format":"json"}})"}) {
    for (const Case& c : cases) {
      CAPTURE(c.what);
      SessionStage stage;
      stage.initialize(session);
      const bool standard_session = *session != '\0';
      if (standard_session && c.argument.find("format") == std::string::npos && !c.at_server.empty())
        continue;
      stage.client(command("\"c\"", c.argument));
      CHECK(stage.at_server == (c.at_server.empty() ? Strings{} : Strings{c.at_server}));
      if (!c.at_server.empty()) stage.server(reply(own(1), c.server));
      CHECK(stage.at_client == Strings{c.at_client});
      CHECK_FALSE(stage.interceptor->client_waits());
    }
  }
  SessionStage stage;
  stage.initialize();
  stage.client(command("1", R"({"textDocument":{"uri":"file:///a"}})"));
  stage.server(R"({"jsonrpc":"2.0","id":"own-1","error":{"code":-32603,"message":"m","data":[1.0]}})");
  CHECK(stage.at_client ==
        Strings{R"({"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"m","data":[1.0]}})"});
}

TEST_CASE("interceptor: the command, for several documents") {
  const std::string list =
      R"("textDocuments":[{"uri":"file:///a"},{"uri":"file:///b"},{"uri":"file:///\u00e9"}])";
  const auto result = [](const std::string& uri, const std::string& name) {
    return R"({"uri":"file:///)" + uri + R"(","result":)" +
           table_result("\\n" + name + " | 12 | 0:0-9 | 0:0-1 | ", "") + "}";
  };
  SessionStage stage;
  stage.initialize();
  stage.client(command("1", "{" + list + ",\"include_hover\":false}"));
  CHECK(stage.take_at_server() ==
        Strings{own_symbols(1), own_symbols(2, "file:///b"), own_symbols(3, "file:///\\u00e9")});
  stage.server(reply(own(3), "[" + symbol_json("e", 0, 0, 9) + "]"));
  stage.server(failure(own(2), -32602, "not open"));
  CHECK(stage.at_client.empty());
  stage.server(reply(own(1), "[" + symbol_json("a", 0, 0, 9) + "]"));
  CHECK(stage.take_at_client() ==
        Strings{reply(
            "1", R"({"results":[)" + result("a", "a") + "," + result("\\u00e9", "e") +
                     R"(],"errors":[{"uri":"file:///b","error":{"code":-32602,"message":"not open"}}]})")});
  CHECK(stage.all_answered == 1);

  stage.client(command("2", R"({"textDocuments":[]})"));
  CHECK(stage.take_at_client() == Strings{reply("2", R"({"results":[],"errors":[]})")});

  // One that is cancelled cancels all.
  stage.client(command("3", "{" + list + "}"));
  stage.take_at_server();
  stage.server(reply(own(5), two));
  stage.take_at_server();
  stage.client(cancel("3"));
  CHECK(stage.take_at_client() == Strings{failure("3", -32800, "cancelled by the client")});
  Strings cancelled = stage.take_at_server();
  std::sort(cancelled.begin(), cancelled.end());
  CHECK(cancelled == Strings{cancel(own(4)), cancel(own(6)), cancel(own(7)), cancel(own(8))});
  for (int i = 4; i < 9; ++i) stage.server(reply(own(i), "null"));
  stage.run_delayed();
  CHECK(stage.at_client.empty());

  std::string many = R"({"textDocuments":[{"uri":"x"})";
  for (int i = 0; i < 1000; ++i) many += R"(,{"uri":"x"})";
  stage.client(command("4", many + "]}"));
  CHECK(stage.take_at_client() ==
        Strings{failure("4", -32602,
                        "textDocuments: 1001 documents are too many; ask for at most 1000 at a time")});
}

TEST_CASE("interceptor: one symbol as the carrier of the text") {
  SessionStage stage;
  stage.initialize();
  stage.client(symbols_request("1", "file:///a", R"("carrier":"symbol","include_hover":false)"));
  stage.server(reply(own(1), "[" + symbol_json("f", 2, 0, 9) + "]"));
  CHECK(stage.at_client ==
        Strings{reply("1",
                      R"([{"name":"NAME | KIND | RANGE | SELECTION | PARENT\nf | 12 | 2:0-9 | 2:0-1 | ",)"
                      R"("kind":1,"range":{"start":{"line":0,"character":0},"end":{"line":2,"character":9}},)"
                      R"("selectionRange":{"start":{"line":0,"character":0},"end":{"line":0,"character":0}},)"
                      R"("children":[]}])")});
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
  stage.run_delayed();
  CHECK(stage.at_client.empty());
}

TEST_CASE("interceptor: what was intercepted is counted") {
  SessionStage stage;
  stage.initialize();
  stage.client(symbols_request("1", "file:///a", no_hover));
  stage.server(reply(own(1), two));
  stage.client(hover_request("2", 0, R"("hover_reply":"text")"));
  stage.server(reply(own(2), "null"));
  stage.client(request("3", "textDocument/definition", document("file:///a")));
  stage.server(reply("3", "null"));
  const std::string report = stage.stats.report();
  CHECK(report.find("textDocument/documentSymbol: 1 answered, " + std::to_string(two.size()) + " -> ") !=
        std::string::npos);
  CHECK(report.find("textDocument/hover: 1 answered, 4 -> 4 bytes") != std::string::npos);
  CHECK(report.find("definition") == std::string::npos);
}

}  // namespace
}  // namespace symbols::proxy
