#include "proxy/query/document_query.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "tests/proxy/query/fake_server.h"
#include "tests/table/made_row.h"

using namespace symbols;
using namespace symbols::query;

namespace {

using Strings = std::vector<std::string>;

constexpr HoverScheduler::Options caching{.cache = true};

// Rows called a, b, c, … that are named on the lines given.
table::SymbolRows rows_on(std::initializer_list<std::uint32_t> lines) {
  table::SymbolRows rows;
  for (const std::uint32_t line : lines) {
    lsp::DocumentSymbol& symbol = rows.all.emplace_back();
    symbol.name = std::string(1, static_cast<char>('a' + rows.all.size() - 1));
    symbol.selection_range = {{line, 4}, {line, 5}};
  }
  return rows;
}

struct Stage {
  FakeServer server;
  HoverScheduler scheduler;
  int times_done = 0;
  table::SymbolRows rows;
  std::size_t missing = 0;
  std::size_t refused = 0;

  explicit Stage(HoverScheduler::Options options = {}) : scheduler(server, server.delayed, options) {}

  std::unique_ptr<HoverCollector> collect(table::SymbolRows wanted, std::size_t hover_chars = 200) {
    auto collector = std::make_unique<HoverCollector>(
        scheduler, "file:///a", std::move(wanted), HoverForm{.characters = hover_chars},
        [this](table::SymbolRows filled, HoverCollector::Counts how_many) {
          ++times_done;
          rows = std::move(filled);
          missing = how_many.missing;
          refused = how_many.refused;
        });
    collector->start();
    return collector;
  }
};

std::string hover(std::string_view text) {
  return R"({"contents":")" + std::string(text) + R"("})";
}

}  // namespace

