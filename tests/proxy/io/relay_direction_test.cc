// What passes goes whole and in its order.
#include "proxy/io/relay_direction.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lsp/frame.h"

namespace symbols::io {
namespace relay_direction_test {

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
  Line() = default;
  ~Line() {
    for (const int end : {in_.write, out_.read, back_.read}) {
      if (end >= 0) ::close(end);
    }
  }
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;

  bool rests = false;

  EventLoop& loop() { return loop_; }
  void server_says(std::string_view bytes) {
    REQUIRE(::write(in_.write, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
  }
  void server_ends() { ::close(std::exchange(in_.write, -1)); }
  RelayDirection& direction() { return direction_; }
  bool ended() const { return ended_; }
  const std::string& last_words() const { return last_words_; }
  const std::vector<std::string>& taken() const { return taken_; }
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
                         .take =
                             [this](std::string_view body) {
                               if (!body.starts_with('!')) return false;
                               taken_.emplace_back(body);
                               to_.write(lsp::frame("table 1"));
                               to_.write(lsp::frame("table 2"));
                               return true;
                             },
                         .on_unframed = [](const Error&) {}},
            .on_end =
                [this] {
                  ended_ = true;
                  loop_.stop();
                },
            .on_last_words = [this](std::string_view words) { last_words_ = ended_ ? "late" : words; },
            .on_hangup = {},
            .may_rest = [this] { return rests; }};
  }

  Pipe in_{0};
  Pipe out_{O_DIRECT};
  Pipe back_{0};
  bool ended_ = false;
  std::string last_words_;
  std::vector<std::string> taken_;
  EventLoop loop_;
  ByteWriter to_{loop_, out_.write, {.on_empty = [] {}, .on_broken = [](int) {}}};
  ByteWriter back_writer_{loop_, back_.write, {.on_empty = [] {}, .on_broken = [](int) {}}};
  RelayDirection direction_{loop_, in_.read, to_, back_writer_, callbacks()};
};

TEST_CASE("relay direction: what a stream ends with goes elsewhere, before its end is told") {
  Line line;
  line.direction().start();
  const std::string log = lsp::frame("log");
  line.server_says(log + "error: no such option");
  line.server_ends();
  line.run_until_end();
  CHECK(line.last_words() == "error: no such option");
  CHECK(line.packets() == std::vector<std::string>{log});
  CHECK(line.direction().received() == log.size() + line.last_words().size());
}

TEST_CASE("relay direction: what came together goes together, and in its order") {
  Line line;
  line.direction().start();
  const std::string log = lsp::frame("log");
  const std::string tables = lsp::frame("table 1") + lsp::frame("table 2");
  line.server_says(log + lsp::frame("!1") + log + lsp::frame("!2") + log);
  const std::string sent = log + tables + log + tables + log;
  CHECK(line.packets_of(sent.size()) == std::vector<std::string>{sent});
  CHECK(line.taken() == std::vector<std::string>{"!1", "!2"});
}

TEST_CASE("relay direction: what comes while it rests is read afterwards, the end too") {
  Line line;
  line.rests = true;
  line.direction().start();
  const std::string log = lsp::frame("log");
  line.server_says(log);
  // Before the millisecond is over, and ending within a frame.
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
    Line line;
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

TEST_CASE("relay direction: what comes while it is paused waits, and goes on in its order, the end too") {
  for (const bool ends : {false, true}) {
    CAPTURE(ends);
    Line line;
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
  Line line;
  const std::string log = lsp::frame("log");
  line.direction().start();
  line.direction().pause();
  line.server_says(log);
  line.run_for(milliseconds(5));
  line.server_says(lsp::frame("more"));
  line.direction().read_what_is_there();
  CHECK(joined(line.packets()) == log + lsp::frame("more"));
}

}  // namespace relay_direction_test
}  // namespace symbols::io
