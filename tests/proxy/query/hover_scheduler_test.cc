// Hovers for rows: requested once at a time, shared, cached until something changes, cancelled.
#include "proxy/query/hover_scheduler.h"

#include <doctest/doctest.h>

#include <chrono>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "tests/growth.h"
#include "tests/proxy/query/query_stage.h"
#include "tests/table/made_row.h"

namespace symbols::query {
namespace hover_scheduler_test {

using Strings = std::vector<std::string>;
using Numbers = std::vector<lsp::RequestNumber>;
using lsp::error_code::content_modified;
using lsp::error_code::server_cancelled;

constexpr HoverScheduler::Options caching{.cache = true};

// Rows called a, b, c, … that are named on the lines given.
table::SymbolRows rows_on(const std::vector<std::uint32_t>& lines) {
  table::SymbolRows rows;
  for (const std::uint32_t line : lines) {
    lsp::DocumentSymbol& symbol = rows.all.emplace_back();
    symbol.name = std::string(1, static_cast<char>('a' + rows.all.size() - 1));
    symbol.selection_range = {{line, 4}, {line, 5}};
  }
  return rows;
}

// A scheduler and collectors of one row each. `heard` has a line for each that was done: "who outcome text".
struct Stage {
  FakeServer server;
  Strings heard;
  HoverScheduler scheduler;
  std::map<std::string, std::unique_ptr<HoverCollector>> asked;  // by who

  explicit Stage(HoverScheduler::Options options = {}) : scheduler(server, server.delayed, options) {}

