#include "proxy/query/hover_scheduler.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "tests/growth.h"
#include "tests/proxy/query/hover_scheduler_stage.h"

using namespace symbols;
using namespace symbols::query;

namespace {

using Stage = HoverSchedulerStage;
using Strings = std::vector<std::string>;
using Outcome = HoverScheduler::Outcome;
using lsp::error_code::content_modified;
using lsp::error_code::server_cancelled;

}  // namespace

TEST_CASE("a hover is requested at its position, and handed over") {
  Stage stage;
  stage.scheduler.ask("file:///a b", {3, 7}, "f", [&](Outcome outcome, const table::HoverText& text) {
    stage.heard = {word(outcome), text.signature, text.prose};
  });
  CHECK(stage.heard.empty());
  REQUIRE(stage.server.sent.size() == 1);
  CHECK(stage.server.sent[0].method == "textDocument/hover");
  CHECK(stage.server.sent[0].params ==
        R"({"textDocument":{"uri":"file:///a b"},"position":{"line":3,"character":7}})");
  stage.server.reply(R"({"contents":{"kind":"markdown","value":"```x\nvoid f()\n```\nDoes it."}})");
  CHECK(stage.heard == Strings{"answered", "void f()", "Does it."});
  CHECK(stage.scheduler.in_flight() == 0);
}

TEST_CASE("the waiters for one position share one request, each with the text for its name") {
  Stage stage;
  stage.ask("first", 1, "a");
  stage.ask("second", 1, "b");
  stage.ask("third", 1, "a");
  stage.ask("elsewhere", 2, "a");
  stage.ask("other document", 1, "a", "file:///b");
  CHECK(stage.server.sent.size() == 3);
  // A hover that only repeats the name says nothing.
  stage.server.reply(R"({"contents":"b"})");
  CHECK(stage.heard == Strings{"first answered b", "second answered ", "third answered b"});
  stage.ask("late", 1, "a");
  CHECK(stage.server.sent.size() == 3);
}

TEST_CASE("what a waiter gets") {
  struct Case {
    const char* result;  // null: an error
    const char* heard;
    bool remembered;
  };
  for (const Case& one : {
           Case{R"({"contents":{"language":"x","value":"s"}})", "who answered s", true},
           Case{R"({"contents":"only prose"})", "who answered only prose", true},
           Case{"null", "who nothing ", false},
           Case{R"({"contents":[]})", "who nothing ", false},
           Case{R"({"contents":""})", "who nothing ", false},
           Case{R"({"contents":7})", "who nothing ", false},
           Case{R"({"contents":)", "who nothing ", false},
           Case{"[1]", "who nothing ", false},
           Case{nullptr, "who refused ", false},
       }) {
    CAPTURE(one.result);
    Stage stage(caching);
    stage.ask("who", 1);
    if (one.result != nullptr) {
      stage.server.reply(one.result);
    } else {
      stage.server.refuse(1);
    }
    CHECK(stage.heard == Strings{one.heard});
    CHECK((stage.cached(1) != "-") == one.remembered);
  }
}

TEST_CASE("no more in flight than allowed, and a new batch when half of them have arrived") {
  for (const auto& [bound, batches] : std::vector<std::pair<std::size_t, std::vector<std::size_t>>>{
           {4, {4, 3, 4, 3, 4, 3, 4, 3, 2, 1, 0}},
           {1, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0}},
           {0, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0}},  // at least one
           {10, {10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0}},
           {100, {10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0}},
       }) {
    const auto& bound_shown = bound;  // which clang 14 can capture
    CAPTURE(bound_shown);
    Stage stage({.in_flight = bound});
    for (std::uint32_t line = 0; line < 10; ++line) stage.ask("x", line);
    std::vector<std::size_t> out{stage.server.sent.size()};
    while (!stage.server.sent.empty()) {
      stage.server.reply("null");
      out.push_back(stage.server.sent.size());
      CHECK(stage.scheduler.in_flight() == stage.server.sent.size());
    }
    CHECK(out == batches);
    CHECK(stage.heard.size() == 10);
  }
}

