// A whole session on pipes, between a client and a server that the test plays: no process, and no more time
// than it takes.
#include "proxy/session/proxy_session.h"

#include <doctest/doctest.h>
#include <poll.h>
#include <unistd.h>

#include <csignal>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lsp/frame.h"
#include "proxy/relay/byte_writer.h"

namespace symbols::session {
namespace {

using relay::EventLoop;
using std::chrono::milliseconds;
using Bodies = std::vector<std::string>;

// One side of the proxy: writes whole messages, and reads them unless it is told not to.
class Side {
 public:
  Side(EventLoop& loop, int input, int output, std::function<void(std::string_view)> on_message,
       std::function<void()> on_end)
      : loop_(loop),
        input_(input),
        output_(loop, output, {}),
        on_message_(std::move(on_message)),
        on_end_(std::move(on_end)) {
    loop_.watch(input_.get(), EventLoop::Wanted::input, [this] { read(); });
  }
  ~Side() { stop_reading(); }
  Side(const Side&) = delete;
  Side& operator=(const Side&) = delete;

  void send(std::string_view body) { output_.write(lsp::frame(body)); }
  void write(std::string_view bytes) { output_.write(bytes); }
  void close_output() { output_.close(); }
  void stop_reading() {
    if (!input_) return;
    loop_.unwatch(input_.get());
    input_ = Descriptor();
  }
  // What is there already, where the loop has stopped.
  void read_rest() {
    for (pollfd there{.fd = input_.get(), .events = POLLIN, .revents = 0};
         input_ && ::poll(&there, 1, 0) > 0;)
      read();
  }
  void pause_reading() { loop_.unwatch(input_.get()); }
  std::size_t unwritten() const { return output_.unwritten(); }

 private:
  void read() {
    char bytes[65536];
    const ssize_t size = ::read(input_.get(), bytes, sizeof bytes);
    if (size <= 0) {
      stop_reading();
      on_end_();
      return;
    }
    std::string_view rest(bytes, static_cast<std::size_t>(size));
    for (;;) {
      const Result<std::optional<std::string_view>> body = reader_.next(rest);
      REQUIRE(body.has_value());
      if (!*body) return;
      on_message_(std::string(**body));
    }
  }

  EventLoop& loop_;
  Descriptor input_;
  relay::ByteWriter output_;
  lsp::FrameReader reader_{std::uint64_t{1} << 30};
  std::function<void(std::string_view)> on_message_;
  std::function<void()> on_end_;
};

struct Stage {
  EventLoop loop;
  Bodies at_client, at_server;
  std::function<void(std::string_view)> on_server_message = [](std::string_view) {};
  std::function<void(std::string_view)> on_client_message = [](std::string_view) {};
  std::function<void()> on_server_input_end = [] {};
  std::vector<milliseconds> stops;
  bool client_ended = false;
  Pipe to_proxy, from_proxy;
  std::unique_ptr<Side> client, server;
  process::OnExit on_exit;
  std::unique_ptr<ProxySession> session;
  void (*sigpipe_before)(int) = std::signal(SIGPIPE, [](int) {});  // as the program has it

  explicit Stage(ServerAnswers answer_server = {}) {
    REQUIRE(to_proxy.open());
    REQUIRE(from_proxy.open());
    client = std::make_unique<Side>(
        loop, Pipe::give_away(from_proxy.read), Pipe::give_away(to_proxy.write),
        [this](std::string_view body) {
          at_client.emplace_back(body);
          on_client_message(body);
        },
        [this] { client_ended = true; });
    session = std::make_unique<ProxySession>(
        loop,
        [this](const process::ProcessOptions&, const process::StandardStreams& streams,
               process::OnExit exits) -> Result<std::unique_ptr<process::ChildProcess>> {
          on_exit = std::move(exits);
          Pipe own;
          own.read = Descriptor(::dup(streams[0]));
          own.write = Descriptor(::dup(streams[1]));
          server = std::make_unique<Side>(
              loop, Pipe::give_away(own.read), Pipe::give_away(own.write),
              [this](std::string_view body) {
                at_server.emplace_back(body);
                on_server_message(body);
              },
              [this] { on_server_input_end(); });
          return std::unique_ptr<process::ChildProcess>(new Child(stops));
        },
        ClientStreams{to_proxy.read.get(), from_proxy.write.get()},
        ProxyOptions{.program = "/bin/fake", .version = "1", .answer_server = std::move(answer_server)},
        nullptr);
    REQUIRE(session->start().has_value());
  }
  ~Stage() { std::signal(SIGPIPE, sigpipe_before); }
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

