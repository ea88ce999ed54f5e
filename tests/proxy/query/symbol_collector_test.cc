#include "proxy/query/symbol_collector.h"

#include <doctest/doctest.h>

#include <optional>
#include <tuple>

#include "tests/proxy/query/fake_server.h"

using namespace symbols;
using namespace symbols::query;

namespace {

struct Stage : FakeServer {
  HoverPool pool;
  std::optional<Collected> outcome;

  explicit Stage(HoverPool::Options hovers = {}) : pool(*this, later(), hovers) {}

  std::shared_ptr<SymbolCollector> collect(CollectOptions options, std::string text = "a\nb\n") {
    auto collector = SymbolCollector::create(*this, pool, later(), "file:///a",
                                             std::make_shared<const std::string>(std::move(text)), options,
                                             [this](Collected collected) { outcome = std::move(collected); });
    collector->start();
    return collector;
  }
};

std::string symbol(const char* name, int line) {
  const std::string range = R"({"start":{"line":)" + std::to_string(line) +
                            R"(,"character":0},"end":{"line":)" + std::to_string(line) +
                            R"(,"character":1}})";
  return std::string(R"({"name":")") + name + R"(","kind":12,"range":)" + range + R"(,"selectionRange":)" +
         range + "}";
}
std::string list(std::initializer_list<std::string> symbols) {
  std::string out = "[";
  for (const std::string& s : symbols) out += (out.size() > 1 ? "," : "") + s;
  return out + "]";
}

}  // namespace

TEST_CASE("symbols, then a hover at each place, shared by the rows that are named there") {
  Stage stage;
  const auto collector = stage.collect({});
  REQUIRE(stage.sent.size() == 1);
  CHECK(stage.sent[0].method == "textDocument/documentSymbol");
  CHECK(stage.sent[0].params == R"({"textDocument":{"uri":"file:///a"}})");
  stage.reply(list({symbol("a", 0), symbol("same", 0), symbol("b", 1)}));
  REQUIRE(stage.sent.size() == 2);
  CHECK(stage.sent[1].params ==
        R"({"textDocument":{"uri":"file:///a"},"position":{"line":1,"character":0}})");
  CHECK(collector->hovers_wanted() == 3);
  stage.reply(R"({"contents":"first"})");
  CHECK(!stage.outcome);
  stage.reply("null");
  REQUIRE(stage.outcome);
  CHECK(!stage.outcome->error);
  CHECK(stage.outcome->rows->hovers == std::vector<std::string>{"first", "first", ""});
}

TEST_CASE("only rows that are kept are asked about, and none without hovers") {
  Stage stage;
  const std::string nested =
      R"([{"name":"p","kind":5,"range":{"start":{"line":0,"character":0},"end":{"line":9,"character":0}},)"
      R"("selectionRange":{"start":{"line":0,"character":0},"end":{"line":0,"character":1}},"children":)" +
      list({symbol("c", 1)}) + "}]";
  const auto first = stage.collect({.selection = {.levels = {table::Levels::Rule::top_level, 0}}});
  stage.reply(nested);
  CHECK(stage.sent.size() == 1);
  stage.sent.clear();
  const auto second = stage.collect({.hovers = false});
  stage.reply(nested);
  CHECK(stage.sent.empty());
  REQUIRE(stage.outcome);
  CHECK(stage.outcome->rows->tree.symbols.size() == 2);
  CHECK(!stage.outcome->rows->with_hover);
}

TEST_CASE("a server that is not ready is asked again, one that refuses is not") {
  Stage stage;
  const auto collector = stage.collect({.hovers = false});
  stage.refuse(lsp::error_code::content_modified);
  CHECK(stage.sent.empty());
  stage.run_delayed();
  REQUIRE(stage.sent.size() == 1);
  stage.refuse(lsp::error_code::server_cancelled);
  stage.run_delayed();
  stage.refuse(-32603);
  REQUIRE(stage.outcome);
  CHECK(!stage.outcome->rows);
  CHECK(stage.outcome->error->message == "the server refused documentSymbol: \"no\" (error -32603)");
}

TEST_CASE("it is asked again only for so long") {
  Stage stage;
  const auto collector = stage.collect({.hovers = false, .retry_symbols_for = std::chrono::milliseconds(0)});
  stage.refuse(lsp::error_code::content_modified);
  CHECK(stage.delayed.empty());
  CHECK(stage.outcome->error);
}

TEST_CASE("an empty reply of an untried server is not believed at once, for a text that is not blank") {
  for (const auto& [text, believe, asked] :
       {std::tuple{"x", false, 4}, {" \n\t\r\n", false, 1}, {"", false, 1}, {"x", true, 1}}) {
    Stage stage;
    const auto collector = stage.collect({.hovers = false, .believe_empty = believe}, text);
    int times = 0;
    while (!stage.sent.empty()) {
      ++times;
      stage.reply("[]");
      stage.run_delayed();
    }
    CHECK(times == asked);
    REQUIRE(stage.outcome);
    CHECK(stage.outcome->rows->tree.symbols.empty());
  }
}

TEST_CASE("a lost server leaves what has come, and the reason") {
  Stage stage;
  const auto collector = stage.collect({});
  stage.reply(list({symbol("a", 0), symbol("b", 1), symbol("c", 2)}));
  stage.reply(R"({"contents":"hover of a"})");
  collector->stop({"it is gone", ""});
  REQUIRE(stage.outcome);
  CHECK(stage.outcome->error->message == "it is gone");
  CHECK(stage.outcome->hovers_missing == 2);
  CHECK(stage.outcome->rows->hovers == std::vector<std::string>{"hover of a", "", ""});
}

TEST_CASE("one that is no longer wanted cancels what is in flight, and late replies find nobody") {
  Stage stage;
  auto collector = stage.collect({});
  stage.reply(list({symbol("a", 0), symbol("b", 1)}));
  collector.reset();
  CHECK(stage.cancelled == std::vector<lsp::RequestNumber>{2, 3});
  stage.reply("null");
  stage.run_delayed();
  CHECK(!stage.outcome);
}
