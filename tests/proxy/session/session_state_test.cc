// What the proxy remembers of a session's messages: its own requests, the client's, what the server is
// loading, what is answered in the client's place, what all of it would have cost.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "proxy/session/client_requests.h"
#include "proxy/session/own_requests.h"
#include "proxy/session/server_answers.h"
#include "proxy/session/server_progress.h"
#include "proxy/session/traffic_stats.h"
#include "table/token_estimate.h"

namespace symbols::session {
namespace {

using Strings = std::vector<std::string>;

lsp::Envelope envelope(std::string_view body) {
  const Result<lsp::Envelope> read = lsp::read_envelope(body);
  REQUIRE(read.has_value());
  return *read;
}

// Requests of our own, and what came of each, in words.
struct Own {
  Strings sent;
  Strings replies;
  OwnRequests requests{"symbols-proxy-", [this](std::string body) { sent.push_back(std::move(body)); }};

  lsp::RequestNumber ask(const std::string& name) {
    return requests.request("m", "{}", [this, name](const lsp::Reply& reply) {
      replies.push_back(name + (reply.failed ? " failed " + std::to_string(reply.error.code) : "") + ": " +
                        std::string(reply.result));
    });
  }
  void receive(std::string_view body) { requests.receive(envelope(body)); }
};

TEST_CASE("own requests: how they are written") {
  Own own;
  own.requests.request("a/b", R"({"x":1})", [](const lsp::Reply&) {});
  own.requests.request("shutdown", "", [](const lsp::Reply&) {});
  own.requests.cancel(1);
  own.requests.cancel(1);
  own.requests.cancel(3);
  CHECK(own.sent ==
        Strings{R"({"jsonrpc":"2.0","id":"symbols-proxy-1","method":"a/b","params":{"x":1}})",
                R"({"jsonrpc":"2.0","id":"symbols-proxy-2","method":"shutdown"})",
                R"({"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":"symbols-proxy-1"}})"});
}

TEST_CASE("own requests: which ids are ours") {
  Own own;
  own.ask("a");
  for (const auto& [id, is_own] : {std::pair{R"("symbols-proxy-1")", true},
                                   {R"("symbols-proxy-2")", false},
                                   {R"("symbols-proxy-0")", false},
                                   {"1", false},
                                   {R"("1")", false},
                                   {R"("symbols-proxy-")", false},
                                   {R"("symbols-proxy-x")", false},
                                   {R"("symbols-proxy-1x")", false},
                                   {R"("symbols-proxy--1")", false},
                                   {"symbols-proxy-1", false},
                                   {R"("Symbols-proxy-1")", false},
                                   {R"("symbols-proxy-99999999999999999999999")", false},
                                   {"", false},
                                   {"null", false}}) {
    CAPTURE(id);
    CHECK(own.requests.is_own(id) == is_own);
  }
}

TEST_CASE("own requests: replies find their handlers once, in any order") {
  Own own;
  own.ask("a");
  own.ask("b");
  const lsp::RequestNumber c = own.ask("c");
  CHECK(own.requests.in_flight());
  own.receive(R"({"id":"symbols-proxy-2","result":[1, 2]})");
  own.receive(R"({"id":"symbols-proxy-2","result":"twice"})");
  own.receive(R"({"result":null,"id":"symbols-proxy-9"})");
  CHECK(own.requests.in_flight());
  own.receive(R"({"id":"symbols-proxy-1","error":{"code":-32801,"message":"m","data":{}}})");
  CHECK(own.requests.in_flight());
  own.requests.cancel(c);
  CHECK(own.requests.in_flight());  // its reply is owed
  own.receive(R"({"id":"symbols-proxy-3","error":{"code":-32800,"message":"cancelled"}})");
  CHECK_FALSE(own.requests.in_flight());
  own.receive(R"({"id":"symbols-proxy-3","result":null})");
  CHECK_FALSE(own.requests.in_flight());
  CHECK(own.replies.size() == 2);
  CHECK(own.replies[0].starts_with("b: [1, 2]"));
  CHECK(own.replies[1].starts_with(R"(a failed -32801: {"code":-32801,"message":"m","data":{}})"));
}

TEST_CASE("own requests: a reply that comes twice does not stand for another that is owed") {
  for (const bool cancelled : {false, true}) {
    Own own;
    own.ask("a");
    const lsp::RequestNumber b = own.ask("b");
    if (cancelled) own.requests.cancel(b);
    for (int i = 0; i < 3; ++i) own.receive(R"({"id":"symbols-proxy-1","result":1})");
    CHECK(own.requests.in_flight());
    own.receive(R"({"id":"symbols-proxy-2","result":1})");
    CHECK_FALSE(own.requests.in_flight());
  }
}

TEST_CASE("own requests: cancelled ones that are never answered are forgotten in the end") {
  Own own;
  for (std::size_t i = 0; i < OwnRequests::most_abandoned + 1; ++i) own.requests.cancel(own.ask("a"));
  for (std::size_t i = 2; i <= OwnRequests::most_abandoned + 1; ++i) {
    REQUIRE(own.requests.in_flight());
    own.receive(R"({"result":1,"id":"symbols-proxy-)" + std::to_string(i) + "\"}");
  }
  CHECK_FALSE(own.requests.in_flight());
}

TEST_CASE("own requests: errors of other shapes") {
  Own own;
  for (const char* const error : {R"({"message":"m"})", R"("words")", "[1]", R"({"code":"x"})", "7"}) {
    own.ask("a");
    own.requests.receive({.kind = lsp::Envelope::Kind::error,
                          .id = "\"symbols-proxy-" + std::to_string(own.sent.size()) + "\"",
                          .method = {},
                          .rest = error});
    CHECK(own.replies.back() == std::string("a failed 0: ") + error);
  }
}

TEST_CASE("client requests: ids are bytes") {
  ClientRequests requests;
  CHECK(requests.empty());
  for (const char* const id : {"1", R"("1")", "9007199254740993", "9007199254740992", "null", "1"}) {
    requests.add(id);
  }
  CHECK(requests.size() == 5);
  requests.remove("2");
  requests.remove(R"("1")");
  requests.remove("9007199254740992");
  Strings left = requests.take_all();
  std::sort(left.begin(), left.end());
  CHECK(left == Strings{"1", "9007199254740993", "null"});
  CHECK(requests.empty());
  CHECK(requests.take_all().empty());
}

TEST_CASE("client requests: bounded in number and length") {
  ClientRequests requests;
  requests.add(std::string(ClientRequests::longest_id, '1'));
  requests.add(std::string(ClientRequests::longest_id + 1, '1'));
  CHECK(requests.size() == 1);
  for (std::size_t i = 0; i < ClientRequests::most + 10; ++i) requests.add(std::to_string(i));
  CHECK(requests.size() == ClientRequests::most);
  requests.remove("0");
  requests.add("new");
  CHECK(requests.size() == ClientRequests::most);
  requests.remove("new");
  CHECK(requests.size() == ClientRequests::most - 1);
}

TEST_CASE("server progress: what has begun and not ended") {
  struct Step {
    const char* params;
    bool loading;
  };
  const Step steps[] = {
      {R"({"token":"a","value":{"kind":"report","message":"m"}})", false},
      {R"({"token":"a","value":{"kind":"end"}})", false},
      {R"({"token":1,"value":{"kind":"begin","title":"t"}} behind)", true},
      {R"({"token":"1","value":{"kind":"end"}})", true},
      {R"({"token":1,"value":{"kind":"report"}})", true},
      {R"({"value":{"kind":"begin"},"token":"b"})", true},
      {R"({"token":1,"value":{"kind":"begin"}})", true},
      {R"({"token":1,"value":{"kind":"end"}})", true},
      {R"({"token":"b","value":{"kind":"ended"}})", true},
      {R"({"token":"b","value":"end"})", true},
      {R"({"token":"b"})", true},
      {R"({"value":{"kind":"end"}})", true},
      {"null", true},
      {R"({"token":"b","value":{"kind":"end"}})", false},
      {R"({"token":"p","value":[{"kind":"begin"}]})", false},  // a partial result
      {"", false},
  };
  ServerProgress progress;
  for (const Step& step : steps) {
    CAPTURE(step.params);
    progress.receive(step.params);
    CHECK(progress.loading() == step.loading);
  }
}

TEST_CASE("server progress: a server that ends nothing fills no memory") {
  ServerProgress progress;
  const auto receive = [&](const std::string& token, const std::string& kind) {
    progress.receive("{\"token\":" + token + R"(,"value":{"kind":")" + kind + "\"}}");
  };
  receive("\"" + std::string(10'000, 'x') + "\"", "begin");
  CHECK_FALSE(progress.loading());
  for (int i = 0; i < 3000; ++i) receive(std::to_string(i), "begin");
  CHECK(progress.loading());
  for (int i = 0; i < 1024; ++i) receive(std::to_string(i), "end");
  CHECK_FALSE(progress.loading());
}

TEST_CASE("server answers: which requests, by what names") {
  struct Case {
    const char* list;
    Strings covered;
    Strings others;
  };
  const Case cases[] = {
      {"", {}, {"workspace/configuration", "", "all"}},
      {"configuration", {"workspace/configuration"}, {"configuration", "client/registerCapability"}},
      {"workspace/configuration,showDocument",
       {"workspace/configuration", "window/showDocument"},
       {"workspace/applyEdit"}},
      {"registerCapability,unregisterCapability,",
       {"client/registerCapability", "client/unregisterCapability"},
       {"workspace/configuration"}},
      {"refresh",
       {"workspace/semanticTokens/refresh", "workspace/inlayHint/refresh", "workspace/inlineValue/refresh",
        "workspace/codeLens/refresh", "workspace/diagnostic/refresh", "workspace/foldingRange/refresh"},
       {"workspace/refresh", "workspace/configuration"}},
      {"workspace/codeLens/refresh", {"workspace/codeLens/refresh"}, {"workspace/inlayHint/refresh"}},
      {"all",
       {"workspace/configuration", "workspace/workspaceFolders", "client/registerCapability",
        "client/unregisterCapability", "window/workDoneProgress/create", "window/showMessageRequest",
        "window/showDocument", "workspace/applyEdit", "workspace/codeLens/refresh"},
       {"window/logMessage", "$/progress", "custom/request"}},
  };
  for (const Case& c : cases) {
    CAPTURE(c.list);
    const Result<ServerAnswers> answers = ServerAnswers::parse("--answer", c.list);
    REQUIRE(answers.has_value());
    CHECK(answers->empty() == c.covered.empty());
    for (const std::string& method : c.covered) CHECK(answers->covers(method));
    for (const std::string& method : c.others) CHECK_FALSE(answers->covers(method));
  }
  for (const char* const list :
       {"config", "configuration,,refresh", " configuration", "Configuration", ","}) {
    CAPTURE(list);
    const Result<ServerAnswers> answers = ServerAnswers::parse("--answer", list);
    REQUIRE_FALSE(answers.has_value());
    CHECK(answers.error().message.starts_with("--answer: \""));
    CHECK(answers.error().advice ==
          "give some of configuration, workspaceFolders, registerCapability, unregisterCapability, "
          "workDoneProgress, showMessageRequest, showDocument, applyEdit, refresh, joined by commas, or all");
  }
}

TEST_CASE("server answers: what the server gets") {
  struct Case {
    const char* initialize;
    const char* request;
    const char* expected;
  };
  const char* const folders = R"({"id":"f","method":"workspace/workspaceFolders"})";
  const Case cases[] = {
      {R"({"rootUri":"file:///a/b%20c"})", folders,
       R"({"jsonrpc":"2.0","id":"f","result":[{"uri":"file:///a/b%20c","name":"b c"}]})"},
      {R"({"rootUri":"file:\/\/\/a/\u0062/"})", folders,
       R"({"jsonrpc":"2.0","id":"f","result":[{"uri":"file:///a/b/","name":"b"}]})"},
      {R"({"rootUri":"vscode-remote://x/y"})", folders,
       R"({"jsonrpc":"2.0","id":"f","result":[{"uri":"vscode-remote://x/y","name":""}]})"},
      {R"({"rootUri":null,"workspaceFolders":[{"uri":"file:///x","name":"é"}, {"uri":"file:///y"}]})",
       folders,
       R"({"jsonrpc":"2.0","id":"f","result":[{"uri":"file:///x","name":"\u00e9"}, {"uri":"file:///y"}]})"},
      {R"({"rootUri":"file:///a","workspaceFolders":null})", folders,
       R"({"jsonrpc":"2.0","id":"f","result":[{"uri":"file:///a","name":"a"}]})"},
      {R"({"rootUri":null})", folders, R"({"jsonrpc":"2.0","id":"f","result":null})"},
      {"{}", folders, R"({"jsonrpc":"2.0","id":"f","result":null})"},
      {R"({"rootUri":7})", folders, R"({"jsonrpc":"2.0","id":"f","result":null})"},
      {"", R"({"id":7,"method":"workspace/configuration","params":{"items":[{"section":"a"},{}]}})",
       R"({"jsonrpc":"2.0","id":7,"result":[null,null]})"},
      {"", R"({"id":7,"method":"client/registerCapability","params":{"registrations":[]}})",
       R"({"jsonrpc":"2.0","id":7,"result":null})"},
      {"", R"({"id":7,"method":"workspace/applyEdit","params":{}})",
       R"({"jsonrpc":"2.0","id":7,"result":{"applied":false}})"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.initialize);
    CAPTURE(c.request);
    Result<ServerAnswers> answers = ServerAnswers::parse("--answer", "all");
    REQUIRE(answers.has_value());
    answers->set_root(c.initialize);
    CHECK(answers->answer(envelope(c.request)) == c.expected);
  }
}

TEST_CASE("traffic stats: per method, before and after") {
  TrafficStats stats;
  CHECK(stats.report() == "symbols: nothing was intercepted\n");
  const std::string before = R"([{"name":"a","kind":12},{"name":"b","kind":12}])";
  const std::string after = R"("a | 12\nb | 12")";
  stats.add_before("textDocument/documentSymbol", before);
  stats.add_before("textDocument/documentSymbol", before);
  stats.add_after("textDocument/documentSymbol", after);
  stats.add_after("textDocument/hover", "null");
  const auto tokens = [](const std::string& text) { return std::to_string(table::estimate_tokens(text)); };
  const auto twice = [](const std::string& text) { return std::to_string(2 * table::estimate_tokens(text)); };
  CHECK(stats.report() == "symbols: textDocument/documentSymbol: 1 answered, " +
                              std::to_string(2 * before.size()) + " -> " + std::to_string(after.size()) +
                              " bytes, about " + twice(before) + " -> " + tokens(after) +
                              " tokens\nsymbols: textDocument/hover: 1 answered, 0 -> 4 bytes, about 0 -> " +
                              tokens("null") + " tokens\n");
}

}  // namespace
}  // namespace symbols::session
