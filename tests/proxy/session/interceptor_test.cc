// A session between a client and a server, as the interceptor sees it: what passes untouched, and who waits.
#include "proxy/session/interceptor.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

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

TEST_CASE("interceptor: what is nobody's business passes as it came") {
  const char* const from_client[] = {
      R"({"jsonrpc":"2.0","id":1,"method":"textDocument/definition","params":{"textDocument":{"uri":"file:///a"}}})",
      R"({"id":9007199254740993,"method":"workspace/symbol","params":{"query":"é \ud83d"}})",
      R"({ "method" : "x/y" , "params":{"n":1.50e+07,"n":2}, "id" : "1" })",
      R"({"jsonrpc":"2.0","id":2,"method":"workspace/executeCommand","params":{"command":"other","arguments":[{}]}})",
      R"({"jsonrpc":"2.0","id":2,"method":"workspace/executeCommand"})",
      R"({"jsonrpc":"2.0","id":3,"method":"textDocument/documentSymbol"})",
      R"({"jsonrpc":"2.0","id":3,"method":"textDocument/documentSymbol","params":{"textDocument":{"uri":7}}})",
      R"({"jsonrpc":"2.0","id":3,"method":"textDocument/documentSymbol","params":[{"textDocument":{}}]})",
      R"({"jsonrpc":"2.0","id":4,"method":"textDocument/hover","params":{"textDocument":{"uri":"file:///a"}}})",
      R"({"id":4,"method":"textDocument/hover","params":{"textDocument":{"uri":"a"},"position":{"line":-1,"character":0}}})",
      R"({"jsonrpc":"2.0","method":"textDocument/documentSymbol","params":{"textDocument":{"uri":"file:///a"}}})",
      R"({"jsonrpc":"2.0","method":"textDocument/didOpen","params":7})",
      R"({"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"file:///a"},"contentChanges":"?"}})",
      R"({"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":17}})",
      R"({"jsonrpc":"2.0","method":"$/cancelRequest"})",
      R"({"jsonrpc":"2.0","method":"$/setTrace","params":{"value":"off"}})",
      R"({"jsonrpc":"2.0","id":5,"result":null})",
      R"({"jsonrpc":"2.0","error":{"code":1,"message":"m"},"id":null})",
      R"([{"jsonrpc":"2.0","id":1,"method":"textDocument/documentSymbol"}])",
      R"({"jsonrpc":"2.0","id":1})",
      R"({"jsonrpc":"2.0","id":1,"method":7})",
      "not JSON",
      "",
      "{}",
      "\xFF\xFE",
  };
  const char* const from_server[] = {
      R"({"jsonrpc":"2.0","id":1,"result":{"a":1.0}})",
      R"({"result":[1,2,3],"id":9007199254740993})",
      R"({"jsonrpc":"2.0","id":"1","error":{"code":-32601,"message":"é"}})",
      R"({"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse error"}})",
      R"({"jsonrpc":"2.0","id":"own","result":1})",
      R"({"jsonrpc":"2.0","id":"own-","result":1})",
      R"({"jsonrpc":"2.0","id":"own-x","result":1})",
      R"({"jsonrpc":"2.0","id":1,"method":"workspace/configuration","params":{"items":[]}})",
      R"({"jsonrpc":"2.0","id":"ts1","method":"client/registerCapability","params":{"registrations":[]}})",
      R"({"jsonrpc":"2.0","id":2,"method":"workspace/inlayHint/refresh"})",
      R"({"jsonrpc":"2.0","method":"textDocument/publishDiagnostics","params":{"uri":"file:///a","diagnostics":[]}})",
      R"({"jsonrpc":"2.0","method":"$/progress","params":{"token":1,"value":{"kind":"begin","title":"t"}}})",
      R"({"jsonrpc":"2.0","method":"$/progress"})",
      R"([1])",
      "server started",
      "",
  };
  for (const ProxyOptions& options : {ProxyOptions{}, standard}) {
    SessionStage stage(options);
    stage.initialize();
    for (const char* const body : from_client) {
      CAPTURE(body);
      stage.client(body);
      CHECK(stage.take_at_server() == Strings{body});
      CHECK(stage.at_client.empty());
    }
    CHECK(stage.warnings.size() == 1);  // of all that is no message, once
    for (const char* const body : from_server) {
      CAPTURE(body);
      stage.server(body);
      CHECK(stage.take_at_client() == Strings{body});
      CHECK(stage.at_server.empty());
    }
    CHECK(stage.warnings.size() == 2);
  }
}