  // The status; -1 where it does not end within ten seconds.
  int run() {
    bool late = false;
    loop.later(milliseconds(10'000), [&] {
      late = true;
      loop.stop();
    });
    const int status = session->run();
    if (client) client->read_rest();
    return late ? -1 : status;
  }
  // The server's process is gone, and its pipes with it.
  void server_exits(process::ExitStatus status) {
    loop.later(milliseconds(0), [this, status] {
      server.reset();
      on_exit(status);
    });
  }

 private:
  struct Child final : process::ChildProcess {
    explicit Child(std::vector<milliseconds>& stops) : stops_(stops) {}
    void stop(milliseconds grace) override { stops_.push_back(grace); }
    std::size_t memory() const override { return 0; }
    std::vector<milliseconds>& stops_;
  };
};

constexpr const char* initialize =
    R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}})";
constexpr const char* shut_down = R"({"jsonrpc":"2.0","id":2,"result":null})";

bool is(std::string_view body, std::string_view method) {
  return body.find("\"method\":\"" + std::string(method) + '"') != std::string_view::npos;
}

TEST_CASE("session: a client that closes has its server shut down, and gets its status") {
  Stage stage;
  stage.on_server_message = [&](std::string_view body) {
    if (is(body, "initialize"))
      stage.server->send(R"({"jsonrpc":"2.0","id":1,"result":{"capabilities":{}}})");
    if (is(body, "shutdown")) {
      const std::size_t id = body.find("\"symbols-proxy");
      stage.server->send(R"({"jsonrpc":"2.0","id":)" +
                         std::string(body.substr(id, body.find('"', id + 1) - id + 1)) +
                         R"(,"result":null})");
    }
  };
  stage.on_server_input_end = [&] { stage.server_exits({.code = 3, .signal = 0}); };
  stage.on_client_message = [&](std::string_view) { stage.client->close_output(); };
  stage.client->send(initialize);
  CHECK(stage.run() == 3);
  REQUIRE(stage.at_server.size() == 3);
  CHECK(is(stage.at_server[1], "shutdown"));
  CHECK(is(stage.at_server[2], "exit"));
  CHECK(stage.at_client.size() == 1);
  CHECK(stage.stops == std::vector<milliseconds>{milliseconds(3000)});
}

TEST_CASE("session: a server that crashes leaves no request unanswered") {
  Stage stage;
  int asked = 0;
  stage.on_server_message = [&](std::string_view body) {
    if (is(body, "initialize"))
      stage.server->send(R"({"jsonrpc":"2.0","id":1,"result":{"capabilities":{}}})");
    if (is(body, "textDocument/documentSymbol") && ++asked == 2)
      stage.server_exits({.code = 0, .signal = SIGSEGV});
  };
  stage.on_client_message = [&](std::string_view) {
    if (stage.at_client.size() > 1) return;
    for (const char* name : {"a", "b"})
      stage.client->send(
          R"({"jsonrpc":"2.0","id":")" + std::string(name) +
          R"(","method":"textDocument/documentSymbol","params":{"textDocument":{"uri":"untitled:)" + name +
          R"("}}})");
  };
  stage.client->send(initialize);
  CHECK(stage.run() == 128 + SIGSEGV);
  REQUIRE(stage.at_client.size() == 3);
  for (const std::size_t i : {1U, 2U}) {
    CAPTURE(stage.at_client[i]);
    CHECK(stage.at_client[i].find("the server fake was ended by signal 11") != std::string::npos);
  }
}