  void ask(
      const std::string& who, std::uint32_t line, const std::string& name = "f",
      const std::string& uri = "file:///a", std::function<void()> then = [] {}) {
    table::SymbolRows rows = rows_on({line});
    rows.all.front().name = name;
    std::unique_ptr<HoverCollector>& collector = asked[who];
    const auto done = [this, who, then, &collector] {
      const auto [filled, counts] = collector->take();
      heard.push_back(who +
                      (counts.refused > 0   ? " refused "
                       : counts.missing > 0 ? " missing "
                       : counts.given > 0   ? " given "
                                            : " nothing ") +
                      filled.all.front().hover);
      then();
    };
    collector = std::make_unique<HoverCollector>(scheduler, uri, std::move(rows), HoverForm{}, done);
    if (collector->is_complete()) done();
  }
  // The hover if it is cached.
  std::string cached(std::uint32_t line, const std::string& name = "f",
                     const std::string& uri = "file:///a") {
    table::SymbolRows rows = rows_on({line});
    rows.all.front().name = name;
    FakeServer before = server;
    std::string hover = "-";
    {
      HoverCollector probe(scheduler, uri, std::move(rows), HoverForm{}, [] {});
      if (probe.is_complete()) hover = probe.take().first.all.front().hover;
    }
    server.sent = before.sent;
    server.cancelled = before.cancelled;
    server.last = before.last;
    return hover;
  }
  // The lines of the requests that are out, oldest first.
  std::vector<int> lines_out() const {
    std::vector<int> lines;
    for (const FakeServer::Sent& request : server.sent)
      lines.push_back(std::stoi(request.params.substr(request.params.find("\"line\":") + 7)));
    return lines;
  }
};

TEST_CASE("hovers: the rows at one position share one request, each with the text for its name") {
  Stage stage;
  stage.ask("first", 1, "a", "file:///a b");
  CHECK(stage.heard.empty());
  REQUIRE(stage.server.out() == Strings{"hover"});
  CHECK(stage.server.sent[0].params ==
        R"({"textDocument":{"uri":"file:///a b"},"position":{"line":1,"character":4}})");
  stage.ask("second", 1, "b", "file:///a b");
  stage.ask("third", 1, "a", "file:///a b");
  stage.ask("elsewhere", 2, "a", "file:///a b");
  stage.ask("other document", 1, "a", "file:///b");
  CHECK(stage.server.sent.size() == 3);
  // A hover that only repeats the name says nothing.
  stage.server.reply(hover_json("b"));
  CHECK(stage.heard == Strings{"first given b", "second given ", "third given b"});
  stage.ask("late", 1, "a", "file:///a b");
  CHECK(stage.server.sent.size() == 3);
}

TEST_CASE("hovers: first come, first served; a new batch when half of those allowed have arrived") {
  for (const auto& [bound, batches] : std::vector<std::pair<std::size_t, std::vector<std::size_t>>>{
           {4, {4, 3, 4, 3, 4, 3, 4, 3, 2, 1, 0}},
           {1, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0}},
           {0, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0}},  // at least one
           {10, {10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0}},
           {100, {10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0}},
       }) {
    CAPTURE(bound);
    Stage stage({.in_flight = bound});
    for (int line = 0; line < 10; ++line)
      stage.ask(std::to_string(line), static_cast<std::uint32_t>(line), "f",
                line == 3 ? "file:///b" : "file:///a");
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

TEST_CASE("hovers: one that no row waits for any more is cancelled at the server, or never sent") {
  Stage stage({.in_flight = 2, .cache = true});
  stage.ask("first", 1);
  stage.ask("shares", 1);
  stage.asked["shares"].reset();
  CHECK(stage.server.cancelled.empty());
  stage.asked["first"].reset();
  CHECK(stage.server.cancelled == Numbers{1});
  CHECK(stage.scheduler.in_flight() == 0);
  stage.ask("again", 1);
  stage.server.reply(hover_json("late"));
  CHECK(stage.heard.empty());
  CHECK(stage.cached(1) == "-");
  stage.server.reply(hover_json("in time"));
  CHECK(stage.heard == Strings{"again given in time"});
  // Together: all are gone before the next in the queue is sent.
  HoverCollector collector(stage.scheduler, "file:///a", rows_on({2, 3, 4, 5, 3}), {}, [] {});
  stage.ask("other", 9);
  const auto counts = collector.take().second;
  CHECK(counts.missing == 5);
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
    delays.push_back(static_cast<long>(stage.server.delayed.delays().front().count()));
    stage.server.delayed.run();
  }
  CHECK(delays == std::vector<long>{100, 200, 400, 800});
  CHECK(stage.heard == Strings{"who refused "});
  // Those that wait count as in flight, and are cancelled and dropped like others.
  stage.ask("cancelled", 2);
  stage.ask("dropped", 3, "f", "file:///b");
  stage.ask("queued", 4);
  stage.server.refuse(content_modified);
  stage.server.refuse(content_modified);
  CHECK(stage.server.sent.empty());
  stage.asked["cancelled"].reset();
  stage.scheduler.drop("file:///b");
  CHECK(stage.heard.back() == "dropped missing ");
  CHECK(stage.server.delayed.empty());
  CHECK(stage.lines_out() == std::vector<int>{4});
  CHECK(stage.server.cancelled.empty());  // the server has none of them
}

TEST_CASE("hovers: tables of large documents that are cancelled cost no more than linear time") {
  CHECK(grows_linearly(30'000, [](std::size_t hovers) {
    Stage stage;
    std::vector<std::uint32_t> lines(hovers);
    for (std::size_t i = 0; i < hovers; ++i) lines[i] = static_cast<std::uint32_t>(i);
    std::vector<std::unique_ptr<HoverCollector>> collectors;
    for (const char* uri : {"file:///a", "file:///b", "file:///c"}) {
      collectors.push_back(
          std::make_unique<HoverCollector>(stage.scheduler, uri, rows_on(lines), HoverForm{}, [] {}));
    }
    // Rows that all have one position.
    HoverCollector same(stage.scheduler, "file:///d", rows_on(std::vector<std::uint32_t>(hovers)), {}, [] {});
    collectors[1].reset();
    (void)same.take();
    CHECK(stage.scheduler.queued() == 2 * hovers - 32);
  }));
}

TEST_CASE("hovers: beyond so many that wait, and beyond so much text, they are missing") {
  Stage stage({.in_flight = 1, .max_waiting = 3, .max_text = 10});
  const auto collect = [&stage](const std::vector<std::uint32_t>& lines) {
    return std::make_unique<HoverCollector>(stage.scheduler, "file:///a", rows_on(lines), HoverForm{}, [] {});
  };
  const auto first = collect({0, 1, 1, 2});
  CHECK(collect({3})->is_complete());
  for (const char* text : {"12345678", "123"}) stage.server.reply(hover_json(text));
  REQUIRE(first->is_complete());
  auto other = collect({3});
  stage.server.reply(hover_json("abc"));
  CHECK(other->take().second.missing == 1);  // its text, as that of the first is kept
  const auto [rows, counts] = first->take();
  CHECK(table::hovers_of(rows) == Strings{"12345678", "", "", ""});
  CHECK(counts.missing == 3);
  other = collect({3});
  stage.server.reply(hover_json("1234567890"));
  CHECK(other->take().second.missing == 0);
}

TEST_CASE("hover cache: what was answered, for each name that was requested") {
  Stage stage(caching);
  std::string read;
  stage.ask("x", 1, "f", "file:///a", [&] { read = stage.cached(1, "g"); });
  stage.ask("y", 1, "g");
  stage.server.reply(hover_json("s"));
  CHECK(read == "s");
  CHECK(stage.cached(1, "f") == "s");
  CHECK(stage.cached(1, "h") == "-");
  CHECK(stage.cached(2, "f") == "-");
  CHECK(stage.cached(1, "f", "file:///b") == "-");
  // What is no hover is not cached.
  const auto asked_again = [&stage](std::uint32_t line) {
    stage.ask("z", line);
    return stage.server.sent.size() == 1;
  };
  for (const std::string nothing : {"null", R"({"contents":""})"}) {
    CHECK(asked_again(3));
    stage.server.reply(nothing);
  }
  CHECK(asked_again(3));
  stage.server.refuse(1);
  CHECK(asked_again(3));
  stage.asked.clear();
  stage.server.sent.clear();
  // A row may show more of it than the one before.
  HoverCollector partly(stage.scheduler, "file:///a", rows_on({7}), {.characters = 4}, [] {});
  stage.server.reply(hover_json("abcdefgh"));
  CHECK(table::hovers_of(partly.take().first) == Strings{"abc…"});
  HoverCollector whole(stage.scheduler, "file:///a", rows_on({7}), {}, [] {});
  CHECK(table::hovers_of(whole.take().first) == Strings{"abcdefgh"});
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
  Stage stage(caching);
  stage.ask("known", 9);
  stage.server.reply(hover_json("old"));
  stage.ask("before", 1);
  stage.ask("other", 2, "f", "file:///b");
  stage.scheduler.invalidate();
  CHECK(stage.cached(9) == "-");
  stage.ask("after", 1);
  CHECK(stage.lines_out() == std::vector<int>{1, 2, 1});
  stage.heard.clear();
  SUBCASE("the older comes first") {
    stage.server.reply(hover_json("old"));
    CHECK(stage.heard == Strings{"before given old"});
    CHECK(stage.cached(1) == "-");
    stage.server.reply(hover_json("new"), 1);
    CHECK(stage.heard == Strings{"before given old", "after given new"});
    CHECK(stage.cached(1) == "new");
  }
  SUBCASE("the older comes last") {
    stage.server.reply(hover_json("new"), 2);
    stage.server.reply(hover_json("old"));
    CHECK(stage.heard == Strings{"after given new", "before given old"});
    CHECK(stage.cached(1) == "new");
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
        stage.ask(std::to_string(asked++), 1);
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

TEST_CASE("hover collector: each row gets the hover at its selection's start, in whatever order they come") {
  Stage stage;
  int done = 0;
  HoverCollector collector(stage.scheduler, "file:///a", rows_on({3, 5, 3, 7}), {}, [&done] { ++done; });
  REQUIRE(stage.server.sent.size() == 3);
  CHECK(collector.hovers_wanted() == 4);
  CHECK(collector.hovers_done() == 0);
  stage.server.reply("null", 1);
  stage.server.reply(hover_json("at three"));
  CHECK(collector.hovers_done() == 3);
  CHECK(done == 0);
  stage.server.refuse(1);
  CHECK(done == 1);
  const auto [rows, counts] = collector.take();
  CHECK(rows.with_hover);
  CHECK(table::hovers_of(rows) == Strings{"at three", "", "at three", ""});
  CHECK(counts.given == 2);
  CHECK(counts.missing == 1);
  CHECK(counts.refused == 1);
  CHECK(table::tree_of(rows) == table::tree_of(rows_on({3, 5, 3, 7})));
  CHECK(HoverCollector(stage.scheduler, "file:///a", {}, {}, [] {}).is_complete());
}

TEST_CASE("hovers: whatever happens in whatever order, each collector is done once or was destroyed") {
  std::mt19937 random(7);
  const auto below = [&](std::uint32_t limit) { return static_cast<std::uint32_t>(random() % limit); };
  for (int round = 0; round < 60; ++round) {
    FakeServer server;
    HoverScheduler scheduler(server, server.delayed,
                             {.in_flight = 1 + below(6), .cache = true, .cache_bytes = 3000});
    std::map<int, std::unique_ptr<HoverCollector>> waiting;
    int asked = 0;
    const auto end_one = [&] {
      if (!waiting.empty())
        waiting.erase(std::next(waiting.begin(), below(static_cast<std::uint32_t>(waiting.size()))));
    };
    const auto ask = [&](const auto& self, int depth) -> void {
      const int who = asked++;
      std::vector<std::uint32_t> lines(1 + below(3));
      for (std::uint32_t& line : lines) line = below(5);
      auto collector = std::make_unique<HoverCollector>(
          scheduler, "file:///" + std::to_string(below(3)), rows_on(lines), HoverForm{}, [&, who, depth] {
            REQUIRE(waiting.contains(who));
            REQUIRE(waiting[who]->is_complete());
            waiting.erase(who);
            const std::uint32_t deed = below(8);
            if (deed == 0 && depth < 3) self(self, depth + 1);
            if (deed == 1) end_one();
            if (deed == 2) scheduler.invalidate();
            if (deed == 3 && depth < 3) scheduler.drop("file:///" + std::to_string(below(3)));
          });
      if (!collector->is_complete()) waiting.emplace(who, std::move(collector));
    };
    const auto answer = [&] {
      const std::size_t index = below(static_cast<std::uint32_t>(server.sent.size()));
      if (below(5) == 0) {
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
      if (what == 19) end_one();
      CHECK(scheduler.in_flight() <= 6);
    }
    for (int turn = 0; turn < 10'000 && !(server.sent.empty() && server.delayed.empty()); ++turn) {
      if (!server.sent.empty()) answer();
      server.delayed.run();
    }
    CHECK(waiting.empty());
    CHECK(scheduler.in_flight() == 0);
    CHECK(scheduler.queued() == 0);
  }
}

}  // namespace hover_scheduler_test
}  // namespace symbols::query
