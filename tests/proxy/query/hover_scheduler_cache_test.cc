#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "proxy/query/hover_scheduler.h"
#include "tests/proxy/query/hover_scheduler_stage.h"

using namespace symbols;
using namespace symbols::query;

namespace {

using Stage = HoverSchedulerStage;
using Strings = std::vector<std::string>;

}  // namespace

TEST_CASE("what was answered is cached, for each name that was requested") {
  Stage stage(caching);
  stage.ask("x", 1, "f");
  stage.ask("x", 1, "g");
  stage.ask("x", 1, "s");
  stage.server.reply(hover("s"));
  CHECK(stage.cached(1, "f") == "s");
  CHECK(stage.cached(1, "g") == "s");
  CHECK(stage.cached(1, "h") == "-");
  CHECK(stage.cached(2, "f") == "-");
  CHECK(stage.cached(1, "f", "file:///b") == "-");
  CHECK(stage.server.sent.empty());
}

TEST_CASE("it can be read as soon as a handler is called") {
  Stage stage(caching);
  std::string read;
  stage.ask_then(
      "x", [&] { read = stage.cached(1, "g"); }, 1, "f");
  stage.ask("y", 1, "g");
  stage.server.reply(hover("s"));
  CHECK(read == "s");
}

TEST_CASE("a scheduler without a cache keeps nothing") {
  Stage stage;
  stage.ask("x", 1);
  stage.server.reply(hover("s"));
  CHECK(stage.cached(1) == "-");
}

TEST_CASE("over its bound the cache is emptied, and one hover that is larger is not cached") {
  Stage stage({.cache = true, .cache_bytes = 5000});
  const auto cached = [&stage](std::uint32_t count) {
    int cached = 0;
    for (std::uint32_t line = 0; line < count; ++line) cached += stage.cached(line) == "-" ? 0 : 1;
    return cached;
  };
  for (std::uint32_t line = 0; line < 100; ++line) {
    stage.ask("x", line);
    stage.server.reply(hover(std::string(500, 'x')));
    CHECK(stage.cached(line) != "-");
    CHECK(cached(line + 1) <= 5000 / 500);
  }
  const int before = cached(100);
  stage.ask("x", 100);
  stage.server.reply(hover(std::string(5000, 'x')));
  CHECK(stage.cached(100) == "-");
  CHECK(cached(100) == before);
}

TEST_CASE("when the workspace changes the cache is emptied, and what is in flight is not cached") {
  Stage stage({.in_flight = 1, .cache = true});
  stage.ask("known", 1);
  stage.server.reply(hover("old"));
  stage.ask("in flight", 2);
  stage.ask("queued", 3);
  stage.scheduler.invalidate();
  CHECK(stage.cached(1) == "-");
  stage.server.reply(hover("two"));
  stage.server.reply(hover("three"));
  CHECK(stage.heard == Strings{"known answered old", "in flight answered two", "queued answered three"});
  CHECK(stage.cached(2) == "-");
  CHECK(stage.cached(3) == "three");  // it was sent after the change
}

TEST_CASE("a question after a change of the workspace does not get the reply to one before it") {
  Stage stage(caching);
  const auto before = stage.ask("before", 1);
  stage.scheduler.invalidate();
  stage.ask("after", 1);
  REQUIRE(stage.server.sent.size() == 2);
  stage.ask("after too", 1);
  CHECK(stage.server.sent.size() == 2);
  SUBCASE("the older comes first") {
    stage.server.reply(hover("old"));
    CHECK(stage.heard == Strings{"before answered old"});
    CHECK(stage.cached(1) == "-");
    stage.ask("joins", 1);
    stage.server.reply(hover("new"));
    CHECK(stage.heard == Strings{"before answered old", "after answered new", "after too answered new",
                                 "joins answered new"});
    CHECK(stage.cached(1) == "new");
  }
  SUBCASE("the older comes last") {
    stage.server.reply(hover("new"), 1);
    stage.server.reply(hover("old"));
    CHECK(stage.heard == Strings{"after answered new", "after too answered new", "before answered old"});
    CHECK(stage.cached(1) == "new");
  }
  SUBCASE("the older is cancelled") {
    stage.scheduler.cancel(before);
    CHECK(stage.server.cancelled == std::vector<lsp::RequestNumber>{1});
    stage.server.reply(hover("new"), 1);
    CHECK(stage.heard == Strings{"after answered new", "after too answered new"});
  }
  SUBCASE("the document is dropped") {
    stage.scheduler.drop("file:///a");
    CHECK(stage.server.cancelled == std::vector<lsp::RequestNumber>{1, 2});
    CHECK(stage.heard == Strings{"before dropped ", "after dropped ", "after too dropped "});
  }
}

TEST_CASE("when a document changes all waiters for a hover of it are called, in their order") {
  Stage stage({.in_flight = 3, .cache = true});
  stage.ask("known", 0);
  stage.ask("known", 0, "f", "file:///b");
  stage.server.reply(hover("s"));
  stage.server.reply(hover("s"));
  stage.heard.clear();
  stage.ask("in flight", 1);
  stage.ask("shares", 1);
  stage.ask("other", 2, "f", "file:///b");
  stage.ask("in flight too", 3);
  stage.ask("queued", 4);
  stage.ask("other queued", 5, "f", "file:///b");
  stage.scheduler.drop("file:///a");
  CHECK(stage.heard ==
        Strings{"in flight dropped ", "shares dropped ", "in flight too dropped ", "queued dropped "});
  CHECK(stage.server.cancelled == std::vector<lsp::RequestNumber>{3, 5});
  CHECK(stage.cached(0) == "-");
  CHECK(stage.cached(0, "f", "file:///b") == "-");
  CHECK(stage.lines_out() == std::vector<int>{1, 2, 3, 5});
  stage.heard.clear();
  stage.server.reply(hover("late"));
  CHECK(stage.heard.empty());
  stage.server.reply(hover("two"));
  CHECK(stage.heard == Strings{"other answered two"});
  CHECK(stage.cached(1) == "-");
  stage.scheduler.drop("file:///a");
  stage.scheduler.drop("file:///never seen");
  CHECK(stage.server.cancelled.size() == 2);
}

TEST_CASE("nothing is cached from a server that is loading") {
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
        stage.server.reply(hover("s"));
      } else {
        stage.scheduler.set_loading(step == load);
      }
    }
    CHECK(stage.heard.size() == asked);
    CHECK((stage.cached(1) == "s") == one.is_cached);
  }
}

TEST_CASE("what was cached before the server began to load stays") {
  Stage stage(caching);
  stage.ask("x", 1);
  stage.server.reply(hover("s"));
  stage.scheduler.set_loading(true);
  CHECK(stage.cached(1) == "s");
}