TEST_CASE("session: a client that is gone has its server shut down") {
  Stage stage;
  stage.on_server_message = [&](std::string_view) {
    stage.client->stop_reading();
    stage.server->send(shut_down);  // goes nowhere
  };
  stage.on_server_input_end = [&] { stage.server_exits({.code = 0, .signal = 0}); };
  stage.client->send(R"({"jsonrpc":"2.0","method":"x"})");
  CHECK(stage.run() == 0);
  CHECK(stage.stops == std::vector<milliseconds>{milliseconds(3000)});
}

TEST_CASE("session: told to end a second time, it gives the server no more time") {
  Stage stage;
  stage.loop.later(milliseconds(0), [&] { stage.session->told_to_end(); });
  stage.on_server_input_end = [&] {
    stage.session->told_to_end();
    stage.server_exits({.code = 0, .signal = SIGTERM});
  };
  CHECK(stage.run() == 128 + SIGTERM);
  CHECK(stage.stops == std::vector<milliseconds>{milliseconds(3000), milliseconds(0)});
}

TEST_CASE("session: a flood that nobody reads stays with who writes it") {
  Stage stage;
  constexpr std::size_t flood = std::size_t{64} << 20;
  std::size_t left = 0;
  const std::string body =
      R"({"jsonrpc":"2.0","method":"x","params":")" + std::string(1'000'000, 'x') + "\"}";
  std::string bytes;
  while (bytes.size() < flood) bytes += lsp::frame(body);
  SUBCASE("the server writes, the client does not read") {
    stage.client->pause_reading();
    stage.server->write(bytes);
    stage.loop.later(milliseconds(300), [&] {
      left = stage.server->unwritten();
      stage.loop.stop();
    });
  }
  SUBCASE("the client writes, the server does not read") {
    stage.server->pause_reading();
    stage.client->write(bytes);
    stage.loop.later(milliseconds(300), [&] {
      left = stage.client->unwritten();
      stage.loop.stop();
    });
  }
  stage.session->run();
  CHECK(left > flood - (std::size_t{4} << 20));
}

TEST_CASE("session: a server that asks for ever and reads no answer is not read") {
  Stage stage(*ServerAnswers::parse("--answer", "all"));
  const std::string request =
      lsp::frame(R"({"jsonrpc":"2.0","id":1,"method":"client/registerCapability","params":{}})");
  constexpr std::size_t flood = std::size_t{32} << 20;
  std::string bytes;
  while (bytes.size() < flood) bytes += request;
  std::size_t left = 0;
  stage.server->pause_reading();
  stage.server->write(bytes);
  stage.loop.later(milliseconds(1000), [&] {
    left = stage.server->unwritten();
    stage.loop.stop();
  });
  stage.session->run();
  CHECK(left > 0);
}

TEST_CASE("session: a server that reads nothing until its reply is written gets rid of the reply") {
  // As servers do that write synchronously. What waits for it meanwhile is larger than what may wait of
  // answers to its own requests.
  Stage stage;
  const std::string changed =
      R"({"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"file:///a"},)"
      R"("contentChanges":[{"text":")" +
      std::string(std::size_t{5} << 20, 'x') + R"("}]}})";
  const std::string reply =
      R"({"jsonrpc":"2.0","id":1,"result":")" + std::string(std::size_t{1} << 20, 'y') + "\"}";
  int turns_since_sent = 0;
  const std::function<void()> reply_when_change_waits = [&] {
    if (stage.client->unwritten() == 0 && ++turns_since_sent == 3) {
      stage.server->send(reply);
    } else {
      stage.loop.later(milliseconds(0), reply_when_change_waits);
    }
  };
  stage.on_server_message = [&](std::string_view) {
    stage.server->pause_reading();
    stage.client->send(changed);
    reply_when_change_waits();
  };
  stage.on_client_message = [&](std::string_view) { stage.loop.stop(); };
  stage.client->send(R"({"jsonrpc":"2.0","id":1,"method":"textDocument/x"})");
  CHECK(stage.run() == 0);
  REQUIRE(stage.at_client.size() == 1);
  CHECK(stage.at_client[0] == reply);
}

}  // namespace
}  // namespace symbols::session
