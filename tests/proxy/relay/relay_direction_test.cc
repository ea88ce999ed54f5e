// What passes goes whole and in its order: at once, or in larger portions where many replies to us come among
// it.
#include "proxy/relay/relay_direction.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lsp/frame.h"

namespace symbols::relay {
namespace {

using std::chrono::milliseconds;

struct Pipe {
  int read = -1;
  int write = -1;

  explicit Pipe(int flags) {
    int ends[2];
    REQUIRE(::pipe2(ends, O_CLOEXEC | O_NONBLOCK | flags) == 0);
    read = ends[0];
    write = ends[1];
  }
};

// Runs the loop until the last step is done, each again and again until it returns that it is. Without a
// limit: ctest ends what hangs.
void run_steps(EventLoop& loop, const std::vector<std::function<bool()>>& steps) {
  std::size_t step = 0;
  const std::function<void()> look = [&] {
    if (steps[step]() && ++step == steps.size()) return loop.stop();
    loop.later(milliseconds(1), look);
  };
  loop.later(milliseconds(0), look);
  loop.run();
}

std::string joined(const std::vector<std::string>& packets) {
  std::string all;
  for (const std::string& packet : packets) all += packet;
  return all;
}

// What a server writes goes through a direction to a client; what begins with '!' is for us. Each write to
// the client is a packet of its own.
class Line {
 public:
  // Of the replies to us that come as many as `many_replies` says; an endless number where it is left out.
  explicit Line(int many_replies = 1 << 30) : many_replies_(many_replies) {}
  ~Line() {
    for (const int end : {in_.write, out_.read, back_.read}) {
      if (end >= 0) ::close(end);
    }
  }
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;

  std::function<void()> before_rest;  // a portion was read

