#include "proxy/symbol_collector.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace symbols;
using namespace symbols::proxy;

namespace {

// A sender whose requests the test answers itself, and a clock that runs when it is told to.
struct Stage : lsp::RequestSender {
  struct Sent {
    lsp::RequestNumber number;
    std::string method;
    std::string params;
    lsp::ReplyHandler handler;
  };
  std::vector<Sent> sent;
  std::vector<lsp::RequestNumber> cancelled;
  std::vector<std::function<void()>> later;
  lsp::RequestNumber last = 0;
  std::optional<Collected> outcome;

  lsp::RequestNumber request(std::string_view method, std::string_view params,
                             lsp::ReplyHandler handler) override {
    sent.push_back({++last, std::string(method), std::string(params), std::move(handler)});
    return last;
  }
  void cancel(lsp::RequestNumber number) override { cancelled.push_back(number); }

  std::shared_ptr<SymbolCollector> collect(CollectOptions options, std::string text = "a\nb\n") {
    auto collector = SymbolCollector::create(
        *this,
        [this](std::chrono::milliseconds, std::function<void()> action) {
          later.push_back(std::move(action));
        },
        "file:///a", std::move(text), options,
        [this](Collected collected) { outcome = std::move(collected); });
    collector->start();
    return collector;
  }
  // Answers the oldest request.
  void reply(std::string_view result) {
    const Sent request = std::move(sent.front());
    sent.erase(sent.begin());
    request.handler({.failed = false, .result = result, .error = {}});
  }
  void refuse(int code) {
    const Sent request = std::move(sent.front());
    sent.erase(sent.begin());
    request.handler({.failed = true, .result = {}, .error = {code, "no"}});
  }
  void run_later() {
    const auto actions = std::exchange(later, {});
    for (const auto& action : actions) action();
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
  CHECK(collector->hovers_wanted() == 2);
  stage.reply(R"({"contents":"first"})");
  CHECK(!stage.outcome);
  stage.reply("null");
  REQUIRE(stage.outcome);
  CHECK(!stage.outcome->error);
  CHECK(stage.outcome->rows->hovers == std::vector<std::string>{"first", "first", ""});
}

TEST_CASE("no more hovers in flight than allowed, and a new batch when half of them have come") {
  Stage stage;
  const auto collector = stage.collect({.hovers_in_flight = 4});
  std::string symbols = "[";
  for (int i = 0; i < 10; ++i) symbols += (i > 0 ? "," : "") + symbol("s", i);
  stage.reply(symbols + "]");
  std::size_t most = 0;
  std::size_t answered = 0;
  while (!stage.sent.empty()) {
    most = std::max(most, stage.sent.size());
    stage.reply("null");
    ++answered;
  }
  CHECK(most == 4);
  CHECK(answered == 10);
  CHECK(stage.outcome);
}

TEST_CASE("only rows that are kept are asked about, and none without hovers") {
  Stage stage;
  const std::string nested =
      R"([{"name":"p","kind":5,"range":{"start":{"line":0,"character":0},"end":{"line":9,"character":0}},)"
      R"("selectionRange":{"start":{"line":0,"character":0},"end":{"line":0,"character":1}},"children":)" +
      list({symbol("c", 1)}) + "}]";
  const auto first = stage.collect({.levels = {table::Levels::Rule::top_level, 0}});
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
  stage.run_later();
  REQUIRE(stage.sent.size() == 1);
  stage.refuse(lsp::error_code::server_cancelled);
  stage.run_later();
  stage.refuse(-32603);
  REQUIRE(stage.outcome);
  CHECK(!stage.outcome->rows);
  CHECK(stage.outcome->error->message == "the server refused documentSymbol: \"no\" (error -32603)");
}

TEST_CASE("it is asked again only for so long") {
  Stage stage;
  const auto collector = stage.collect({.hovers = false, .retry_symbols_for = std::chrono::milliseconds(0)});
  stage.refuse(lsp::error_code::content_modified);
  CHECK(stage.later.empty());
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
      stage.run_later();
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
  stage.run_later();
  CHECK(!stage.outcome);
}
