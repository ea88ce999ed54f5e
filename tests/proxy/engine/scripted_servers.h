// Servers without processes: each gets whole messages, and sends, does and ends what the test says.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lsp/frame.h"
#include "lsp/messages.h"
#include "proxy/process/server_process.h"
#include "tests/proxy/io/scripted_timers.h"

namespace symbols::engine {

struct ScriptedServer {
  std::size_t id;  // how many were started before
  io::ScriptedTimers& timers;
  process::ProcessOptions options;
  process::ServerProcess::Callbacks callbacks;
  // Called with each message to the server, as soon as it is sent.
  std::function<void(ScriptedServer&, const lsp::Envelope&)> on_message;

  std::vector<std::string> received{};  // methods
  bool alive = true;
  lsp::FrameReader reader{std::uint64_t{1} << 30};

  // Bytes on their way to us; they arrive with the next event.
  void say(std::string bytes) {
    timers.later(std::chrono::milliseconds(0), [this, bytes = std::move(bytes)] {
      if (alive) callbacks.on_output(bytes);
    });
  }
  void send(std::string_view body) { say(lsp::frame(body)); }
  void reply(const lsp::Envelope& request, std::string_view result) {
    send(R"({"jsonrpc":"2.0","id":)" + std::string(request.id) + R"(,"result":)" + std::string(result) + "}");
  }
  void exit(process::ExitStatus status = {}) {
    timers.later(std::chrono::milliseconds(0), [this, status] {
      if (!std::exchange(alive, false)) return;
      const process::OnExit on_exit = std::move(callbacks.on_exit);
      on_exit(status);
    });
  }
  void close_output() {
    timers.later(std::chrono::milliseconds(0), [this] {
      if (alive) callbacks.on_output_closed();
    });
  }
  // Handles initialize, shutdown and exit like every server. Returns whether it was one of those.
  bool behaves(const lsp::Envelope& message) {
    if (message.method == "initialize") {
      reply(message, R"({"capabilities":{"documentSymbolProvider":true}})");
    } else if (message.method == "shutdown") {
      reply(message, "null");
    } else if (message.method == "exit") {
      exit();
    } else {
      return message.method == "initialized";
    }
    return true;
  }
};

class ScriptedServers {
 public:
  using OnMessage = std::function<void(ScriptedServer&, const lsp::Envelope&)>;

  ScriptedServers(io::ScriptedTimers& timers, OnMessage on_message)
      : timers_(timers), on_message_(std::move(on_message)) {}

  // All that were started, in this order.
  std::vector<std::unique_ptr<ScriptedServer>> all;
  std::size_t most_alive = 0;

  process::StartServer starter() {
    return [this](const process::ProcessOptions& options, process::ServerProcess::Callbacks callbacks)
               -> Result<std::unique_ptr<process::ServerProcess>> {
      all.push_back(std::make_unique<ScriptedServer>(
          ScriptedServer{all.size(), timers_, options, std::move(callbacks), on_message_}));
      most_alive = std::max(most_alive, alive());
      return std::unique_ptr<process::ServerProcess>(new Process(*all.back()));
    };
  }
  std::size_t alive() const {
    std::size_t count = 0;
    for (const auto& server : all) count += server->alive ? 1 : 0;
    return count;
  }

 private:
  class Process final : public process::ServerProcess {
   public:
    explicit Process(ScriptedServer& server) : server_(server) {}
    ~Process() override { server_.alive = false; }

    void write(std::string_view bytes) override {
      for (;;) {
        const Result<std::optional<std::string_view>> body = server_.reader.next(bytes);
        REQUIRE(body.has_value());
        if (!*body) return;
        const Result<lsp::Envelope> message = lsp::read_envelope(**body);
        REQUIRE(message.has_value());
        if (!message->method.empty()) server_.received.push_back(message->method);
        server_.on_message(server_, *message);
      }
    }
    std::size_t unwritten() const override { return 0; }
    void close_input() override {}
    void kill() override { stop(std::chrono::milliseconds(0)); }
    void stop(std::chrono::milliseconds grace) override {
      // Like a server that ignores exit: SIGTERM after the grace ends it.
      server_.timers.later(grace, [&server = server_] { server.exit({.code = 0, .signal = 15}); });
    }
    std::size_t memory() const override { return 0; }

   private:
    ScriptedServer& server_;
  };

  io::ScriptedTimers& timers_;
  OnMessage on_message_;
};

}  // namespace symbols::engine
