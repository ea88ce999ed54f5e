// An Interceptor between a client and a server that the test plays itself, with whole bodies and no bytes.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lsp/messages.h"
#include "proxy/servers/server_registry.h"
#include "proxy/session/interceptor.h"
#include "tests/proxy/io/delayed_actions.h"

namespace symbols::session {

struct SessionStage {
  struct Sent {
    bool to_server;
    std::string body;
    bool operator==(const Sent&) const = default;
  };
  std::vector<Sent> sent;           // what both sides got, in this order
  std::vector<std::string> events;  // warnings, and that exit was received
  io::DelayedActions delayed;
  int all_answered = 0;  // times that the client waited for nothing more
  servers::ServerRegistry registry = servers::ServerRegistry::built_in();
  TrafficStats stats;
  Interceptor interceptor;

  explicit SessionStage(ProxyOptions options = {})
      : interceptor(with_version(std::move(options)), "own-", registry, nullptr,
                    {.to_client =
                         [this](std::string body) {
                           sent.push_back({false, std::move(body)});
                         },
                     .to_server =
                         [this](std::string body) {
                           sent.push_back({true, std::move(body)});
                         },
                     .timers = delayed,
                     .on_client_exit = [this] { events.emplace_back("exit received"); },
                     .on_all_answered = [this] { ++all_answered; },
                     .warn = [this](const std::string& message) { events.push_back("warned: " + message); }},
                    &stats) {}

  // One side sends a body. What passes is at the other side.
  void client(std::string_view body) {
    if (!interceptor.take_client(body)) sent.push_back({true, std::string(body)});
  }
  void server(std::string_view body) {
    if (!interceptor.take_server(body)) sent.push_back({false, std::string(body)});
  }

  // The bodies that one side got since the last call, which forgets those of the other side too.
  std::vector<std::string> take(bool at_server) {
    std::vector<std::string> bodies;
    for (Sent& one : std::exchange(sent, {})) {
      if (one.to_server == at_server) bodies.push_back(std::move(one.body));
    }
    return bodies;
  }

  // initialize and its answer, with these members of params and of capabilities.
  void initialize(const std::string& params = "",
                  const std::string& capabilities = R"("hoverProvider":true)") {
    client(lsp::request_body("\"init\"", "initialize", "{" + params + "}"));
    server(lsp::result_body("\"init\"", R"({"capabilities":{)" + capabilities + "}}"));
    client(lsp::notification_body("initialized", "{}"));
    sent.clear();
    all_answered = 0;
  }

 private:
  static ProxyOptions with_version(ProxyOptions options) {
    options.version = "1.2";
    return options;
  }
};

}  // namespace symbols::session