TEST_CASE("first come, first served, whatever the document") {
  Stage stage({.in_flight = 2});
  stage.ask("x", 1, "f", "file:///a");
  stage.ask("x", 2, "f", "file:///a");
  stage.ask("x", 3, "f", "file:///a");
  stage.ask("x", 4, "f", "file:///b");
  stage.ask("x", 5, "f", "file:///a");
  stage.ask("joins", 3, "g", "file:///a");
  CHECK(stage.scheduler.queued() == 3);
  std::vector<int> order;
  while (!stage.server.sent.empty()) {
    order.push_back(stage.lines_out().front());
    stage.server.reply("null");
  }
  CHECK(order == std::vector<int>{1, 2, 3, 4, 5});
}

TEST_CASE("a waiter that is cancelled is not called, the others are") {
  Stage stage;
  const auto first = stage.ask("first", 1);
  stage.ask("second", 1);
  stage.scheduler.cancel(first);
  stage.scheduler.cancel(first);
  CHECK(stage.server.cancelled.empty());
  stage.server.reply(hover("s"));
  CHECK(stage.heard == Strings{"second answered s"});
}

TEST_CASE(
    "a hover that nobody waits for any more is cancelled at the server, and a late reply finds nobody") {
  Stage stage(caching);
  const auto first = stage.ask("first", 1);
  const auto second = stage.ask("second", 1);
  stage.scheduler.cancel(second);
  stage.scheduler.cancel(first);
  CHECK(stage.server.cancelled == std::vector<lsp::RequestNumber>{1});
  CHECK(stage.scheduler.in_flight() == 0);
  stage.ask("third", 1);
  CHECK(stage.server.sent.size() == 2);
  stage.server.reply(hover("late"));
  CHECK(stage.heard.empty());
  CHECK(stage.cached(1) == "-");
  stage.server.reply(hover("in time"));
  CHECK(stage.heard == Strings{"third answered in time"});
  stage.scheduler.cancel(first);
  stage.scheduler.cancel(HoverScheduler::Ticket{0});
  CHECK(stage.server.cancelled.size() == 1);
}

TEST_CASE("a hover that is cancelled while it is queued is never requested") {
  Stage stage({.in_flight = 1});
  stage.ask("first", 1);
  const auto second = stage.ask("second", 2);
  stage.ask("third", 3);
  stage.scheduler.cancel(second);
  CHECK(stage.scheduler.queued() == 1);
  stage.server.reply("null");
  CHECK(stage.lines_out() == std::vector<int>{3});
  CHECK(stage.server.cancelled.empty());
}

TEST_CASE("several that are cancelled together are gone before the next in the queue is sent") {
  Stage stage({.in_flight = 2});
  std::vector<HoverScheduler::Ticket> tickets;
  for (std::uint32_t line = 0; line < 5; ++line) tickets.push_back(stage.ask("x", line));
  stage.ask("other", 9);
  stage.scheduler.cancel(tickets);
  CHECK(stage.server.cancelled == std::vector<lsp::RequestNumber>{1, 2});
  CHECK(stage.lines_out() == std::vector<int>{0, 1, 9});
}

TEST_CASE(
    "many waiters that come and go at one position leave nothing behind, and those that stay are served in "
    "order") {
  Stage stage;
  stage.ask("first", 1);
  for (int i = 0; i < 1000; ++i) {
    const auto gone = stage.ask("gone", 1);
    if (i == 500) stage.ask("second", 1);
    stage.scheduler.cancel(gone);
  }
  stage.ask("last", 1);
  CHECK(stage.server.sent.size() == 1);
  stage.server.reply(hover("s"));
  CHECK(stage.heard == Strings{"first answered s", "second answered s", "last answered s"});
}

