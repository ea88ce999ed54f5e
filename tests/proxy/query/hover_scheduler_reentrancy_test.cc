#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "proxy/query/hover_scheduler.h"
#include "tests/proxy/query/hover_scheduler_stage.h"

using namespace symbols;
using namespace symbols::query;

namespace {

using Stage = HoverSchedulerStage;
using Strings = std::vector<std::string>;
using Outcome = HoverScheduler::Outcome;
using lsp::error_code::content_modified;

}  // namespace

TEST_CASE("a handler may ask, cancel, invalidate and drop") {
  Stage stage({.in_flight = 2, .cache = true});
  HoverScheduler::Ticket doomed;
  SUBCASE("ask for the same position, which is a new request") {
    stage.ask_then(
        "x", [&] { stage.ask("again", 1); }, 1);
    stage.ask("y", 1);
    stage.server.reply(hover("s"));
    CHECK(stage.heard == Strings{"x answered s", "y answered s"});
    stage.server.reply(hover("t"));
    CHECK(stage.heard.back() == "again answered t");
  }
  SUBCASE("ask for so much that every table grows") {
    stage.ask_then(
        "x",
        [&] {
          for (std::uint32_t line = 2; line < 2000; ++line) {
            stage.ask("more", line, "f", "file:///" + std::to_string(line));
          }
        },
        1);
    stage.ask("y", 1);
    stage.server.reply(hover("s"));
    CHECK(stage.heard == Strings{"x answered s", "y answered s"});
    while (!stage.server.sent.empty()) stage.server.reply("null");
    CHECK(stage.heard.size() == 2000);
  }
  SUBCASE("cancel another that waits for the same reply") {
    stage.ask_then(
        "x", [&] { stage.scheduler.cancel(doomed); }, 1);
    doomed = stage.ask("doomed", 1);
    stage.ask("y", 1);
    stage.server.reply(hover("s"));
    CHECK(stage.heard == Strings{"x answered s", "y answered s"});
  }
  SUBCASE("cancel itself, which is over") {
    doomed = stage.ask_then(
        "x", [&] { stage.scheduler.cancel(doomed); }, 1);
    stage.server.reply(hover("s"));
    CHECK(stage.heard == Strings{"x answered s"});
  }
  SUBCASE("cancel what is in flight and what is queued") {
    HoverScheduler::Ticket queued;
    stage.ask_then(
        "x",
        [&] {
          stage.scheduler.cancel(std::vector{doomed, queued});
        },
        1);
    doomed = stage.ask("doomed", 2);
    stage.ask("y", 3);
    queued = stage.ask("queued", 4);
    stage.server.reply(hover("s"));
    CHECK(stage.server.cancelled == std::vector<lsp::RequestNumber>{2});
    stage.server.reply("null");
    stage.server.reply("null");
    CHECK(stage.heard == Strings{"x answered s", "y nothing "});
    CHECK(stage.server.sent.empty());
  }
  SUBCASE("invalidate what was just cached") {
    stage.ask_then(
        "x", [&] { stage.scheduler.invalidate(); }, 1, "f");
    stage.ask("y", 1, "g");
    stage.server.reply(hover("s"));
    CHECK(stage.heard == Strings{"x answered s", "y answered s"});
    CHECK(stage.cached(1, "f") == "-");
    CHECK(stage.cached(1, "g") == "-");
  }
  SUBCASE("drop the document, from a reply") {
    stage.ask_then(
        "x", [&] { stage.scheduler.drop("file:///a"); }, 1);
    stage.ask("y", 1);
    stage.ask("z", 2);
    stage.server.reply(hover("s"));
    CHECK(stage.heard == Strings{"x answered s", "z dropped ", "y answered s"});
  }
  SUBCASE("drop the document, cancel and ask again, from a drop") {
    stage.ask_then(
        "x",
        [&] {
          stage.scheduler.drop("file:///a");
          stage.scheduler.cancel(doomed);
          stage.ask("again", 1);
        },
        1);
    doomed = stage.ask("doomed", 2);
    stage.ask("y", 3);
    stage.scheduler.drop("file:///a");
    CHECK(stage.heard == Strings{"x dropped ", "y dropped "});
    stage.server.reply("null", 2);
    CHECK(stage.heard.back() == "again nothing ");
  }
}

TEST_CASE("a handler may destroy the scheduler") {
  Stage stage({.in_flight = 2});
  stage.ask_then(
      "x", [&] { stage.owned.reset(); }, 1);
  stage.ask("y", 1);
  stage.ask("z", 2);
  stage.ask("queued", 3);
  SUBCASE("from a reply") {
    stage.server.reply(hover("s"));
    CHECK(stage.heard == Strings{"x answered s"});
    CHECK(stage.server.cancelled == std::vector<lsp::RequestNumber>{2, 3});
  }
  SUBCASE("from a drop") {
    stage.scheduler.drop("file:///a");
    CHECK(stage.heard == Strings{"x dropped "});
    CHECK(stage.server.cancelled == std::vector<lsp::RequestNumber>{1, 2});
  }
}

TEST_CASE("a handler may hold the last reference to an owner of other tickets") {
  // Cancels its tickets when it is destroyed, as a collector does.
  struct Holder {
    HoverScheduler& scheduler;
    std::vector<HoverScheduler::Ticket> tickets;
    ~Holder() { scheduler.cancel(tickets); }
  };
  Stage stage({.in_flight = 2});
  auto holder = std::make_shared<Holder>(Holder{stage.scheduler, {}});
  const std::weak_ptr<Holder> watch = holder;
  for (const std::uint32_t line : {0U, 1U, 1U, 1U, 1U, 2U, 3U}) {
    holder->tickets.push_back(stage.ask("held", line));
  }
  const auto ticket =
      stage.scheduler.ask("file:///a", {1, 0}, "f", [holder](Outcome, const table::HoverText&) {});
  holder.reset();
  CHECK(!watch.expired());
  SUBCASE("when it is cancelled") {
    stage.scheduler.cancel(ticket);
    CHECK(stage.server.cancelled == std::vector<lsp::RequestNumber>{1, 2});
  }
  SUBCASE("when it was called") {
    stage.server.reply("null");
    stage.server.reply("null");
    CHECK(stage.heard == Strings(5, "held nothing "));
    CHECK(stage.server.cancelled == std::vector<lsp::RequestNumber>{3, 4});
  }
  SUBCASE("when it was dropped") {
    stage.scheduler.drop("file:///a");
    CHECK(stage.heard == Strings(5, "held dropped "));
  }
  SUBCASE("when the scheduler is destroyed") {
    stage.owned.reset();
    CHECK(stage.server.cancelled == std::vector<lsp::RequestNumber>{1, 2});
  }
  CHECK(watch.expired());
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
