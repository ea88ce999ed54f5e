// What a relay forwards and hands over, in whatever portions the bytes come.
#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lsp/frame.h"
#include "proxy/io/relay_direction.h"

namespace symbols::io {
namespace message_relay_test {

// A relay that consumes each message that begins with '!', and leaves its body in brackets.
struct Stage {
  std::string out;
  std::string lent;        // what was forwarded last and stays
  std::string_view stays;  // there
  std::vector<std::string> bodies;
  int unframed = 0;
  MessageRelay relay{{
      .forward =
          [this](std::string_view bytes, bool stay) {
            CHECK(lent.empty());
            (stay ? lent : out) += bytes;
            if (stay) stays = bytes;
          },
      .take =
          [this](std::string_view body) {
            CHECK(unframed == 0);
            bodies.emplace_back(body);
            if (!body.starts_with('!')) return false;
            out += '<' + std::string(body) + '>';
            return true;
          },
      .on_unframed = [this](const Error&) { ++unframed; },
  }};

  void receive(std::string_view input, std::size_t portion) {
    while (!input.empty()) {
      const std::span<char> room = relay.room();
      const std::size_t size = std::min({portion, input.size(), room.empty() ? portion : room.size()});
      std::copy_n(input.begin(), room.empty() ? 0 : size, room.begin());
      if (!room.empty()) relay.added(size);
      relay.receive(room.empty() ? std::string(input.substr(0, size)) : "");
      input.remove_prefix(size);
      CHECK(stays == lent);
      out += std::exchange(lent, {});
      stays = {};
    }
  }
};

TEST_CASE("relay: what passes is what came without what was consumed, in order, in portions of any size") {
  std::mt19937 random(1);  // NOLINT: the same messages each time
  std::string input;
  std::string expected;
  std::vector<std::string> bodies;
  for (int i = 0; i < 200; ++i) {
    const bool taken = random() % 2 == 0;
    const std::string body = (taken ? "!" : "") + std::string(random() % 300, 'x');
    bodies.push_back(body);
    const std::string frame = lsp::frame(body);
    input += frame;
    expected += taken ? '<' + body + '>' : frame;
  }
  for (const std::size_t portion : {1, 2, 3, 7, 64, 333, 4096, 1 << 20}) {
    CAPTURE(portion);
    Stage stage;
    stage.receive(input, portion);
    CHECK(stage.out == expected);
    CHECK(stage.bodies == bodies);
  }
}

TEST_CASE("relay: a message whose memory is not kept stays until the next call, too") {
  Stage stage;
  const std::string frames = lsp::frame(std::string(std::size_t{9} << 20, 'x')) + lsp::frame("!1");
  stage.receive(frames, 100'000);
  CHECK(stage.out == frames.substr(0, frames.rfind("Content")) + "<!1>");
}

TEST_CASE("relay: nothing of a message passes before it is whole") {
  Stage stage;
  const std::string frame = lsp::frame(std::string(5000, 'x'));
  stage.receive(frame + frame.substr(0, 3000), 100);
  CHECK(stage.out == frame);
}

TEST_CASE("relay: what is no frame passes as it came from where it begins, nothing lost and nothing twice") {
  const std::string too_long = std::to_string(MessageRelay::max_message + 1);
  const std::string endings[] = {
      "\n",
      "\r\n\r\n",
      "Usage: server\n\nSee --help.",
      "{\"jsonrpc\":\"2.0\"}\n\nmore",
      "Content-Length: x\r\n\r\n{}",
      "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
      "Content-Length: 99999999999999999999\r\n\r\n{}",
      "Content-Length: " + too_long + "\r\n\r\n{}",
      "Content-Length: -1\r\n\r\nrest",
      "Content-Type: x\r\n\r\nContent-Length: 2\r\n\r\n{}",
      "no line: " + std::string(10'000, 'x'),
  };
  const std::string frames = lsp::frame(std::string(300, 'x')) + lsp::frame("!1");
  const std::string expected = lsp::frame(std::string(300, 'x')) + "<!1>";
  for (const std::string& ending : endings) {
    CAPTURE(ending.substr(0, 60));
    for (const std::size_t portion : {1, 2, 3, 7, 64, 4096, 100'000}) {
      CAPTURE(portion);
      Stage stage;
      stage.receive(frames + ending + "\nand what follows", portion);
      CHECK(stage.out == expected + ending + "\nand what follows");
      CHECK(stage.unframed == 1);
    }
  }
}

TEST_CASE("relay: what a stream ends with is returned where it is no header, and nothing of a cut message") {
  struct Case {
    const char* what;
    std::string ending;
    bool returned;
  };
  const Case cases[] = {
      {"nothing", "", false},
      {"words for a person", "error: no such option", true},
      {"lines of JSON", "{\"jsonrpc\":\"2.0\"}\n{\"jsonrpc\":\"2.0\"}\n", true},
      {"a part of a header", "Content-Length: 5\r\n", false},
      {"a part of a header's name", "cONT", false},
      {"another header", "Contents:", true},
      {"a header alone", "Content-Length: 5\r\n\r\n", false},
      {"a part of a body", "Content-Length: 5\r\n\r\n2|#", false},
  };
  for (const Case& c : cases) {
    for (const std::size_t portion : {1, 5, 1000}) {
      CAPTURE(c.what);
      CAPTURE(portion);
      Stage stage;
      stage.receive(lsp::frame("0123456789") + lsp::frame("!1") + c.ending, portion);
      CHECK(stage.relay.end() == (c.returned ? c.ending : ""));
      CHECK(stage.out == lsp::frame("0123456789") + "<!1>");
    }
  }
}

}  // namespace message_relay_test
}  // namespace symbols::io
