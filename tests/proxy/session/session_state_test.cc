// What the proxy remembers of a session's messages: the client's requests, what is answered in the client's
// place, what all of it would have cost.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "proxy/session/client_requests.h"
#include "proxy/session/server_answers.h"
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