TEST_CASE("each row gets the hover at the start of its selection, rows of one position the same") {
  Stage stage;
  const auto collector = stage.collect(rows_on({3, 5, 3, 7}));
  REQUIRE(stage.server.sent.size() == 3);
  CHECK(stage.server.sent[0].params ==
        R"({"textDocument":{"uri":"file:///a"},"position":{"line":3,"character":4}})");
  CHECK(collector->hovers_wanted() == 4);
  CHECK(collector->hovers_done() == 0);
  stage.server.reply(hover("at three"));
  CHECK(collector->hovers_done() == 2);
  stage.server.reply("null");
  CHECK(stage.times_done == 0);
  stage.server.refuse(1);
  CHECK(stage.times_done == 1);
  CHECK(collector->hovers_done() == 4);
  CHECK(stage.rows.with_hover);
  CHECK(table::hovers_of(stage.rows) == Strings{"at three", "", "at three", ""});
  CHECK(stage.missing == 1);
  CHECK(stage.refused == 1);
  CHECK(table::tree_of(stage.rows) == table::tree_of(rows_on({3, 5, 3, 7})));
}

TEST_CASE("hovers are cut to the length that was requested") {
  for (const auto& [limit, expected] :
       {std::pair<std::size_t, const char*>{4, "abc\u2026"}, {0, "abcdefgh"}, {8, "abcdefgh"}}) {
    Stage stage(caching);
    const auto first = stage.collect(rows_on({1}), limit);
    stage.server.reply(hover("abcdefgh"));
    CHECK(table::hovers_of(stage.rows) == Strings{expected});
    stage.rows = {};
    // What is cached is whole.
    const auto second = stage.collect(rows_on({1}), limit);
    CHECK(table::hovers_of(stage.rows) == Strings{expected});
    const auto whole = stage.collect(rows_on({1}), 0);
    CHECK(table::hovers_of(stage.rows) == Strings{"abcdefgh"});
  }
}

TEST_CASE("if everything is cached it is done within start and requests nothing") {
  Stage stage(caching);
  const auto first = stage.collect(rows_on({1, 2}));
  stage.server.reply(hover("one"));
  stage.server.reply(hover("two"));
  CHECK(stage.times_done == 1);
  stage.rows = {};
  const auto second = stage.collect(rows_on({1, 2}));
  CHECK(stage.times_done == 2);
  CHECK(stage.server.last == 2);
  CHECK(table::hovers_of(stage.rows) == Strings{"one", "two"});
  CHECK(second->hovers_done() == 2);
}

TEST_CASE("rows without a single symbol are done within start") {
  Stage stage;
  const auto collector = stage.collect({});
  CHECK(stage.times_done == 1);
  CHECK(stage.rows.with_hover);
  CHECK(stage.rows.all.empty());
  CHECK(stage.missing == 0);
}

TEST_CASE("only what is not cached is requested") {
  Stage stage(caching);
  const auto first = stage.collect(rows_on({1, 2}));
  stage.server.reply(hover("one"));
  stage.server.reply("null");
  const auto second = stage.collect(rows_on({1, 2, 3}));
  CHECK(stage.server.sent.size() == 2);
  CHECK(second->hovers_done() == 1);
  CHECK(stage.times_done == 1);
  stage.server.reply(hover("two"));
  stage.server.reply(hover("three"));
  CHECK(stage.times_done == 2);
  CHECK(table::hovers_of(stage.rows) == Strings{"one", "two", "three"});
}

TEST_CASE("two collections of one document share their hovers") {
  Stage stage;
  const auto first = stage.collect(rows_on({1, 2}));
  auto second = stage.collect(rows_on({2, 3}));
  CHECK(stage.server.sent.size() == 3);
  second.reset();
  CHECK(stage.server.cancelled == std::vector<lsp::RequestNumber>{3});
  stage.server.reply(hover("one"));
  stage.server.reply(hover("two"));
  CHECK(stage.times_done == 1);
  CHECK(table::hovers_of(stage.rows) == Strings{"one", "two"});
}

TEST_CASE("one that is stopped is done with what has arrived, and cancels the rest") {
  Stage stage;
  const auto collector = stage.collect(rows_on({1, 2, 3, 2}));
  stage.server.reply(hover("one"));
  collector->stop();
  CHECK(stage.times_done == 1);
  CHECK(stage.missing == 3);
  CHECK(table::hovers_of(stage.rows) == Strings{"one", "", "", ""});
  CHECK(stage.server.cancelled == std::vector<lsp::RequestNumber>{3, 2});
  collector->stop();
  stage.server.reply(hover("late"));
  CHECK(stage.times_done == 1);
}

TEST_CASE("one that is done is not done again by stop, and cancels nothing") {
  Stage stage;
  const auto collector = stage.collect(rows_on({1}));
  stage.server.reply("null");
  collector->stop();
  CHECK(stage.times_done == 1);
  CHECK(stage.server.cancelled.empty());
}

TEST_CASE("when the document changes the hovers still out are missing, and the symbols stay") {
  Stage stage({.in_flight = 2});
  const auto collector = stage.collect(rows_on({1, 2, 3, 4}));
  stage.server.reply(hover("one"));
  stage.scheduler.drop("file:///a");
  CHECK(stage.times_done == 1);
  CHECK(stage.missing == 3);
  CHECK(table::hovers_of(stage.rows) == Strings{"one", "", "", ""});
  CHECK(stage.rows.all.size() == 4);
  CHECK(collector->hovers_done() == 4);
}

TEST_CASE("what was dropped and what is still awaited when it is stopped are both missing") {
  Stage stage;
  const auto collector = stage.collect(rows_on({1, 2, 3}));
  // A waiter that is called between two rows of the collection, and stops it.
  stage.server.reply(hover("one"));
  stage.scheduler.ask("file:///a", {2, 4}, "x",
                      [&](HoverScheduler::Outcome, const table::HoverText&) { collector->stop(); });
  stage.scheduler.drop("file:///a");
  CHECK(stage.times_done == 1);
  CHECK(stage.missing == 2);
  CHECK(table::hovers_of(stage.rows) == Strings{"one", "", ""});
}

TEST_CASE("one that is no longer wanted cancels what it asked for, and is never done") {
  Stage stage({.in_flight = 2});
  auto collector = stage.collect(rows_on({1, 2, 3, 4}));
  collector.reset();
  CHECK(stage.server.cancelled == std::vector<lsp::RequestNumber>{1, 2});
  CHECK(stage.server.last == 2);
  stage.server.reply("null");
  CHECK(stage.scheduler.queued() == 0);
  CHECK(stage.times_done == 0);
}

TEST_CASE("the callback that it is done may destroy it") {
  Stage stage(caching);
  std::unique_ptr<HoverCollector> collector;
  int times = 0;
  const auto begin = [&] {
    collector = std::make_unique<HoverCollector>(stage.scheduler, "file:///a", rows_on({1, 2}), HoverForm{},
                                                 [&](const table::SymbolRows& rows, HoverCollector::Counts) {
                                                   collector.reset();
                                                   times += rows.size() == 2 ? 1 : 0;
                                                 });
    collector->start();
  };
  begin();
  SUBCASE("from a reply, and then within start") {
    stage.server.reply(hover("one"));
    stage.server.reply(hover("two"));
    CHECK(times == 1);
    begin();
    CHECK(times == 2);
  }
  SUBCASE("from stop") {
    collector->stop();
    CHECK(times == 1);
  }
  SUBCASE("from a drop") {
    stage.scheduler.drop("file:///a");
    CHECK(times == 1);
  }
  CHECK(!collector);
}

TEST_CASE("hovers beyond the text that is kept at a time are missing, and what was kept is given back") {
  Stage stage({.in_flight = 2, .max_text = 10});
  auto first = stage.collect(rows_on({0, 1}));
  auto second = stage.collect(rows_on({2}));
  stage.server.reply(hover("12345678"));
  stage.server.reply(hover("123"));
  CHECK(stage.times_done == 1);
  CHECK(stage.missing == 1);
  CHECK(table::hovers_of(stage.rows) == Strings{"12345678", ""});
  stage.server.reply(hover("1234567890"));
  CHECK(stage.times_done == 2);
  CHECK(stage.missing == 0);
  CHECK(table::hovers_of(stage.rows) == Strings{"1234567890"});
  auto third = stage.collect(rows_on({3}));
  auto given_up = stage.collect(rows_on({4, 5}));
  stage.server.reply(hover("12345"), 1);
  given_up.reset();
  stage.server.reply(hover("1234567890"));
  CHECK(stage.missing == 0);
}

TEST_CASE("hovers beyond those that may wait are missing") {
  Stage stage({.in_flight = 1, .max_waiting = 2});
  auto first = stage.collect(rows_on({0, 1, 2}));
  auto second = stage.collect(rows_on({3, 4}));
  CHECK(stage.times_done == 1);
  CHECK(stage.missing == 2);
  stage.server.reply(hover("zero"));
  stage.server.reply(hover("one"));
  CHECK(stage.times_done == 2);
  CHECK(stage.missing == 1);
  CHECK(table::hovers_of(stage.rows) == Strings{"zero", "one", ""});
}
