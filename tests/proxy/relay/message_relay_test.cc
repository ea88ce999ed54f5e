// What a relay forwards, hands over and says of it, whatever portions the bytes come in.
#include "proxy/relay/message_relay.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "lsp/frame.h"

namespace symbols::relay {
namespace {

using namespace std::string_literals;
using Verdict = MessageRelay::Verdict;

// What is to become of one message, and what became of it.
struct Message {
  std::string frame;
  std::string body;
  Verdict verdict = Verdict::pass;
  std::size_t decided_at = 0;  // before it has seen so many bytes the judge is undecided
  bool taken = false;          // what take() answers
  int judged_whole = 0;
  int handed_over = 0;
  int streamed = 0;
};

// A relay whose judge knows each message by the number that its body starts with.
struct Stage {
  std::vector<Message> messages;
  std::string out;  // what was forwarded, and a mark for each message that was taken
  int unframed = 0;
  MessageRelay relay{{
      .forward =
          [this](std::string_view bytes, bool frame_open) {
            CHECK_FALSE(bytes.empty());
            out += bytes;
            follow(bytes);
            if (out.size() <= framed) CHECK(frame_open == !forwarded.at_boundary());
          },
      .judge =
          [this](std::string_view start, bool whole) {
            CHECK(unframed == 0);
            Message& message = of(start);
            CHECK(message.body.starts_with(start));
            CHECK((message.body.size() == start.size()) == whole);
            if (whole) ++message.judged_whole;
            return start.size() < message.decided_at ? Verdict::undecided : message.verdict;
          },
      .take =
          [this](std::string_view body) {
            Message& message = of(body);
            CHECK(message.body == body);
            CHECK(forwarded.at_boundary());  // what is written now stands between two messages
            ++message.handed_over;
            if (message.taken) out += mark(message);
            return message.taken;
          },
      .streamed =
          [this](std::string_view tail) {
            Message& message = of_tail(tail);
            const std::size_t size = std::min(MessageRelay::tail_size, message.body.size());
            CHECK(tail == std::string_view(message.body).substr(message.body.size() - size));
            ++message.streamed;
          },
      .on_unframed = [this](const Error&) { ++unframed; },
  }};
  lsp::FrameParser forwarded{std::uint64_t{1} << 30};  // reads what is forwarded, to know where it stands
  std::size_t framed = std::string::npos;              // so much of what will be forwarded is frames

  Message& of(std::string_view start) {
    std::size_t number = 0;
    std::from_chars(start.data(), start.data() + start.size(), number);
    REQUIRE(number < messages.size());
    return messages[number];
  }
  // A body ends in the number of its message too.
  Message& of_tail(std::string_view tail) {
    const std::size_t mark = tail.rfind('#');
    REQUIRE(mark != std::string_view::npos);
    return of(tail.substr(mark + 1));
  }
  static std::string mark(const Message& message) { return "<taken " + message.body.substr(0, 4) + ">"; }

  void follow(std::string_view bytes) {
    for (;;) {
      const auto piece = forwarded.next(bytes);
      if (!piece || piece->kind == lsp::FrameParser::Piece::Kind::need_more) return;
    }
  }

  void add(std::size_t size, Verdict verdict, bool taken, std::size_t decided_at) {
    const std::string number = std::to_string(messages.size());
    std::string body = number + "|";
    if (size > body.size() + number.size() + 1) body.resize(size - number.size() - 1, 'x');
    body += "#" + number;
    Message message{.frame = lsp::frame(body), .body = body, .verdict = verdict};
    message.taken = taken;
    message.decided_at = decided_at;
    messages.push_back(std::move(message));
  }