TEST_CASE(
    "a server that is not ready is asked again, each time after a longer delay, and for a limited time") {
  Stage stage({.retry_for = std::chrono::milliseconds(1500)});
  stage.ask("who", 1);
  std::vector<long> delays;
  for (int attempt = 0; attempt < 20 && stage.heard.empty(); ++attempt) {
    REQUIRE(stage.server.sent.size() == 1);
    stage.server.refuse(attempt % 2 == 0 ? content_modified : server_cancelled);
    CHECK(stage.server.sent.empty());
    if (stage.server.delayed.empty()) break;
    delays.push_back(static_cast<long>(stage.server.delayed.delays().front().count()));
    stage.server.delayed.run();
  }
  CHECK(delays == std::vector<long>{100, 200, 400, 800});
  CHECK(stage.heard == Strings{"who refused "});
}

TEST_CASE("a hover that is to be retried is shared, and may be answered") {
  Stage stage(caching);
  stage.ask("first", 1);
  stage.server.refuse(content_modified);
  stage.ask("second", 1);
  CHECK(stage.server.sent.empty());
  stage.server.delayed.run();
  REQUIRE(stage.server.sent.size() == 1);
  stage.server.reply(hover("s"));
  CHECK(stage.heard == Strings{"first answered s", "second answered s"});
  CHECK(stage.cached(1) == "s");
}

TEST_CASE("a hover that waits for its retry counts as in flight") {
  Stage stage({.in_flight = 2});
  for (std::uint32_t line = 0; line < 6; ++line) stage.ask("x", line);
  stage.server.refuse(content_modified);
  CHECK(stage.lines_out() == std::vector<int>{1});
  stage.server.delayed.run();
  CHECK(stage.lines_out() == std::vector<int>{1, 0});
  stage.server.reply("null");
  CHECK(stage.lines_out() == std::vector<int>{0, 2});
}

TEST_CASE("a hover that waits for its retry is cancelled and dropped like any other") {
  Stage stage;
  const auto cancelled = stage.ask("cancelled", 1);
  stage.ask("dropped", 2, "f", "file:///b");
  stage.server.refuse(content_modified);
  stage.server.refuse(content_modified);
  stage.scheduler.cancel(cancelled);
  stage.scheduler.drop("file:///b");
  CHECK(stage.heard == Strings{"dropped dropped "});
  CHECK(stage.server.delayed.empty());
  stage.server.delayed.run();
  CHECK(stage.server.sent.empty());
  CHECK(stage.server.cancelled.empty());  // the server has none of them
}

TEST_CASE("a scheduler that is destroyed cancels what is in flight, and late replies are ignored") {
  Stage stage({.in_flight = 4});
  for (std::uint32_t line = 0; line < 6; ++line) stage.ask("x", line);
  stage.server.refuse(content_modified);
  CHECK(stage.server.delayed.delays().size() == 1);
  stage.owned.reset();
  CHECK(stage.server.delayed.empty());
  std::ranges::sort(stage.server.cancelled);
  CHECK(stage.server.cancelled == std::vector<lsp::RequestNumber>{2, 3, 4});
  while (!stage.server.sent.empty()) stage.server.reply(hover("late"));
  stage.server.delayed.run();
  CHECK(stage.heard.empty());
  CHECK(stage.server.sent.empty());
}

TEST_CASE("tables of large documents that are cancelled cost no more than linear time") {
  CHECK(grows_linearly(30'000, [](std::size_t hovers) {
    HoverSchedulerStage stage;
    std::vector<HoverScheduler::Ticket> second;
    for (const char* uri : {"file:///a", "file:///b", "file:///c"}) {
      for (std::size_t i = 0; i < hovers; ++i) {
        const auto ticket = stage.scheduler.ask(uri, {static_cast<std::uint32_t>(i), 0}, "f",
                                                [](HoverScheduler::Outcome, const table::HoverText&) {});
        if (uri[8] == 'b') second.push_back(ticket);
      }
    }
    stage.scheduler.cancel(second);
    CHECK(stage.scheduler.queued() == 2 * hovers - 32);
  }));
}

