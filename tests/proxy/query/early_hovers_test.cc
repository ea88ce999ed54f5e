#include "proxy/query/early_hovers.h"

#include <doctest/doctest.h>

#include <optional>
#include <thread>

#include "tests/proxy/query/hover_pool_stage.h"

using namespace symbols;
using namespace symbols::query;

namespace {

using Stage = HoverPoolStage;
using Lines = std::vector<int>;

const std::vector<HoverPlace> three{{{3, 0}, "f"}, {{1, 0}, "f"}, {{2, 0}, "f"}};

}  // namespace

TEST_CASE("early hovers: what the server says again that it has none of") {
  Stage stage(remembering);
  const EarlyHovers early(stage.pool, "file:///a", three);
  CHECK(stage.lines_out() == Lines{1, 2, 3});
  CHECK_FALSE(early.none_at({1, 0}, "f"));
  stage.server.reply("null");
  stage.server.reply(R"({"contents":""})");
  stage.server.refuse(-32603);
  CHECK(early.none_at({1, 0}, "f"));
  CHECK(early.none_at({2, 0}, "f"));
  CHECK_FALSE(early.none_at({3, 0}, "f"));
  CHECK_FALSE(early.none_at({1, 0}, "g"));
  CHECK_FALSE(early.none_at({1, 1}, "f"));
  CHECK_FALSE(early.none_at({4, 0}, "f"));
}

TEST_CASE("early hovers: a server that has begun to know more is believed nothing") {
  Stage stage(remembering);
  const EarlyHovers early(stage.pool, "file:///a", three);
  stage.server.reply("null");
  CHECK(early.none_at({1, 0}, "f"));
  stage.server.reply(hover("now it has one"));
  CHECK(stage.remembered(2) == "now it has one");
  CHECK_FALSE(early.none_at({1, 0}, "f"));
}

TEST_CASE("early hovers: what was said long ago says nothing") {
  Stage stage(remembering);
  const EarlyHovers early(stage.pool, "file:///a", three);
  stage.server.reply("null");
  std::this_thread::sleep_for(EarlyHovers::believed_for + std::chrono::milliseconds(1));
  stage.server.reply("null");
  CHECK_FALSE(early.none_at({1, 0}, "f"));
  CHECK(early.none_at({2, 0}, "f"));
}

TEST_CASE("early hovers: a hover that is known by now is not asked for") {
  Stage stage(remembering);
  stage.ask("somebody", 2);
  stage.server.reply(hover("known"));
  const EarlyHovers early(stage.pool, "file:///a", three);
  CHECK(stage.lines_out() == Lines{1, 3});
}

TEST_CASE("early hovers: what was said before a change says nothing") {
  Stage stage(remembering);
  const EarlyHovers early(stage.pool, "file:///a", three);
  stage.server.reply("null");
  stage.pool.forget();
  CHECK_FALSE(early.none_at({1, 0}, "f"));
  stage.pool.drop("file:///a");
  CHECK_FALSE(early.none_at({2, 0}, "f"));
}

TEST_CASE("early hovers: those that are still wanted are shared, the others cancelled") {
  Stage stage(remembering);
  std::optional<EarlyHovers> early;
  early.emplace(stage.pool, "file:///a", three);
  stage.ask("a row", 2);
  CHECK(stage.server.sent.size() == 3);
  early.reset();
  CHECK(stage.server.cancelled == std::vector<lsp::RequestNumber>{1, 3});
  stage.server.reply("null", 1);
  CHECK(stage.heard == std::vector<std::string>{"a row answered "});
}