  std::string input() const {
    std::string all;
    for (const Message& message : messages) all += message.frame;
    return all;
  }
  std::string expected() const {
    std::string all;
    for (const Message& message : messages) {
      const bool gathered = message.verdict == Verdict::gather && message.body.size() >= message.decided_at;
      all += gathered && message.taken ? mark(message) : message.frame;
    }
    return all;
  }
  // Each message was either handed over, or streamed, or seen whole by its judge.
  void check_all_seen() const {
    for (const Message& message : messages) {
      CAPTURE(message.body.substr(0, 4));
      const bool gathered = message.verdict == Verdict::gather && message.body.size() >= message.decided_at;
      CHECK(message.handed_over == (gathered ? 1 : 0));
      CHECK(message.judged_whole <= 1);
      if (!gathered) CHECK(message.judged_whole + message.streamed == 1);
    }
  }
};

// Messages of all lengths around the sizes that matter to the relay, with random verdicts.
void add_random_messages(Stage& stage, std::mt19937& random, std::size_t count) {
  const std::size_t sizes[] = {0, 63, 64, 65, 127, 128, 129, 255, 256, 257, 320, 1000, 5000};
  for (std::size_t i = 0; i < count; ++i) {
    const Verdict verdict = std::array{Verdict::pass, Verdict::gather, Verdict::undecided}[random() % 3];
    const std::size_t decided_at = random() % 2 == 0 ? 0 : random() % 600;
    stage.add(sizes[random() % std::size(sizes)] + random() % 3, verdict, random() % 2 == 0, decided_at);
  }
}

TEST_CASE("relay: what passes is what came without what was taken, in order, in portions of any size") {
  std::mt19937 random(1);  // NOLINT: the same messages each time
  for (const std::size_t portion : {1, 2, 3, 7, 64, 4096, 1 << 20}) {
    for (int round = 0; round < 10; ++round) {
      CAPTURE(portion);
      CAPTURE(round);
      Stage stage;
      add_random_messages(stage, random, 20);
      const std::string input = stage.input();
      for (std::size_t at = 0; at < input.size(); at += portion) {
        stage.relay.receive(std::string_view(input).substr(at, portion));
      }
      REQUIRE(stage.out == stage.expected());
      CHECK(stage.forwarded.at_boundary());
      stage.check_all_seen();
    }
  }
}

TEST_CASE("relay: two portions, split at every byte") {
  for (const bool taken : {true, false}) {
    for (const std::size_t decided_at : {0, 64, 100, 1000}) {
      for (std::size_t split = 0;; ++split) {
        CAPTURE(split);
        Stage stage;
        stage.add(10, Verdict::pass, false, decided_at);
        stage.add(0, Verdict::gather, taken, 0);
        stage.add(150, Verdict::gather, taken, decided_at);
        stage.add(150, Verdict::pass, false, decided_at);
        stage.add(90, Verdict::undecided, false, decided_at);
        const std::string input = stage.input();
        if (split > input.size()) break;
        stage.relay.receive(std::string_view(input).substr(0, split));
        stage.relay.receive(std::string_view(input).substr(split));
        REQUIRE(stage.out == stage.expected());
        stage.check_all_seen();
      }
    }
  }
}

TEST_CASE("relay: empty bodies, headers as others write them, no bytes at all") {
  const std::string input =
      "Content-Length: 0\r\n\r\n"
      "content-length:2\n\n{}"
      "Content-Type: x\r\nContent-Length: 00\r\n\r\n"
      "Content-Length: 2\r\nContent-Length: 2\r\n\r\n[]";
  for (std::size_t portion = 1; portion <= input.size(); ++portion) {
    CAPTURE(portion);
    std::string out;
    std::vector<std::string> judged;
    MessageRelay relay({
        .forward =
            [&](std::string_view bytes, bool frame_open) {
              out += bytes;
              CHECK_FALSE(frame_open);
            },
        .judge =
            [&](std::string_view start, bool whole) {
              judged.emplace_back(start);
              CHECK(whole);
              return Verdict::undecided;
            },
        .take = [](std::string_view) { return true; },
        .streamed = [](std::string_view) { FAIL("nothing is long enough"); },
        .on_unframed = [](const Error& error) { FAIL(error.message); },
    });
    relay.receive("");
    for (std::size_t at = 0; at < input.size(); at += portion) {
      relay.receive(std::string_view(input).substr(at, portion));
      relay.receive("");
    }
    CHECK(out == input);
    CHECK(judged == std::vector<std::string>{"", "{}", "", "[]"});
  }
}

TEST_CASE("relay: a large body goes another way but for its last bytes") {
  std::mt19937 random(2);  // NOLINT: the same messages each time
  for (int round = 0; round < 200; ++round) {
    CAPTURE(round);
    Stage stage;
    add_random_messages(stage, random, 8);
    const std::string input = stage.input();
    std::string_view rest = input;
    bool any_skipped = false;
    while (!rest.empty()) {
      if (const std::uint64_t may = stage.relay.may_skip(); may > 0 && random() % 4 > 0) {
        const std::size_t size = 1 + random() % may;
        stage.out += rest.substr(0, size);
        stage.follow(rest.substr(0, size));
        stage.relay.skipped(size);
        rest.remove_prefix(size);
        CHECK(stage.relay.may_skip() == may - size);
        any_skipped = true;
        continue;
      }
      const std::string_view portion = rest.substr(0, 1 + random() % 500);
      stage.relay.receive(portion);
      rest.remove_prefix(portion.size());
    }
    REQUIRE(stage.out == stage.expected());
    if (!any_skipped) stage.check_all_seen();
  }
}

TEST_CASE("relay: nothing may be skipped but of a body that streams") {
  struct Case {
    const char* what;
    Verdict verdict;
    std::size_t decided_at;
    std::size_t seen;  // bytes of a body of 2000
    std::uint64_t skip;
  };
  const Case cases[] = {
      {"not begun", Verdict::pass, 0, 0, 0},
      {"before the first look", Verdict::pass, 0, 63, 0},
      {"passes", Verdict::pass, 0, 64, 2000 - 64 - 256},
      {"passes, all but the tail seen", Verdict::pass, 0, 2000 - 256, 0},
      {"passes, in the tail", Verdict::pass, 0, 1999, 0},
      {"whole", Verdict::pass, 0, 2000, 0},
      {"gathered", Verdict::gather, 0, 1000, 0},
      {"undecided", Verdict::undecided, 0, 1000, 0},
      {"decided late", Verdict::pass, 500, 500, 2000 - 500 - 256},
  };
  for (const Case& c : cases) {
    CAPTURE(c.what);
    Stage stage;
    stage.add(2000, c.verdict, true, c.decided_at);
    const std::string& frame = stage.messages[0].frame;
    stage.relay.receive(std::string_view(frame).substr(0, frame.size() - 2000 + c.seen));
    CHECK(stage.relay.may_skip() == c.skip);
    CHECK((stage.out == stage.expected()) == (c.seen == 2000));
  }
}

TEST_CASE("relay: what is no frame passes as it came from where it begins, nothing lost and nothing twice") {
  const char* const strange[] = {
      "\n",
      "\r\n\r\n",
      "Usage: server\n\nSee --help.",
      "{\"jsonrpc\":\"2.0\"}\n\nmore",
      "Content-Length: x\r\n\r\n{}",
      "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
      "Content-Length: 99999999999999999999\r\n\r\n{}",
      "Content-Length: -1\r\n\r\nrest",
      "Content-Type: x\r\n\r\nContent-Length: 2\r\n\r\n{}",
  };
  std::vector<std::string> endings(std::begin(strange), std::end(strange));
  endings.push_back("no line: " + std::string(10'000, 'x'));
  for (const std::string& ending : endings) {
    CAPTURE(ending.substr(0, 60));
    for (const std::size_t portion : {1, 2, 3, 7, 64, 4096, 100'000}) {
      for (const bool taken : {true, false}) {
        CAPTURE(portion);
        Stage stage;
        stage.add(300, Verdict::pass, false, 0);
        stage.add(80, Verdict::gather, taken, 0);
        stage.framed = stage.expected().size();
        const std::string input = stage.input() + ending + "\nand what follows";
        for (std::size_t at = 0; at < input.size(); at += portion) {
          stage.relay.receive(std::string_view(input).substr(at, portion));
        }
        REQUIRE(stage.out == stage.expected() + ending + "\nand what follows");
        CHECK(stage.unframed == 1);
        CHECK(stage.relay.may_skip() == 0);
        stage.check_all_seen();
      }
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
      stage.add(10, Verdict::pass, false, 0);
      stage.add(80, Verdict::gather, true, 0);
      stage.framed = stage.expected().size();
      const std::string input = stage.input() + c.ending;
      for (std::size_t at = 0; at < input.size(); at += portion) {
        stage.relay.receive(std::string_view(input).substr(at, portion));
      }
      const std::string words = stage.relay.end();
      CHECK(stage.out == stage.expected());
      CHECK(words == (c.returned ? c.ending : ""));
      CHECK(stage.relay.end().empty());
    }
  }
}

TEST_CASE("relay: a message over the limit passes while it is not yet known what it is") {
  std::size_t seen = 0;
  std::size_t forwarded = 0;
  MessageRelay relay({
      .forward = [&](std::string_view bytes, bool) { forwarded += bytes.size(); },
      .judge =
          [&](std::string_view start, bool) {
            seen = start.size();
            return Verdict::undecided;
          },
      .take = [](std::string_view) { return true; },
      .streamed = [](std::string_view) {},
      .on_unframed = [](const Error& error) { FAIL(error.message); },
  });
  const std::string header = "Content-Length: " + std::to_string(MessageRelay::max_gathered + 1) + "\r\n\r\n";
  relay.receive(header.substr(0, 10));
  CHECK(forwarded == 0);
  relay.receive(header.substr(10));
  CHECK(forwarded == header.size());
  for (std::size_t i = 1; i <= 1000; ++i) {
    relay.receive("x");
    CHECK(forwarded == header.size() + i);
  }
  CHECK(seen == 512);
  CHECK(relay.may_skip() == 0);
  relay.receive(std::string(1'000'000, 'x'));
  CHECK(seen == 524'288);  // and no further look
  CHECK(forwarded == header.size() + 1'001'000);
  CHECK(relay.may_skip() == MessageRelay::max_gathered + 1 - 1'001'000 - MessageRelay::tail_size);
}

TEST_CASE("relay: a message over the limit is not gathered, whatever its judge says") {
  constexpr std::size_t limit = MessageRelay::max_gathered;
  struct Case {
    const char* what;
    Verdict verdict;
    std::size_t size;
    std::size_t last;  // bytes that come at once at the end
    bool handed_over;
  };
  const Case cases[] = {
      {"as much as may be", Verdict::gather, limit, 1000, true},
      {"gathered, too long", Verdict::gather, limit + 1000, 10, false},
      {"gathered, too long, its end within one portion", Verdict::gather, limit + 1000, 5000, false},
      {"undecided, too long, its end within one portion", Verdict::undecided, limit + 1, 5000, false},
      {"gathered, too long, at once behind its header", Verdict::gather, limit + 1000, limit + 1000, false},
  };
  for (const Case& c : cases) {
    CAPTURE(c.what);
    const std::string header = "Content-Length: " + std::to_string(c.size) + "\r\n\r\n";
    const std::string portion(std::size_t{1} << 20, 'x');
    std::size_t forwarded = 0;
    bool handed_over = false;
    bool open = true;
    std::string tail;
    MessageRelay relay({
        .forward =
            [&](std::string_view bytes, bool frame_open) {
              forwarded += bytes.size();
              open = frame_open;
            },
        .judge =
            [&](std::string_view start, bool) {
              CHECK(start.size() <= limit);
              return c.verdict;
            },
        .take =
            [&](std::string_view body) {
              CHECK(body.size() == c.size);
              handed_over = true;
              return true;
            },
        .streamed = [&](std::string_view end) { tail = end; },
        .on_unframed = [](const Error& error) { FAIL(error.message); },
    });
    relay.receive(header);
    for (std::size_t left = c.size - c.last; left > 0;) {
      const std::size_t size = std::min(left, portion.size());
      relay.receive(std::string_view(portion).substr(0, size));
      left -= size;
    }
    relay.receive(std::string(c.last - 9, 'y') + ",\"id\":17}");
    CHECK(handed_over == c.handed_over);
    CHECK(forwarded == (c.handed_over ? 0 : header.size() + c.size));
    CHECK(tail.ends_with(",\"id\":17}") == !c.handed_over);
    if (!c.handed_over) CHECK_FALSE(open);
  }
}

TEST_CASE("relay: with only_whole nothing of a message passes, nor is it judged, before it is whole") {
  std::string out;
  int judged = 0;
  MessageRelay relay({.forward = [&](std::string_view bytes, bool) { out += bytes; },
                      .judge =
                          [&](std::string_view, bool whole) {
                            CHECK(whole);
                            ++judged;
                            return Verdict::pass;
                          },
                      .take = [](std::string_view) { return false; },
                      .streamed = [](std::string_view) { CHECK(false); },
                      .on_unframed = [](const Error&) {},
                      .only_whole = true});
  const std::string frame = lsp::frame(std::string(5000, 'x'));
  for (std::size_t at = 0; at < frame.size(); at += 100) {
    CHECK(out.empty());
    relay.receive(std::string_view(frame).substr(at, 100));
  }
  CHECK(out == frame);
  relay.receive(frame + frame.substr(0, 3000));
  CHECK(out == frame + frame);
  CHECK(judged == 2);
}

}  // namespace
}  // namespace symbols::relay