  EventLoop& loop() { return loop_; }
  void server_says(std::string_view bytes) {
    REQUIRE(::write(in_.write, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
  }
  void server_ends() { ::close(std::exchange(in_.write, -1)); }
  RelayDirection& direction() { return direction_; }
  bool ended() const { return ended_; }
  const std::string& last_words() const { return last_words_; }
  const std::vector<std::string>& taken() const { return taken_; }
  // What the client had been sent when we took each of these.
  const std::vector<std::vector<std::string>>& sent_before() const { return sent_before_; }
  // What the client has been sent since the last call.
  std::vector<std::string> packets() {
    std::vector<std::string> all;
    char bytes[4096];
    for (ssize_t size; (size = ::read(out_.read, bytes, sizeof bytes)) > 0;)
      all.emplace_back(bytes, static_cast<std::size_t>(size));
    return all;
  }
  // For what must not happen.
  void run_for(milliseconds time) {
    loop_.later(time, [this] { loop_.stop(); });
    loop_.run();
  }
  void run_until_end() {
    if (!ended_) loop_.run();
  }
  // What the client has been sent since the last call, once it has so many bytes, and what comes at once
  // after them.
  std::vector<std::string> packets_of(std::size_t size) {
    std::vector<std::string> all;
    const auto drain = [&] {
      for (std::string& packet : packets()) {
        size -= std::min(size, packet.size());
        all.push_back(std::move(packet));
      }
      return size == 0;
    };
    run_steps(loop_, {drain, drain});
    return all;
  }

 private:
  RelayDirection::Callbacks callbacks() {
    return {.messages = {.forward = {},
                         .judge =
                             [](std::string_view start, bool) {
                               return start.starts_with('!') ? MessageRelay::Verdict::gather
                                                             : MessageRelay::Verdict::pass;
                             },
                         .take =
                             [this](std::string_view body) {
                               taken_.emplace_back(body);
                               sent_before_.push_back(packets());
                               to_.write_frame(lsp::frame("table 1"));
                               to_.write_frame(lsp::frame("table 2"));
                               return true;
                             },
                         .streamed = [](std::string_view) {},
                         .on_unframed = [](const Error&) {}},
            .on_end =
                [this] {
                  ended_ = true;
                  loop_.stop();
                },
            .on_last_words = [this](std::string_view words) { last_words_ = ended_ ? "late" : words; },
            .on_hangup = {},
            .may_gather = [this] { return many_replies_ > static_cast<int>(taken_.size()); },
            .may_rest =
                [this] {
                  if (before_rest) before_rest();
                  return many_replies_ > static_cast<int>(taken_.size());
                }};
  }

  Pipe in_{0};
  Pipe out_{O_DIRECT};
  Pipe back_{0};
  int many_replies_;
  bool ended_ = false;
  std::string last_words_;
  std::vector<std::string> taken_;
  std::vector<std::vector<std::string>> sent_before_;
  EventLoop loop_;
  ByteWriter to_{loop_, out_.write, {.on_empty = [] {}, .on_broken = [](int) {}}};
  ByteWriter back_writer_{loop_, back_.write, {.on_empty = [] {}, .on_broken = [](int) {}}};
  RelayDirection direction_{loop_, in_.read, to_, back_writer_, false, callbacks()};
};

TEST_CASE("relay direction: what a stream ends with goes elsewhere, before its end is told") {
  Line line(0);
  line.direction().start();
  const std::string log = lsp::frame("log");
  line.server_says(log + "error: no such option");
  line.server_ends();
  line.run_until_end();
  CHECK(line.last_words() == "error: no such option");
  CHECK(line.packets() == std::vector<std::string>{log});
  CHECK(line.direction().received() == log.size() + line.last_words().size());
}

TEST_CASE("relay direction: among many replies to us all goes together, and in its order") {
  using Packets = std::vector<std::string>;
  const std::string log = lsp::frame("log");
  const std::string more = lsp::frame("more");
  const std::string tables = lsp::frame("table 1") + lsp::frame("table 2");
  struct Case {
    int many_replies;
    std::vector<Packets> sent_before;
    Packets sent;
  };
  for (const Case& one : {
           // What passed does not wait for what is done because of a message, which may take long.
           Case{0, {{log}, {tables, more}}, {tables, log}},
           Case{1, {{}, {log + tables + more}}, {tables, log}},
           Case{2, {{}, {}}, {log + tables + more + tables + log}},
       }) {
    CAPTURE(one.many_replies);
    Line line(one.many_replies);
    line.direction().start();
    line.server_says(log + lsp::frame("!1") + more + lsp::frame("!2") + log);
    CHECK(line.packets_of(joined(one.sent).size()) == one.sent);
    CHECK(line.taken() == Packets{"!1", "!2"});
    CHECK(line.sent_before() == one.sent_before);
  }
}

TEST_CASE("relay direction: what comes while it rests is read afterwards, the end too") {
  Line line;
  line.direction().start();
  const std::string log = lsp::frame("log");
  line.server_says(log);
  // Before the millisecond is over: in two pieces, the second of which ends in the middle of a frame.
  line.loop().later(milliseconds(0), [&] {
    line.server_says(log + log.substr(0, 5));
    line.loop().later(milliseconds(0), [&] {
      line.server_says(log.substr(5));
      line.server_ends();
    });
  });
  line.run_until_end();
  CHECK(joined(line.packets()) == log + log + log);
}

// Where --stall-timeout looks for signs of life.
TEST_CASE("relay direction: a long message counts as received with each part of it that comes") {
  for (const std::string start : {"!", "log"}) {
    CAPTURE(start);
    Line line(0);
    const std::string message = lsp::frame(start + std::string(3000, 'x'));
    std::uint64_t sent = 0;
    line.direction().start();
    run_steps(line.loop(), {[&] {
                if (line.direction().received() != sent) return false;
                if (sent == message.size()) return true;
                CHECK(line.taken().empty());
                const std::string part = message.substr(sent, 1000);
                line.server_says(part);
                sent += part.size();
                return false;
              }});
    CHECK(line.taken().size() == (start == "!"));
  }
}

TEST_CASE("relay direction: one that is stopped while it rests stays so") {
  Line line;
  line.direction().start();
  line.server_says(lsp::frame("log"));
  line.loop().later(milliseconds(0), [&] { line.direction().stop(); });
  line.run_for(milliseconds(20));
  CHECK(line.direction().ended());
  CHECK(!line.ended());
}

TEST_CASE("relay direction: what passes waits for a few rests, and only while more comes") {
  Line line;
  const std::string log = lsp::frame("log");
  int portions = 1;
  line.before_rest = [&] {
    if (portions++ < 6) line.server_says(log);
  };
  line.direction().start();
  line.server_says(log);
  // The fourth rest is one too many; after the sixth portion nothing comes any more.
  CHECK(line.packets_of(6 * log.size()) == std::vector<std::string>{log + log + log + log, log + log});
}

TEST_CASE("relay direction: an answer of our own does not wait for the rests") {
  Line line;
  const std::string log = lsp::frame("log");
  bool first = true;
  line.before_rest = [&] {
    if (std::exchange(first, false)) line.server_says(log);
  };
  line.direction().start();
  line.server_says(log + lsp::frame("!1"));
  const std::string tables = lsp::frame("table 1") + lsp::frame("table 2");
  CHECK(line.packets_of(2 * log.size() + tables.size()) == std::vector<std::string>{log + tables, log});
}

TEST_CASE("relay direction: what one direction gathers holds the other one back no longer than itself") {
  // The client takes all at once: nobody is told that it did.
  Pipe from_client(0);
  Pipe from_server(0);
  Pipe to_server(0);
  EventLoop loop;
  std::optional<RelayDirection> client;
  std::optional<RelayDirection> server;
  bool many_replies = true;
  const auto resume = [&] {
    client->resume();
    server->resume();
  };
  ByteWriter client_writer(loop, ::open("/dev/null", O_WRONLY | O_CLOEXEC),
                           {.on_empty = resume, .on_broken = [](int) {}});
  ByteWriter server_writer(loop, to_server.write, {.on_empty = resume, .on_broken = [](int) {}});
  const std::string hello = lsp::frame("hello");
  const auto messages = [&] {
    return MessageRelay::Callbacks{
        .forward = {},
        .judge = [](std::string_view, bool) { return MessageRelay::Verdict::gather; },
        .take =
            [&](std::string_view body) {
              if (!body.starts_with('!')) return false;
              // An answer larger than what may wait for the client, which sends something meanwhile.
              client_writer.write_frame(lsp::frame(std::string(std::size_t{5} << 20, 't')));
              return ::write(from_client.write, hello.data(), hello.size()) > 0;
            },
        .streamed = [](std::string_view) {},
        .on_unframed = [](const Error&) {}};
  };
  client.emplace(
      loop, from_client.read, server_writer, client_writer, false,
      RelayDirection::Callbacks{
          .messages = messages(), .on_end = [] {}, .unread_answers = [&] { return client_writer.queued(); }});
  server.emplace(loop, from_server.read, client_writer, server_writer, false,
                 RelayDirection::Callbacks{.messages = messages(),
                                           .on_end = [] {},
                                           .on_last_words = {},
                                           .on_hangup = {},
                                           .may_gather = [&] { return many_replies; },
                                           .may_rest = [&] { return many_replies; }});
  client->start();
  server->start();
  const std::string reply = lsp::frame("!reply");
  REQUIRE(::write(from_server.write, reply.data(), reply.size()) > 0);
  char bytes[100];
  ssize_t size = 0;
  run_steps(loop, {[&] { return (size = ::read(to_server.read, bytes, sizeof bytes)) > 0; }});
  CHECK(size == static_cast<ssize_t>(hello.size()));
  client.reset();
  server.reset();
  for (const int end : {from_client.write, from_server.write, to_server.read}) ::close(end);
}

TEST_CASE("relay direction: what comes while it is paused waits, and goes on in its order, the end too") {
  for (const bool ends : {false, true}) {
    CAPTURE(ends);
    Line line(0);
    const std::string log = lsp::frame("log");
    const std::string rest = log + lsp::frame("more");
    std::string all;
    const auto has_come = [&](std::size_t size) { return (all += joined(line.packets())).size() >= size; };
    line.direction().start();
    line.server_says(log + log.substr(0, 5));
    run_steps(line.loop(), {[&] { return has_come(log.size()); },
                            [&] {
                              CHECK(std::exchange(all, "") == log);
                              line.direction().pause();
                              line.server_says(log.substr(5) + log);
                              return true;
                            },
                            [&] {
                              line.server_says(lsp::frame("more"));
                              if (ends) line.server_ends();
                              return true;
                            },
                            [&] {
                              CHECK_FALSE(has_come(1));
                              CHECK_FALSE(line.ended());
                              line.direction().go_on();
                              return true;
                            },
                            [&] { return has_come(log.size() + rest.size()) && !ends; }});
    has_come(0);
    CHECK(all == log + rest);
    CHECK(line.ended() == ends);
  }
}

TEST_CASE("relay direction: one that is paused reads what is there when it is told to") {
  Line line(0);
  const std::string log = lsp::frame("log");
  line.direction().start();
  line.direction().pause();
  line.server_says(log);
  line.run_for(milliseconds(5));
  line.server_says(lsp::frame("more"));
  line.direction().read_what_is_there();
  std::string all;
  for (const std::string& packet : line.packets()) all += packet;
  CHECK(all == log + lsp::frame("more"));
}

}  // namespace
}  // namespace symbols::relay