TEST_CASE("so many wait at the most: one more gets no ticket, until one has gone") {
  HoverSchedulerStage stage({.in_flight = 1, .max_waiting = 3});
  stage.ask("a", 0);
  const HoverScheduler::Ticket second = stage.ask("b", 1);
  stage.ask("b too", 1);
  CHECK(!stage.ask("c", 2));
  stage.scheduler.cancel(second);
  CHECK(stage.ask("d", 3));
  CHECK(!stage.ask("e", 4));
  stage.server.reply(hover("one"));
  CHECK(stage.heard == std::vector<std::string>{"a answered one"});
  CHECK(stage.ask("f", 5));
  CHECK(!stage.ask("g", 6));
  stage.scheduler.drop("file:///a");
  CHECK(stage.ask("h", 7));
}

TEST_CASE("whatever happens in whatever order, each waiter is called once or has cancelled") {
  std::mt19937 random(7);
  const auto below = [&](std::uint32_t limit) { return static_cast<std::uint32_t>(random() % limit); };
  for (int round = 0; round < 60; ++round) {
    FakeServer server;
    HoverScheduler scheduler(server, server.delayed,
                             {.in_flight = 1 + below(6), .cache = true, .cache_bytes = 3000});
    std::map<int, HoverScheduler::Ticket> waiting;
    int asked = 0;
    int twice = 0;
    const auto ask = [&](const auto& self, int depth) -> void {
      const int who = asked++;
      waiting[who] = {};  // in case it is called at once, which it must not be
      const std::string uri = "file:///" + std::to_string(below(3));
      const HoverScheduler::Ticket ticket =
          scheduler.ask(uri, {below(5), 0}, below(2) == 0 ? "f" : "g",
                        [&, who, depth](Outcome, const table::HoverText& text) {
                          const std::string copy = text.signature;
                          if (waiting.erase(who) == 0) ++twice;
                          const std::uint32_t deed = below(8);
                          if (deed == 0 && depth < 3) self(self, depth + 1);
                          if (deed == 1 && !waiting.empty()) {
                            scheduler.cancel(waiting.begin()->second);
                            waiting.erase(waiting.begin());
                          }
                          if (deed == 2) scheduler.invalidate();
                          if (deed == 3 && depth < 3) scheduler.drop("file:///" + std::to_string(below(3)));
                          CHECK(copy == text.signature);
                        });
      REQUIRE(waiting.contains(who));
      waiting[who] = ticket;
    };
    const auto late = [&](std::size_t index) {
      return std::ranges::find(server.cancelled, server.sent[index].number) != server.cancelled.end();
    };
    const auto answer = [&] {
      const std::size_t index = below(static_cast<std::uint32_t>(server.sent.size()));
      if (late(index)) {
        server.sent.erase(server.sent.begin() + index);  // as a RequestSender swallows it
      } else if (below(5) == 0) {
        server.refuse(below(2) == 0 ? content_modified : 1, index);
      } else {
        server.reply(below(3) == 0 ? "null" : hover("some text"), index);
      }
    };
    for (int step = 0; step < 200; ++step) {
      const std::uint32_t what = below(20);
      if (what < 9) ask(ask, 0);
      if (what >= 9 && what < 15 && !server.sent.empty()) answer();
      if (what == 15) server.delayed.run();
      if (what == 16) scheduler.invalidate();
      if (what == 17) scheduler.drop("file:///" + std::to_string(below(3)));
      if (what == 18) scheduler.set_loading(below(2) == 0);
      if (what == 19 && !waiting.empty()) {
        const auto one = std::next(waiting.begin(), below(static_cast<std::uint32_t>(waiting.size())));
        scheduler.cancel(one->second);
        waiting.erase(one);
      }
      CHECK(scheduler.in_flight() <= 6);
    }
    for (int turn = 0; turn < 10'000 && !(server.sent.empty() && server.delayed.empty()); ++turn) {
      if (!server.sent.empty()) answer();
      server.delayed.run();
    }
    CHECK(waiting.empty());
    CHECK(twice == 0);
    CHECK(scheduler.in_flight() == 0);
    CHECK(scheduler.queued() == 0);
  }
}
