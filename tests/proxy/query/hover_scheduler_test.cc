// Hovers for rows: requested once at a time, shared, cached until something changes, cancelled.
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
#include "tests/proxy/query/query_stage.h"

namespace symbols::query {
namespace {

using Strings = std::vector<std::string>;
using Numbers = std::vector<lsp::RequestNumber>;
using Outcome = HoverScheduler::Outcome;
using lsp::error_code::content_modified;
using lsp::error_code::server_cancelled;

constexpr HoverScheduler::Options caching{.cache = true};

// A scheduler and its waiters. `heard` has a line for each handler that was called: "who outcome text".
struct Stage {
  FakeServer server;
  Strings heard;
  HoverScheduler scheduler;

  explicit Stage(HoverScheduler::Options options = {}) : scheduler(server, server.delayed, options) {}

  HoverScheduler::Ticket ask(
      std::string who, std::uint32_t line, std::string_view name = "f", std::string_view uri = "file:///a",
      std::function<void()> then = [] {}) {
    return scheduler.ask(
        uri, {line, 0}, name,
        [this, who = std::move(who), then = std::move(then)](Outcome outcome, const table::HoverText& text) {
          constexpr const char* words[] = {"answered", "nothing", "refused", "dropped"};
          heard.push_back(who + ' ' + words[static_cast<std::size_t>(outcome)] + ' ' + text.signature +
                          text.prose);
          then();
        });
  }
  std::string cached(std::uint32_t line, std::string_view name = "f", std::string_view uri = "file:///a") {
    const table::HoverText* text = scheduler.cached(uri, {line, 0}, name);
    return text == nullptr ? "-" : text->signature + text->prose;
  }
  // The lines of the requests that are out, oldest first.
  std::vector<int> lines_out() const {
    std::vector<int> lines;
    for (const FakeServer::Sent& request : server.sent)
      lines.push_back(std::stoi(request.params.substr(request.params.find("\"line\":") + 7)));
    return lines;
  }
};

TEST_CASE("hovers: the waiters for one position share one request, each with the text for its name") {
  Stage stage;
  stage.ask("first", 1, "a", "file:///a b");
  CHECK(stage.heard.empty());
  REQUIRE(stage.server.out() == Strings{"hover"});
  CHECK(stage.server.sent[0].params ==
        R"({"textDocument":{"uri":"file:///a b"},"position":{"line":1,"character":0}})");
  stage.ask("second", 1, "b", "file:///a b");
  stage.ask("third", 1, "a", "file:///a b");
  stage.ask("elsewhere", 2, "a", "file:///a b");
  stage.ask("other document", 1, "a", "file:///b");
  CHECK(stage.server.sent.size() == 3);
  // A hover that only repeats the name says nothing.
  stage.server.reply(hover_json("b"));
  CHECK(stage.heard == Strings{"first answered b", "second answered ", "third answered b"});
  stage.ask("late", 1, "a", "file:///a b");
  CHECK(stage.server.sent.size() == 3);
}

TEST_CASE("hovers: what a waiter gets") {
  struct Case {
    const char* result;  // null: an error
    const char* heard;
    bool remembered;
  };
  for (const Case& one : {
           Case{R"({"contents":{"kind":"markdown","value":"```x\nvoid f()\n```\nDoes it."}})",
                "who answered void f()Does it.", true},
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

TEST_CASE("hovers: first come, first served; a new batch when half of those allowed have arrived") {
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
    for (int line = 0; line < 10; ++line)
      stage.ask("x", static_cast<std::uint32_t>(line), "f", line == 3 ? "file:///b" : "file:///a");
    std::vector<std::size_t> out{stage.server.sent.size()};
    for (int line = 0; !stage.server.sent.empty(); ++line) {
      CHECK(stage.lines_out().front() == line);
      stage.server.reply("null");
      out.push_back(stage.server.sent.size());
      CHECK(stage.scheduler.in_flight() == stage.server.sent.size());
    }
    CHECK(out == batches);
    CHECK(stage.heard.size() == 10);
  }
}

TEST_CASE("hovers: one that no waiter wants any more is cancelled at the server, or never sent") {
  Stage stage({.in_flight = 2, .cache = true});
  const auto first = stage.ask("first", 1);
  const auto shares = stage.ask("shares", 1);
  stage.scheduler.cancel(shares);
  stage.scheduler.cancel(shares);
  CHECK(stage.server.cancelled.empty());
  stage.scheduler.cancel(first);
  CHECK(stage.server.cancelled == Numbers{1});
  CHECK(stage.scheduler.in_flight() == 0);
  stage.ask("again", 1);
  stage.server.reply(hover_json("late"));
  CHECK(stage.heard.empty());
  CHECK(stage.cached(1) == "-");
  stage.server.reply(hover_json("in time"));
  CHECK(stage.heard == Strings{"again answered in time"});
  stage.scheduler.cancel(first);
  stage.scheduler.cancel(HoverScheduler::Ticket{0});
  CHECK(stage.server.cancelled.size() == 1);
  // Together: all are gone before the next in the queue is sent.
  std::vector<HoverScheduler::Ticket> tickets;
  for (std::uint32_t line = 2; line < 6; ++line) tickets.push_back(stage.ask("x", line));
  stage.ask("other", 9);
  stage.scheduler.cancel(tickets);
  CHECK(stage.server.cancelled == Numbers{1, 3, 4});
  CHECK(stage.lines_out() == std::vector<int>{2, 3, 9});
  CHECK(stage.scheduler.queued() == 0);
}

TEST_CASE("hovers: a server that is not ready is asked again, after longer delays, for a limited time") {
  Stage stage({.in_flight = 2, .retry_for = std::chrono::milliseconds(1500)});
  stage.ask("who", 1);
  std::vector<long> delays;
  for (int attempt = 0; attempt < 20 && stage.heard.empty(); ++attempt) {
    REQUIRE(stage.server.sent.size() == 1);
    stage.server.refuse(attempt % 2 == 0 ? content_modified : server_cancelled);
    CHECK(stage.server.sent.empty());
    if (stage.server.delayed.empty()) break;
    stage.ask("shares", 1);
    CHECK(stage.server.sent.empty());
    delays.push_back(static_cast<long>(stage.server.delayed.delays().front().count()));
    stage.server.delayed.run();
  }
  CHECK(delays == std::vector<long>{100, 200, 400, 800});
  CHECK(stage.heard.size() == 5);
  CHECK(stage.heard[0] == "who refused ");
  // Those that wait count as in flight, and are cancelled and dropped like others.
  const auto cancelled = stage.ask("cancelled", 2);
  stage.ask("dropped", 3, "f", "file:///b");
  stage.ask("queued", 4);
  stage.server.refuse(content_modified);
  stage.server.refuse(content_modified);
  CHECK(stage.server.sent.empty());
  stage.scheduler.cancel(cancelled);
  stage.scheduler.drop("file:///b");
  CHECK(stage.heard.back() == "dropped dropped ");
  CHECK(stage.server.delayed.empty());
  CHECK(stage.lines_out() == std::vector<int>{4});
  CHECK(stage.server.cancelled.empty());  // the server has none of them
}

TEST_CASE("hovers: tables of large documents that are cancelled cost no more than linear time") {
  CHECK(grows_linearly(30'000, [](std::size_t hovers) {
    Stage stage;
    std::vector<HoverScheduler::Ticket> second;
    for (const char* uri : {"file:///a", "file:///b", "file:///c"}) {
      for (std::size_t i = 0; i < hovers; ++i) {
        const auto ticket = stage.scheduler.ask(uri, {static_cast<std::uint32_t>(i), 0}, "f",
                                                [](Outcome, const table::HoverText&) {});
        if (uri[8] == 'b') second.push_back(ticket);
      }
    }
    stage.scheduler.cancel(second);
    CHECK(stage.scheduler.queued() == 2 * hovers - 32);
  }));
}

TEST_CASE("hovers: beyond so many that wait there is no ticket, until one has gone") {
  Stage stage({.in_flight = 1, .max_waiting = 3});
  stage.ask("a", 0);
  const HoverScheduler::Ticket second = stage.ask("b", 1);
  stage.ask("b too", 1);
  CHECK(!stage.ask("c", 2));
  stage.scheduler.cancel(second);
  CHECK(stage.ask("d", 3));
  CHECK(!stage.ask("e", 4));
  stage.server.reply(hover_json("one"));
  CHECK(stage.heard == Strings{"a answered one"});
  CHECK(stage.ask("f", 5));
  CHECK(!stage.ask("g", 6));
  stage.scheduler.drop("file:///a");
  CHECK(stage.ask("h", 7));
}

TEST_CASE("hover cache: what was answered, for each name that was requested, from the first handler on") {
  Stage stage(caching);
  std::string read;
  stage.ask("x", 1, "f", "file:///a", [&] { read = stage.cached(1, "g"); });
  stage.ask("x", 1, "g");
  stage.server.reply(hover_json("s"));
  CHECK(read == "s");
  CHECK(stage.cached(1, "f") == "s");
  CHECK(stage.cached(1, "h") == "-");
  CHECK(stage.cached(2, "f") == "-");
  CHECK(stage.cached(1, "f", "file:///b") == "-");
  Stage without;
  without.ask("x", 1);
  without.server.reply(hover_json("s"));
  CHECK(without.cached(1) == "-");
}

TEST_CASE("hover cache: emptied over its bound, and one hover that is larger is not cached") {
  Stage stage({.cache = true, .cache_bytes = 5000});
  const auto cached = [&stage](std::uint32_t count) {
    int cached = 0;
    for (std::uint32_t line = 0; line < count; ++line) cached += stage.cached(line) == "-" ? 0 : 1;
    return cached;
  };
  for (std::uint32_t line = 0; line < 100; ++line) {
    stage.ask("x", line);
    stage.server.reply(hover_json(std::string(500, 'x')));
    CHECK(stage.cached(line) != "-");
    CHECK(cached(line + 1) <= 5000 / 500);
  }
  const int before = cached(100);
  stage.ask("x", 100);
  stage.server.reply(hover_json(std::string(5000, 'x')));
  CHECK(cached(101) == before);
}

TEST_CASE("hover cache: a change empties it, and later questions do not get what was in flight") {
  Stage stage({.in_flight = 3, .cache = true});
  stage.ask("known", 9);
  stage.server.reply(hover_json("old"));
  const auto before = stage.ask("before", 1);
  stage.ask("other", 2, "f", "file:///b");
  stage.scheduler.invalidate();
  CHECK(stage.cached(9) == "-");
  stage.ask("after", 1);
  stage.ask("queued", 3);
  stage.ask("joins", 1);
  CHECK(stage.lines_out() == std::vector<int>{1, 2, 1});
  stage.heard.clear();
  SUBCASE("the older comes first") {
    stage.server.reply(hover_json("old"));
    CHECK(stage.heard == Strings{"before answered old"});
    CHECK(stage.cached(1) == "-");
    stage.server.reply(hover_json("new"), 1);
    CHECK(stage.heard == Strings{"before answered old", "after answered new", "joins answered new"});
    CHECK(stage.cached(1) == "new");
  }
  SUBCASE("the older comes last") {
    stage.server.reply(hover_json("new"), 2);
    stage.server.reply(hover_json("old"));
    CHECK(stage.heard == Strings{"after answered new", "joins answered new", "before answered old"});
    CHECK(stage.cached(1) == "new");
  }
  SUBCASE("the older is cancelled") {
    stage.scheduler.cancel(before);
    CHECK(stage.server.cancelled == Numbers{2});
    stage.server.reply(hover_json("new"), 2);
    CHECK(stage.heard == Strings{"after answered new", "joins answered new"});
  }
  SUBCASE("the document is dropped, with its waiters in their order") {
    stage.scheduler.drop("file:///a");
    CHECK(stage.server.cancelled == Numbers{2, 4});
    CHECK(stage.heard == Strings{"before dropped ", "after dropped ", "joins dropped ", "queued dropped "});
    stage.heard.clear();
    stage.server.reply(hover_json("late"));
    stage.server.reply(hover_json("two"));
    CHECK(stage.heard == Strings{"other answered two"});
    stage.scheduler.drop("file:///a");
    CHECK(stage.server.cancelled.size() == 2);
  }
}

TEST_CASE("hover cache: nothing of a server that is loading") {
  enum class Step { load, ready, ask, reply };
  using enum Step;
  struct Case {
    const char* what;
    std::vector<Step> steps;
    bool is_cached;
  };
  for (const Case& one : {
           Case{"never loading", {ask, reply}, true},
           Case{"asked and answered while loading", {load, ask, reply, ready}, false},
           Case{"asked while loading", {load, ask, ready, reply}, false},
           Case{"answered while loading", {ask, load, reply, ready}, false},
           Case{"loading in between", {ask, load, ready, reply}, false},
           Case{"said twice", {load, load, ready, ask, ready, reply}, true},
           Case{"loaded before", {load, ready, ask, reply}, true},
           Case{"loading after", {ask, reply, load}, true},
           Case{"asked while loading and again after", {load, ask, ready, ask, reply, reply}, true},
       }) {
    CAPTURE(one.what);
    Stage stage(caching);
    std::size_t asked = 0;
    for (const Step step : one.steps) {
      if (step == ask) {
        stage.ask("x", 1);
        ++asked;
      } else if (step == reply) {
        stage.server.reply(hover_json("s"));
      } else {
        stage.scheduler.set_loading(step == load);
      }
    }
    CHECK(stage.heard.size() == asked);
    CHECK((stage.cached(1) == "s") == one.is_cached);
  }
}

TEST_CASE("hovers: whatever happens in whatever order, each waiter is called once or has cancelled") {
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
        server.reply(below(3) == 0 ? "null" : hover_json("some text"), index);
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

}  // namespace
}  // namespace symbols::query
