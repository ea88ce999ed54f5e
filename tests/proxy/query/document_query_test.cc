// What the command and the proxy both do with one document, against a server whose replies the test gives
// itself.
#include "proxy/query/document_query.h"

#include <doctest/doctest.h>

#include <memory>
#include <optional>
#include <tuple>

#include "tests/proxy/query/query_stage.h"
#include "tests/table/made_row.h"

using namespace symbols;
using namespace symbols::query;

namespace {

struct Stage : QueryStage {
  std::optional<DocumentOutcome> outcome;

  Stage() { document = std::make_shared<const std::string>("a\nb\n"); }

  std::unique_ptr<DocumentQuery> ask(DocumentQuestion question) {
    question.uri = "file:///a";
    auto query = std::make_unique<DocumentQuery>(
        services(), question, [this](DocumentOutcome found) { outcome = std::move(found); });
    query->start();
    return query;
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

TEST_CASE("symbols, then a hover at each position, shared by the rows that are named there") {
  Stage stage;
  const auto query = stage.ask({.uri = {}});
  REQUIRE(stage.server.sent.size() == 1);
  CHECK(stage.server.sent[0].method == "textDocument/documentSymbol");
  CHECK(stage.server.sent[0].params == R"({"textDocument":{"uri":"file:///a"}})");
  stage.server.reply(list({symbol("a", 0), symbol("same", 0), symbol("b", 1)}));
  REQUIRE(stage.server.sent.size() == 2);
  CHECK(stage.server.sent[1].params ==
        R"({"textDocument":{"uri":"file:///a"},"position":{"line":1,"character":0}})");
  CHECK(query->hovers_wanted() == 3);
  stage.server.reply(R"({"contents":"first"})");
  CHECK(!stage.outcome);
  stage.server.reply("null");
  REQUIRE(stage.outcome);
  CHECK(!stage.outcome->error);
  CHECK(table::hovers_of(*stage.outcome->rows) == std::vector<std::string>{"first", "first", ""});
}

TEST_CASE("only rows that are kept are asked about, and none without hovers") {
  Stage stage;
  const std::string nested =
      R"([{"name":"p","kind":5,"range":{"start":{"line":0,"character":0},"end":{"line":9,"character":0}},)"
      R"("selectionRange":{"start":{"line":0,"character":0},"end":{"line":0,"character":1}},"children":)" +
      list({symbol("c", 1)}) + "}]";
  const auto first = stage.ask({.uri = {}, .selection = {.levels = {table::Levels::Rule::top_level, 0}}});
  stage.server.reply(nested);
  CHECK(stage.server.sent.size() == 1);
  stage.server.sent.clear();
  const auto second =
      stage.ask({.uri = {}, .retry = {.not_ready_for = std::chrono::minutes(2)}, .hovers = false});
  stage.server.reply(nested);
  CHECK(stage.server.sent.empty());
  REQUIRE(stage.outcome);
  CHECK(stage.outcome->rows->all.size() == 2);
  CHECK(!stage.outcome->rows->with_hover);
}

TEST_CASE("a request is retried if the server is not ready, and not if it refuses") {
  Stage stage;
  const auto query =
      stage.ask({.uri = {}, .retry = {.not_ready_for = std::chrono::minutes(2)}, .hovers = false});
  stage.server.refuse(lsp::error_code::content_modified);
  CHECK(stage.server.sent.empty());
  stage.server.delayed.run();
  REQUIRE(stage.server.sent.size() == 1);
  stage.server.refuse(lsp::error_code::server_cancelled);
  stage.server.delayed.run();
  stage.server.refuse(-32603);
  REQUIRE(stage.outcome);
  CHECK(!stage.outcome->rows);
  CHECK(stage.outcome->error->message == "the server refused documentSymbol: \"no\" (error -32603)");
}

TEST_CASE("it is retried for a limited time, and only if that was wanted") {
  Stage stage;
  const auto query = stage.ask({.uri = {}, .hovers = false});
  stage.server.refuse(lsp::error_code::content_modified);
  CHECK(stage.server.delayed.empty());
  CHECK(stage.outcome->error);
}

TEST_CASE("an empty reply of an untried server is retried at first if the text is not blank") {
  for (const auto& [text, believe, asked] :
       {std::tuple{"x", false, 4}, {" \n\t\r\n", false, 1}, {"", false, 1}, {"x", true, 1}}) {
    Stage stage;
    stage.document = std::make_shared<const std::string>(text);
    const auto query = stage.ask({.uri = {}, .retry = {.doubt_empty = !believe}, .hovers = false});
    int times = 0;
    while (!stage.server.sent.empty()) {
      ++times;
      stage.server.reply("[]");
      stage.server.delayed.run();
    }
    CHECK(times == asked);
    REQUIRE(stage.outcome);
    CHECK(stage.outcome->rows->all.empty());
  }
}

TEST_CASE("and for a while as long as the server may still publish diagnostics") {
  const SymbolRetry patient{.not_ready_for = std::chrono::minutes(1), .doubt_empty = true};
  Stage stage;
  lsp::RecentDiagnostics published;
  stage.published = &published;
  published.opened("file:///a");
  const auto query = stage.ask({.uri = {}, .retry = patient, .hovers = false});
  for (int i = 0; i < 5; ++i) {
    stage.server.reply("[]");
    CHECK(!stage.outcome);
    stage.server.delayed.run();
  }
  // It has looked at the document after this was asked.
  published.keep(
      R"({"method":"textDocument/publishDiagnostics","params":{"uri":"file:///a","diagnostics":[]}})");
  stage.server.reply("[]");
  CHECK(!stage.outcome);
  stage.server.delayed.run();
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
    while (!silent.server.sent.empty()) {
      ++times;
      silent.server.reply("[]");
      for (const std::chrono::milliseconds delay : silent.server.delayed.delays()) waited += delay;
      silent.server.delayed.run();
    }
    CHECK(times == asked);
    CHECK(waited <= std::chrono::seconds(12));
    CHECK(silent.outcome);
  }
}

TEST_CASE("a lost server leaves what has arrived, and the reason") {
  Stage stage;
  const auto query = stage.ask({.uri = {}});
  stage.server.reply(list({symbol("a", 0), symbol("b", 1), symbol("c", 2)}));
  stage.server.reply(R"({"contents":"hover of a"})");
  query->stop({"it is gone", ""});
  REQUIRE(stage.outcome);
  CHECK(stage.outcome->error->message == "it is gone");
  CHECK(stage.outcome->hovers.missing == 2);
  CHECK(table::hovers_of(*stage.outcome->rows) == std::vector<std::string>{"hover of a", "", ""});
}

TEST_CASE("a query that is no longer wanted cancels what is in flight, and late replies are ignored") {
  Stage stage;
  auto query = stage.ask({.uri = {}});
  stage.server.reply(list({symbol("a", 0), symbol("b", 1)}));
  query.reset();
  CHECK(stage.server.cancelled == std::vector<lsp::RequestNumber>{2, 3});
  stage.server.reply("null");
  stage.server.delayed.run();
  CHECK(!stage.outcome);
}

TEST_CASE("a server that is lost before the symbols leaves only the reason, and no diagnostics") {
  Stage stage;
  const auto query = stage.ask({.uri = {}, .diagnostics = 5});
  query->finish_now();  // there is nothing to finish with
  CHECK(!stage.outcome);
  query->stop({"it is gone", ""});
  REQUIRE(stage.outcome);
  CHECK(!stage.outcome->rows);
  CHECK(stage.outcome->error->message == "it is gone");
  CHECK(!stage.outcome->diagnostics.value);
}

TEST_CASE("hovers and diagnostics are both awaited, whichever comes last") {
  for (const bool hovers_last : {true, false}) {
    Stage stage;
    stage.capabilities.diagnostics = true;
    const auto query = stage.ask({.uri = {}, .diagnostics = 5});
    CHECK(stage.out() == std::vector<std::string>{"documentSymbol", "diagnostic"});
    stage.server.reply(list({symbol("a", 0)}));
    CHECK(stage.out() == std::vector<std::string>{"diagnostic", "hover"});
    const auto answer = [&](std::size_t index) {
      stage.server.reply(index == 0 && stage.out().front() == "diagnostic" ? R"({"kind":"full","items":[]})"
                                                                           : R"({"contents":"H"})",
                         index);
    };
    answer(hovers_last ? 0 : 1);
    CHECK(!stage.outcome);
    answer(0);
    REQUIRE(stage.outcome);
    CHECK(table::hovers_of(*stage.outcome->rows) == std::vector<std::string>{"H"});
    CHECK(stage.outcome->diagnostics.value);
  }
}

TEST_CASE("hovers and diagnostics that are late are reported as missing") {
  for (const bool hover_came : {true, false}) {
    Stage stage;
    stage.capabilities.diagnostics = true;
    const auto query = stage.ask({.uri = {}, .diagnostics = 5});
    stage.server.reply(list({symbol("a", 0)}));
    if (hover_came) stage.server.reply(R"({"contents":"H"})", 1);
    query->finish_now();
    REQUIRE(stage.outcome);
    CHECK(stage.outcome->hovers.missing == (hover_came ? 0 : 1));
    CHECK(stage.outcome->diagnostics.failure == "not answered in time");
    CHECK(!stage.outcome->error);
  }
}