TEST_CASE("interceptor: with --format standard requests pass as they came, but for our options") {
  SessionStage stage(standard);
  stage.initialize();
  struct Case {
    const char* body;
    const char* at_server;
  };
  const Case cases[] = {
      {R"({"jsonrpc":"2.0", "id":1,"method":"textDocument/documentSymbol","params":{"textDocument":{"uri":"file:///a"}, "partialResultToken":"p"}})",
       nullptr},
      {R"({"id":2,"method":"textDocument/hover","params":{"textDocument":{"uri":"file:///a"},"position":{"line":0,"character":1.50e0}}})",
       nullptr},
      {R"({"id":"é","method":"textDocument/documentSymbol","params":{"format":"json", "textDocument":{"uri":"file:///a"},"x":1.0,"include_hover":false}, "z":1})",
       R"({"id":"é","method":"textDocument/documentSymbol","params":{"textDocument":{"uri":"file:///a"},"x":1.0}, "z":1})"},
      {R"({"id":4,"method":"textDocument/hover","params":{"position":{"line":0,"character":1},"textDocument":{"uri":"file:///a"},"hover_reply":"standard","hover_chars":null}})",
       R"({"id":4,"method":"textDocument/hover","params":{"position":{"line":0,"character":1},"textDocument":{"uri":"file:///a"}}})"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.body);
    stage.client(c.body);
    CHECK(stage.take_at_server() == Strings{c.at_server != nullptr ? c.at_server : c.body});
  }
  for (const char* const id : {"4", "1", R"("é")"}) {
    const std::string answer = reply(id, R"([ {"any":1.0} ])");
    stage.server(answer);
    CHECK(stage.take_at_client() == Strings{answer});
  }
  CHECK(stage.interceptor->client_waits());
  stage.server(reply("2", "null"));
  CHECK(stage.all_answered == 1);
}

TEST_CASE("interceptor: who waits, by ids as bytes, wherever the id stands") {
  SessionStage stage;
  stage.initialize();
  stage.client(request("1", "a/b", "{}"));
  stage.client(R"({"method":"a/b","params":{"id":5},"id":"1"})");
  stage.client(request("9007199254740993", "a/b", "{}"));
  stage.client(reply("2", "{}"));  // to a request of the server
  stage.client(R"({"result":{},"id":3})");
  stage.server(reply("9007199254740992", "1"));
  stage.server(reply("1", "1"));
  stage.server(R"({"jsonrpc":"2.0","id":"1","method":"window/showMessageRequest","params":{}})");
  CHECK(stage.all_answered == 0);
  stage.server(R"({"result":[],"id":9007199254740993})");
  CHECK(stage.interceptor->client_waits());
  stage.server(R"({"error":{"code":1,"message":"m"},"id":"1"})");
  CHECK_FALSE(stage.interceptor->client_waits());
  CHECK(stage.all_answered == 1);
}

TEST_CASE("interceptor: a reply with an id of ours never reaches the client, whatever it is to") {
  SessionStage stage;
  stage.initialize();
  ask_for_two(stage);
  stage.take_at_client();
  for (const char* const id : {R"("own-1")", R"("own-3")", R"("own-99")"}) {
    CAPTURE(id);
    stage.server(reply(id, "[]"));
    stage.server(failure(id, -32800, "cancelled"));
    stage.server(R"({"jsonrpc":"2.0","result":[],"id":)" + std::string(id) + "}");
    CHECK(stage.at_client.empty());
  }
  CHECK(stage.all_answered == 1);
}

TEST_CASE("interceptor: a client that uses ids of our form gets its replies, and so does the server") {
  SessionStage stage;
  stage.initialize();
  const std::string asked = request(own(7), "a/b", "{}");
  const std::string answer = reply(own(7), "1");
  stage.client(asked);
  CHECK(stage.take_at_server() == Strings{asked});
  stage.server(answer);
  CHECK(stage.take_at_client() == Strings{answer});
  stage.server(answer);
  CHECK(stage.take_at_client().empty());
  // A request of the server is none of ours.
  stage.server(request(own(7), "window/showMessageRequest", "{}"));
  CHECK(stage.take_at_client().size() == 1);
  stage.client(answer);
  CHECK(stage.take_at_server() == Strings{answer});
  // While the server owes us a reply with that id, the first one is ours.
  stage.client(request(own(1), "a/b", "{}"));
  ask_for_two(stage);
  CHECK(stage.take_at_client() == Strings{reply("1", two_result("A", "B"))});
  stage.server(reply(own(1), "2"));
  CHECK(stage.take_at_client() == Strings{reply(own(1), "2")});
}

TEST_CASE("interceptor: a message that breaks off behind what is known of it passes as it came") {
  SessionStage stage;
  stage.initialize();
  const std::string from_client = R"({"jsonrpc":"2.0","id":1,"method":"shutdown",)";
  stage.client(from_client);
  CHECK(stage.at_server == Strings{from_client});
  CHECK(stage.interceptor->wants_shutdown());
  const std::string from_server = R"({"jsonrpc":"2.0","result":[1)";
  stage.server(from_server);
  CHECK(stage.at_client == Strings{from_server});
}

TEST_CASE("interceptor: diagnostics pass, and the last ones are kept") {
  SessionStage stage;
  stage.initialize();
  const std::string start =
      R"({"jsonrpc":"2.0","method":"textDocument/publishDiagnostics","params":{"uri":"file:///a",)";
  const std::string small =
      start + R"("diagnostics":[{"range":)" + query::range_json(0, 0, 1) + R"(,"message":"odd"}]}})";
  auto asks = [&stage, number = 0]() mutable {
    stage.client(symbols_request(std::to_string(++number), "file:///a",
                                 R"("include":["diagnostics"],"include_hover":false)"));
    stage.server(reply(own(number), two));
    while (stage.at_client.empty() && stage.delayed.run()) {
    }
    REQUIRE(stage.at_client.size() == 1);
    return stage.take_at_client().front();
  };
  stage.server(small);
  CHECK(stage.take_at_client() == Strings{small});
  CHECK(asks().find("odd") != std::string::npos);
  stage.server(start + R"("diagnostics":[]}})");
  stage.take_at_client();
  CHECK(asks().find("odd") == std::string::npos);
}

TEST_CASE("interceptor: requests of the server that are answered in the client's place") {
  const Result<ServerAnswers> answers =
      ServerAnswers::parse("--answer", "configuration,workspaceFolders,refresh");
  REQUIRE(answers.has_value());
  ProxyOptions options;
  options.answer_server = *answers;
  SessionStage stage(options);
  stage.initialize(R"("rootUri":"file:///home/x")");
  stage.server(request("\"s1\"", "workspace/configuration", R"({"items":[{},{}]})"));
  stage.server(R"({"method":"workspace/workspaceFolders","id":1})");
  stage.server(R"({"method":"workspace/codeLens/refresh","jsonrpc":"2.0","id":2})");
  CHECK(stage.take_at_server() == Strings{reply("\"s1\"", "[null,null]"),
                                          reply("1", R"([{"uri":"file:///home/x","name":"x"}])"),
                                          reply("2", "null")});
  CHECK(stage.interceptor->bytes_answered() ==
        (reply("\"s1\"", "[null,null]") + reply("1", R"([{"uri":"file:///home/x","name":"x"}])") +
         reply("2", "null"))
            .size());
  CHECK(stage.at_client.empty());
  const std::string others[] = {request("3", "client/registerCapability", "{}"),
                                notification("workspace/configuration", "{}")};
  for (const std::string& body : others) {
    stage.server(body);
    CHECK(stage.take_at_client() == Strings{body});
  }
  CHECK(stage.at_server.empty());
}

TEST_CASE("interceptor: no more requests being answered than may be") {
  SessionStage stage;
  stage.initialize();
  constexpr int most = 4096;
  for (int i = 0; i < most; ++i) {
    stage.client(request(std::to_string(i), "textDocument/documentSymbol", document("file:///a")));
  }
  CHECK(stage.at_client.empty());
  const std::string body = request("\"x\"", "textDocument/documentSymbol", document("file:///a"));
  stage.client(body);
  CHECK(stage.take_at_client() ==
        Strings{failure("\"x\"", -32803, "4096 requests are being answered already; wait for some of them")});
  stage.server(reply(own(1), "null"));
  stage.take_at_client();
  stage.client(body);
  CHECK(stage.at_client.empty());
}

}  // namespace
}  // namespace symbols::session
