// An Interceptor between a client and a server that the test plays itself, with whole bodies and no bytes.
#pragma once

#include <doctest/doctest.h>

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lsp/json/json.h"
#include "proxy/servers/server_registry.h"
#include "proxy/session/interceptor.h"
#include "tests/proxy/query/query_stage.h"

namespace symbols::session {

struct SessionStage {
  std::vector<std::string> at_server;  // what the server got since it was looked at last
  std::vector<std::string> at_client;
  std::vector<std::string> warnings;
  relay::DelayedActions delayed;
  int exits = 0;         // of the client
  int all_answered = 0;  // times that the client waited for nothing more
  servers::ServerRegistry registry = servers::ServerRegistry::built_in();
  TrafficStats stats;
  std::unique_ptr<Interceptor> interceptor;

  // Documents that exist nowhere are not to be looked for, unless a test wants that.
  enum class AutoOpen { off_unless_given, as_given };

  explicit SessionStage(ProxyOptions options = {}, AutoOpen auto_open = AutoOpen::off_unless_given) {
    if (!options.auto_open && auto_open == AutoOpen::off_unless_given) options.auto_open = false;
    options.version = "1.2";
    interceptor = std::make_unique<Interceptor>(
        options, "own-", registry, nullptr,
        Interceptor::Callbacks{
            .to_client = [this](std::string body) { at_client.push_back(std::move(body)); },
            .to_server = [this](std::string body) { at_server.push_back(std::move(body)); },
            .timers = delayed,
            .on_client_exit = [this] { ++exits; },
            .on_all_answered = [this] { ++all_answered; },
            .warn = [this](const std::string& message) { warnings.push_back(message); }},
        &stats);
  }

  // One side sends a body. What passes is at the other side.
  void client(std::string_view body) {
    if (!interceptor->take_client(body)) at_server.emplace_back(body);
  }
  void server(std::string_view body) {
    if (!interceptor->take_server(body)) at_client.emplace_back(body);
  }

  // What has come since the last look.
  std::vector<std::string> take_at_server() { return std::exchange(at_server, {}); }
  std::vector<std::string> take_at_client() { return std::exchange(at_client, {}); }

  // Only those that wait for nothing but the loop's next turn.
  void next_turn() { delayed.run(std::chrono::milliseconds(0)); }

  // initialize and its answer, with these members of params and of capabilities.
  void initialize(const std::string& params = "",
                  const std::string& capabilities = R"("hoverProvider":true)") {
    client(R"({"jsonrpc":"2.0","id":"init","method":"initialize","params":{)" + params + "}}");
    server(R"({"jsonrpc":"2.0","id":"init","result":{"capabilities":{)" + capabilities + "}}}");
    client(R"({"jsonrpc":"2.0","method":"initialized","params":{}})");
    at_server.clear();
    at_client.clear();
    all_answered = 0;
  }
};

// Bodies as clients and servers write them; `id` and the last argument are raw JSON.
inline std::string request(const std::string& id, const std::string& method, const std::string& params) {
  return R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":")" + method + R"(","params":)" + params + "}";
}
inline std::string notification(const std::string& method, const std::string& params) {
  return R"({"jsonrpc":"2.0","method":")" + method + R"(","params":)" + params + "}";
}
inline std::string reply(const std::string& id, const std::string& result) {
  return R"({"jsonrpc":"2.0","id":)" + id + R"(,"result":)" + result + "}";
}
inline std::string failure(const std::string& id, int code, const std::string& message) {
  return R"({"jsonrpc":"2.0","id":)" + id + R"(,"error":{"code":)" + std::to_string(code) +
         R"(,"message":")" + message + R"("}})";
}
inline std::string document(const std::string& uri, const std::string& more = "") {
  return R"({"textDocument":{"uri":")" + uri + "\"}" + (more.empty() ? "" : "," + more) + "}";
}
inline std::string own(int number) {
  return "\"own-" + std::to_string(number) + "\"";
}
inline std::string cancel(const std::string& id) {
  return notification("$/cancelRequest", R"({"id":)" + id + "}");
}

// The requests that are about document symbols and hovers, of the client and as the server gets them.
inline std::string symbols_request(const std::string& id, const std::string& uri = "file:///a",
                                   const std::string& more = "") {
  return request(id, "textDocument/documentSymbol", document(uri, more));
}
inline std::string hover_request(const std::string& id, int line, const std::string& more = "") {
  return request(id, "textDocument/hover",
                 document("file:///a", R"("position":{"line":)" + std::to_string(line) +
                                           R"(,"character":0})" + (more.empty() ? "" : "," + more)));
}
inline std::string own_symbols(int number, const std::string& uri = "file:///a") {
  return symbols_request(own(number), uri);
}
inline std::string own_hover(int number, int line) {
  return hover_request(own(number), line);
}
inline std::string change(const std::string& uri) {
  return notification("textDocument/didChange", document(uri, R"("contentChanges":[{"text":"new"}])"));
}

// The result of a documentSymbol request in a text format, whose text is the header and these rows (each
// begins with "\n" as JSON has it).
inline std::string table_result(const std::string& rows,
                                const std::string& header_end = " | HOVER_INFO | EOL",
                                const std::string& meta = "") {
  return R"({"success":true,"format":"table","symbols":"NAME | KIND | RANGE | SELECTION | PARENT)" +
         header_end + rows + "\"" + meta + "}";
}

// A reply with the symbols `a` and `b`, and the answer that comes of it with these hovers.
inline const std::string two =
    "[" + query::symbol_json("a", 0, 0, 9) + "," + query::symbol_json("b", 1, 0, 9) + "]";
inline std::string two_result(const std::string& a, const std::string& b, const std::string& meta = "") {
  return table_result(
      R"(\na | 12 | 0:0-9 | 0:0-1 |  | )" + a + R"( | <<<\nb | 12 | 1:0-9 | 1:0-1 |  | )" + b + " | <<<",
      " | HOVER_INFO | EOL", meta);
}
inline std::string hover_result(const std::string& text) {
  return R"({"contents":")" + text + "\"}";
}
// The session's first question, under the id 1: the symbols of file:///a, which are `two`, with the hovers A
// and B.
inline void ask_for_two(SessionStage& stage) {
  stage.client(symbols_request("1"));
  stage.server(reply(own(1), two));
  stage.server(reply(own(2), hover_result("A")));
  stage.server(reply(own(3), hover_result("B")));
}

}  // namespace symbols::session
