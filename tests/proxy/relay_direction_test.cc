// What passes while many replies to us are on their way goes in larger portions, whole and in its order.
#include "proxy/relay_direction.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lsp/frame.h"

namespace symbols::proxy {
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

// What a server writes goes through a direction to a client; what begins with '!' is for us. Each write to
// the client is a packet of its own.
class Line {
 public:
  explicit Line(bool rests) : rests_(rests) {}
  ~Line() {
    for (const int end : {in_.write, out_.read, back_.read}) {
      if (end >= 0) ::close(end);
    }
  }
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;

  EventLoop& loop() { return loop_; }
  void server_says(std::string_view bytes) {
    REQUIRE(::write(in_.write, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
  }
  void server_ends() { ::close(std::exchange(in_.write, -1)); }
  RelayDirection& direction() { return direction_; }
  bool ended() const { return ended_; }
  const std::vector<std::string>& taken() const { return taken_; }
  // What the client has been sent since the last call.
  std::vector<std::string> packets() {
    std::vector<std::string> all;
    char bytes[4096];
    for (ssize_t size; (size = ::read(out_.read, bytes, sizeof bytes)) > 0;)
      all.emplace_back(bytes, static_cast<std::size_t>(size));
    return all;
  }
  void run_for(milliseconds time) {
    loop_.later(time, [this] { loop_.stop(); });
    loop_.run();
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
                               return true;
                             },
                         .streamed = [](std::string_view) {},
                         .on_unframed = [](const Error&) {}},
            .on_end =
                [this] {
                  ended_ = true;
                  loop_.stop();
                },
            .cut_header_passes = false,
            .on_hangup = {},
            .may_rest = [this] { return rests_; }};
  }

  Pipe in_{0};
  Pipe out_{O_DIRECT};
  Pipe back_{0};
  bool rests_;
  bool ended_ = false;
  std::vector<std::string> taken_;
  EventLoop loop_;
  ByteWriter to_{loop_, out_.write, {.on_empty = [] {}, .on_broken = [](int) {}}};
  ByteWriter back_writer_{loop_, back_.write, {.on_empty = [] {}, .on_broken = [](int) {}}};
  RelayDirection direction_{loop_, in_.read, to_, back_writer_, false, callbacks()};
};

TEST_CASE("relay direction: what passes among replies to us is written at once, and in its order") {
  const std::string log = lsp::frame("log");
  const std::string more = lsp::frame("more");
  for (const bool rests : {false, true}) {
    CAPTURE(rests);
    Line line(rests);
    line.direction().start();
    line.server_says(log + lsp::frame("!1") + more + lsp::frame("!2") + log);
    line.run_for(milliseconds(20));
    CHECK(line.taken() == std::vector<std::string>{"!1", "!2"});
    CHECK(line.packets() == std::vector{log + more + log});
  }
}

TEST_CASE("relay direction: what comes while it rests is read afterwards, the end too") {
  Line line(true);
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
  line.loop().later(milliseconds(5000), [&] { line.loop().stop(); });
  line.loop().run();
  CHECK(line.ended());
  std::string all;
  for (const std::string& packet : line.packets()) all += packet;
  CHECK(all == log + log + log);
}

TEST_CASE("relay direction: one that is stopped while it rests stays so") {
  Line line(true);
  line.direction().start();
  line.server_says(lsp::frame("log"));
  line.loop().later(milliseconds(0), [&] { line.direction().stop(); });
  line.run_for(milliseconds(20));
  CHECK(line.direction().ended());
  CHECK(!line.ended());
}

}  // namespace
}  // namespace symbols::proxy
