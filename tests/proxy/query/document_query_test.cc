// What the command and the proxy both do with one document, and the hovers of its rows, against a server
// whose replies the test gives itself.
#include "proxy/query/document_query.h"

#include <doctest/doctest.h>

#include <memory>
#include <optional>
#include <tuple>

#include "tests/proxy/query/query_stage.h"
#include "tests/table/made_row.h"

namespace symbols::query {
namespace {

using Strings = std::vector<std::string>;
using Numbers = std::vector<lsp::RequestNumber>;

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

struct CollectorStage {
  FakeServer server;
  HoverScheduler scheduler;
  int times_done = 0;
  table::SymbolRows rows;
  HoverCollector::Counts counts;

  explicit CollectorStage(HoverScheduler::Options options = {.cache = true})
      : scheduler(server, server.delayed, options) {}

  std::unique_ptr<HoverCollector> collect(table::SymbolRows wanted, std::size_t hover_chars = 200) {
    auto collector = std::make_unique<HoverCollector>(
        scheduler, "file:///a", std::move(wanted), HoverForm{.characters = hover_chars},
        [this](table::SymbolRows filled, HoverCollector::Counts how_many) {
          ++times_done;
          rows = std::move(filled);
          counts = how_many;
        });
    collector->start();
    return collector;
  }
};

TEST_CASE("hover collector: each row gets the hover at its selection's start, rows of one place the same") {
  CollectorStage stage;
  const auto collector = stage.collect(rows_on({3, 5, 3, 7}));
  REQUIRE(stage.server.sent.size() == 3);
  CHECK(stage.server.sent[0].params ==
        R"({"textDocument":{"uri":"file:///a"},"position":{"line":3,"character":4}})");
  CHECK(collector->hovers_wanted() == 4);
  CHECK(collector->hovers_done() == 0);
  stage.server.reply(hover_json("at three"));
  CHECK(collector->hovers_done() == 2);
  stage.server.reply("null");
  CHECK(stage.times_done == 0);
  stage.server.refuse(1);
  CHECK(stage.times_done == 1);
  CHECK(collector->hovers_done() == 4);
  CHECK(stage.rows.with_hover);
  CHECK(table::hovers_of(stage.rows) == Strings{"at three", "", "at three", ""});
  CHECK(stage.counts.missing == 1);
  CHECK(stage.counts.refused == 1);
  CHECK(table::tree_of(stage.rows) == table::tree_of(rows_on({3, 5, 3, 7})));
  collector->stop();
  CHECK(stage.times_done == 1);
  CHECK(stage.server.cancelled.empty());
}

TEST_CASE("hover collector: only what is not cached is requested, and what is cached is whole") {
  CollectorStage stage;
  const auto none = stage.collect({});
  CHECK(stage.times_done == 1);
  const auto first = stage.collect(rows_on({1, 2}), 4);
  stage.server.reply(hover_json("abcdefgh"));
  stage.server.reply("null");
  CHECK(table::hovers_of(stage.rows) == Strings{"abc\u2026", ""});
  const auto cached = stage.collect(rows_on({1}), 8);
  CHECK(stage.times_done == 3);
  CHECK(table::hovers_of(stage.rows) == Strings{"abcdefgh"});
  const auto second = stage.collect(rows_on({1, 2, 3}), 0);
  CHECK(second->hovers_done() == 1);
  CHECK(stage.server.sent.size() == 2);
  stage.server.reply(hover_json("two"));
  stage.server.reply(hover_json("three"));
  CHECK(table::hovers_of(stage.rows) == Strings{"abcdefgh", "two", "three"});
}

TEST_CASE("hover collector: what is stopped, dropped or not wanted any more") {
  CollectorStage stage({.in_flight = 3});
  auto collector = stage.collect(rows_on({1, 2, 3, 2, 4}));
  SUBCASE("stopped: with what has arrived, the rest is cancelled") {
    stage.server.reply(hover_json("one"));
    collector->stop();
    CHECK(stage.counts.missing == 4);
    CHECK(table::hovers_of(stage.rows) == Strings{"one", "", "", "", ""});
    CHECK(stage.server.cancelled == Numbers{3, 2});
    collector->stop();
    stage.server.reply(hover_json("late"));
    CHECK(stage.times_done == 1);
  }
  SUBCASE("the document changes: the hovers still out are missing") {
    stage.server.reply(hover_json("one"));
    stage.scheduler.drop("file:///a");
    CHECK(stage.times_done == 1);
    CHECK(stage.counts.missing == 4);
    CHECK(table::hovers_of(stage.rows) == Strings{"one", "", "", "", ""});
    CHECK(collector->hovers_done() == 5);
  }
  SUBCASE("stopped by a waiter between two of its rows that are dropped") {
    stage.scheduler.ask("file:///a", {2, 4}, "x",
                        [&](HoverScheduler::Outcome, const table::HoverText&) { collector->stop(); });
    stage.scheduler.drop("file:///a");
    CHECK(stage.times_done == 1);
    CHECK(stage.counts.missing == 5);
  }
  SUBCASE("shared with another: only its own are cancelled") {
    auto other = stage.collect(rows_on({2, 9}));
    other.reset();
    CHECK(stage.server.cancelled.empty());
    stage.server.reply(hover_json("one"));
    stage.server.reply(hover_json("two"));
    CHECK(stage.server.out().size() == 2);
  }
  SUBCASE("not wanted: all are cancelled, and it is never done") {
    collector.reset();
    CHECK(stage.server.cancelled.size() == 3);
    CHECK(stage.server.last == 3);
    CHECK(stage.scheduler.queued() == 0);
    stage.server.reply("null");
    CHECK(stage.times_done == 0);
  }
}

TEST_CASE("hover collector: hovers beyond the text that is kept at a time are missing") {
  CollectorStage stage({.in_flight = 2, .max_text = 10});
  auto first = stage.collect(rows_on({0, 1}));
  auto second = stage.collect(rows_on({2}));
  stage.server.reply(hover_json("12345678"));
  stage.server.reply(hover_json("123"));
  CHECK(stage.counts.missing == 1);
  CHECK(table::hovers_of(stage.rows) == Strings{"12345678", ""});
  stage.server.reply(hover_json("1234567890"));  // what was kept is given back
  CHECK(table::hovers_of(stage.rows) == Strings{"1234567890"});
  auto third = stage.collect(rows_on({3}));
  auto unwanted = stage.collect(rows_on({4, 5}));
  stage.server.reply(hover_json("12345"), 1);
  unwanted.reset();
  stage.server.reply(hover_json("1234567890"));
  CHECK(stage.times_done == 3);
  CHECK(stage.counts.missing == 0);
}

struct Stage : QueryStage {
  std::optional<DocumentOutcome> outcome;

  Stage() { know("a\nb\n"); }

  std::unique_ptr<DocumentQuery> ask(DocumentQuestion question) {
    question.uri = "file:///a";
    auto query = std::make_unique<DocumentQuery>(
        services(), question, [this](DocumentOutcome found) { outcome = std::move(found); });
    query->start();
    return query;
  }
};

const std::string two = "[" + symbol_json("a", 0, 0, 1) + "," + symbol_json("b", 1, 0, 1) + "]";

TEST_CASE("document query: symbols, then the hovers of those that are kept, if they are wanted") {
  Stage stage;
  const auto query = stage.ask({.uri = {}});
  REQUIRE(stage.out() == Strings{"documentSymbol"});
  CHECK(stage.server.sent[0].params == R"({"textDocument":{"uri":"file:///a"}})");
  stage.server.reply(two);
  CHECK(query->hovers_wanted() == 2);
  stage.server.reply(hover_json("first"));
  CHECK(!stage.outcome);
  stage.server.reply("null");
  REQUIRE(stage.outcome);
  CHECK(!stage.outcome->error);
  CHECK(table::hovers_of(*stage.outcome->rows) == Strings{"first", ""});
  const std::string nested = "[" + symbol_json("p", 0, 0, 9, symbol_json("c", 0, 2, 3)) + "]";
  const auto top = stage.ask({.uri = {}, .selection = {.levels = {table::Levels::Rule::top_level, 0}}});
  stage.server.reply(nested);
  CHECK(stage.out() == Strings{"hover"});
  stage.server.sent.clear();
  const auto no_hovers = stage.ask({.uri = {}, .hovers = false});
  stage.server.reply(nested);
  CHECK(stage.server.sent.empty());
  CHECK(stage.outcome->rows->all.size() == 2);
  CHECK(!stage.outcome->rows->with_hover);
}

TEST_CASE(
    "document query: a server that is not ready is asked again, where that is wanted; not one that refuses") {
  Stage stage;
  const auto query = stage.ask({.uri = {}, .retry = {.not_ready_for = std::chrono::minutes(2)}});
  stage.server.refuse(lsp::error_code::content_modified);
  CHECK(stage.server.sent.empty());
  stage.server.delayed.run();
  stage.server.refuse(lsp::error_code::server_cancelled);
  stage.server.delayed.run();
  stage.server.refuse(-32603);
  REQUIRE(stage.outcome);
  CHECK(!stage.outcome->rows);
  CHECK(stage.outcome->error->message == "the server refused documentSymbol: \"no\" (error -32603)");
  Stage impatient;
  const auto once = impatient.ask({.uri = {}});
  impatient.server.refuse(lsp::error_code::content_modified);
  CHECK(impatient.server.delayed.empty());
  CHECK(impatient.outcome->error);
}

TEST_CASE("document query: an empty reply is doubted a few times if the text is not blank") {
  for (const auto& [text, believe, asked] :
       {std::tuple{"x", false, 4}, {" \n\t\r\n", false, 1}, {"", false, 1}, {"x", true, 1}}) {
    Stage stage;
    stage.know(text);
    const auto query = stage.ask({.uri = {}, .retry = {.doubt_empty = !believe}, .hovers = false});
    int times = 0;
    for (; !stage.server.sent.empty(); ++times) {
      stage.server.reply("[]");
      stage.server.delayed.run();
    }
    CHECK(times == asked);
    REQUIRE(stage.outcome);
    CHECK(stage.outcome->rows->all.empty());
  }
}

TEST_CASE("document query: and for a while as long as the server may still publish diagnostics") {
  const SymbolRetry patient{.not_ready_for = std::chrono::minutes(1), .doubt_empty = true};
  Stage stage;
  lsp::RecentDiagnostics published;
  stage.published = &published;
  published.opened("file:///a");
  const auto query = stage.ask({.uri = {}, .retry = patient, .hovers = false});
  for (int i = 0; i < 6; ++i) {
    if (i == 5) published.keep(published_json(""));  // it has looked at the document after this was asked
    stage.server.reply("[]");
    CHECK(!stage.outcome);
    stage.server.delayed.run();
  }
  stage.server.reply("[]");
  REQUIRE(stage.outcome);

  // A server that publishes nothing is waited for once.
  Stage silent;
  lsp::RecentDiagnostics nothing;
  silent.published = &nothing;
  for (const int asked : {10, 4}) {
    nothing.opened("file:///a");
    silent.outcome.reset();
    const auto again = silent.ask({.uri = {}, .retry = patient, .hovers = false});
    std::chrono::milliseconds waited{0};
    int times = 0;
    for (; !silent.server.sent.empty(); ++times) {
      silent.server.reply("[]");
      for (const std::chrono::milliseconds delay : silent.server.delayed.delays()) waited += delay;
      silent.server.delayed.run();
    }
    CHECK(times == asked);
    CHECK(waited <= std::chrono::seconds(12));
    CHECK(silent.outcome);
  }
}

TEST_CASE("document query: a lost server leaves what has arrived, and the reason") {
  Stage stage;
  stage.capabilities.diagnostics = true;
  auto query = stage.ask({.uri = {}, .diagnostics = 5});
  SUBCASE("before the symbols") {
    query->finish_now();  // there is nothing to finish with
    CHECK(!stage.outcome);
    query->stop({"it is gone", ""});
    REQUIRE(stage.outcome);
    CHECK(!stage.outcome->rows);
    CHECK(!stage.outcome->diagnostics.value);
  }
  SUBCASE("after them") {
    stage.server.reply(two);
    stage.server.reply(hover_json("hover of a"), 1);
    query->stop({"it is gone", ""});
    REQUIRE(stage.outcome);
    CHECK(stage.outcome->hovers.missing == 1);
    CHECK(table::hovers_of(*stage.outcome->rows) == Strings{"hover of a", ""});
  }
  CHECK(stage.outcome->error->message == "it is gone");
}

TEST_CASE("document query: hovers and diagnostics are both awaited, and late ones are reported as missing") {
  for (const std::string last : {"hover", "diagnostic", "neither", "both"}) {
    CAPTURE(last);
    Stage stage;
    stage.capabilities.diagnostics = true;
    const auto query = stage.ask({.uri = {}, .diagnostics = 5});
    CHECK(stage.out() == Strings{"documentSymbol", "diagnostic"});
    stage.server.reply("[" + symbol_json("a", 0, 0, 1) + "]");
    CHECK(stage.out() == Strings{"diagnostic", "hover"});
    if (last != "hover" && last != "both") stage.server.reply(hover_json("H"), 1);
    if (last != "diagnostic" && last != "both") stage.server.reply(R"({"kind":"full","items":[]})");
    CHECK(stage.outcome.has_value() == (last == "neither"));
    query->finish_now();
    REQUIRE(stage.outcome);
    CHECK(!stage.outcome->error);
    CHECK(stage.outcome->hovers.missing == (last == "hover" || last == "both" ? 1 : 0));
    CHECK(stage.outcome->diagnostics.failure ==
          (last == "diagnostic" || last == "both" ? "not answered in time" : ""));
  }
}

TEST_CASE("document query: one that is no longer wanted cancels what is in flight") {
  Stage stage;
  auto query = stage.ask({.uri = {}});
  stage.server.reply(two);
  query.reset();
  CHECK(stage.server.cancelled == Numbers{2, 3});
  stage.server.reply("null");
  stage.server.delayed.run();
  CHECK(!stage.outcome);
}

}  // namespace
}  // namespace symbols::query
