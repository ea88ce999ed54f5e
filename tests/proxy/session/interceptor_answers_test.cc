// The requests that the proxy answers itself, from the client's body to the answer's: ids, options, errors.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/proxy/query/query_stage.h"
#include "tests/proxy/session/session_stage.h"

namespace symbols::session {
namespace {

using Strings = std::vector<std::string>;

const std::string no_hovers = R"("include_hover":false)";

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
  for (const std::string& id : ids) stage.client(symbols_request(id, "file:///a", no_hovers));
  Strings expected;
  for (std::size_t i = 0; i < ids.size(); ++i) expected.push_back(own_symbols(static_cast<int>(i) + 1));
  CHECK(stage.take_at_server() == expected);
  for (std::size_t i = ids.size(); i-- > 0;) {
    CAPTURE(ids[i]);
    const std::string name(1, static_cast<char>('a' + i));
    stage.server(reply(own(static_cast<int>(i) + 1), "[" + query::symbol_json(name, 0, 0, 9) + "]"));
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
    options::AnswerOptions command_line;
    std::string initialize;
    std::string request;
    std::string at_server;  // the request that comes to the server
    std::string result;     // of the server's symbol `f`
  };
  const std::string plain = own_symbols(1);
  const std::string tree = "[" + query::symbol_json("f", 0, 0, 9) + "]";
  const std::string table = table_result(R"(\nf | 12 | 0:0-9 | 0:0-1 | )", "");
  const std::string json_session = R"("initializationOptions":{"symbols":{"format":"json"}})";
  const Case cases[] = {
      {"request", {}, "", symbols_request("1", "file:///a", no_hovers), plain, table},
      {"initialize",
       {},
       R"("initializationOptions":{"symbols":{"include_hover":false}})",
       symbols_request("1"),
       plain,
       table},
      {"command line", {.include_hover = false}, "", symbols_request("1"), plain, table},
      {"request over initialize over command line",
       {.format = table::Format::json, .include_hover = true},
       R"("initializationOptions":{"symbols":{"format":"table"}})",
       symbols_request("1", "file:///a", no_hovers),
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
       R"([{"name":"f","kind":12,"location":{"uri":"file:///a","range":)" + query::range_json(0, 0, 9) +
           "}}]"},
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
       "[" + query::leaf_json("f", 0, 0, 9) + "]"},
      {"other params stay, a token for parts does not",
       {},
       "",
       request(
           "1", "textDocument/documentSymbol",
           R"({ "partialResultToken":"p", "workDoneToken":1.0, "textDocument":{"uri":"file:\/\/\/a","x":[1]},)"
           R"( "format":"table", "include_hover":false })"),
       request(own(1), "textDocument/documentSymbol",
               R"({ "workDoneToken":1.0, "textDocument":{"uri":"file:\/\/\/a","x":[1]} })"),
       table},
  };
  for (const Case& c : cases) {
    CAPTURE(c.what);
    ProxyOptions options;
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
  const std::string message = R"(carrier cannot be \"7\"; give object or symbol)";
  const std::string budget = "max_tokens cannot be \\\"0\\\"; give a whole number from 1 to 1000000000";
  SessionStage stage;
  stage.initialize();
  stage.client(symbols_request("1", "file:///a", R"("carrier":7)"));
  stage.client(hover_request("2", 0, R"("carrier":7)"));
  stage.client(request("3", "workspace/executeCommand",
                       R"({"command":"symbols.documentSymbols","arguments":[)"
                       R"({"textDocument":{"uri":"file:///a"},"carrier":7}]})"));
  stage.client(symbols_request("4", "file:///a", R"("max_tokens":0)"));
  CHECK(stage.at_client == Strings{failure("1", -32602, message), failure("2", -32602, message),
                                   failure("3", -32602, message), failure("4", -32602, budget)});
  CHECK(stage.at_server.empty());
  CHECK_FALSE(stage.interceptor->client_waits());
}

TEST_CASE("interceptor: a request whose parameters are not JSON is the server's to refuse") {
  using namespace std::string_view_literals;
  SessionStage stage;
  stage.initialize();
  const Strings sent = {
      symbols_request("1", std::string("file:///a\0b"sv)),
      symbols_request("2", "file:///a\x04"),
      symbols_request("3", "file:///a", R"("x":tru)"),
      request("4", "textDocument/hover",
              R"({"textDocument":{"uri":"file:///a"},"position":{"line":0,"character":0},"x":\u0041})"),
      request("5", "workspace/executeCommand",
              R"({"command":"symbols.documentSymbols","arguments":[{"textDocument":{"uri":"\x"}}]})"),
  };
  for (const std::string& body : sent) stage.client(body);
  CHECK(stage.at_server == sent);
  CHECK(stage.at_client.empty());
}

TEST_CASE("interceptor: one symbol as the carrier of the text") {
  SessionStage stage;
  stage.initialize();
  stage.client(symbols_request("1", "file:///a", R"("carrier":"symbol","include_hover":false)"));
  stage.server(reply(own(1), "[" + query::symbol_json("f", 2, 0, 9) + "]"));
  CHECK(stage.at_client ==
        Strings{reply("1",
                      R"([{"name":"NAME | KIND | RANGE | SELECTION | PARENT\nf | 12 | 2:0-9 | 2:0-1 | ",)"
                      R"("kind":1,"range":{"start":{"line":0,"character":0},"end":{"line":2,"character":9}},)"
                      R"("selectionRange":{"start":{"line":0,"character":0},"end":{"line":0,"character":0}},)"
                      R"("children":[]}])")});
}

TEST_CASE("interceptor: what was intercepted is counted") {
  SessionStage stage;
  stage.initialize();
  stage.client(symbols_request("1", "file:///a", no_hovers));
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

TEST_CASE("interceptor: the document's end counts in the encoding that was agreed on") {
  for (const auto& [encoding, character] : {std::pair{"utf-8", "6"}, {"utf-16", "3"}, {"utf-32", "2"}}) {
    SessionStage stage;
    stage.initialize("", std::string(R"("positionEncoding":")") + encoding + '"');
    stage.client(notification(
        "textDocument/didOpen",
        R"({"textDocument":{"uri":"file:///a","languageId":"x","version":1,"text":"\né\ud83d\ude00"}})"));
    stage.client(symbols_request("1", "file:///a", R"("carrier":"symbol")"));
    stage.server(reply(own(1), "[]"));
    REQUIRE(stage.at_client.size() == 1);
    CHECK(stage.at_client[0].find(std::string(R"("end":{"line":1,"character":)") + character + "}") !=
          std::string::npos);
  }
}

}  // namespace
}  // namespace symbols::session
