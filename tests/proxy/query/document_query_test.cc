// What the command and the proxy both do with one document, against a server whose replies the test gives
// itself.
#include "proxy/query/document_query.h"

#include <doctest/doctest.h>

#include <memory>
#include <optional>
#include <tuple>

#include "tests/proxy/query/query_stage.h"
#include "tests/table/made_row.h"

namespace symbols::query {
namespace document_query_test {

using Strings = std::vector<std::string>;
using Numbers = std::vector<lsp::RequestNumber>;

struct Stage : QueryStage {
  std::optional<DocumentOutcome> outcome;

  Stage() { know("a\nb\n"); }

  std::unique_ptr<DocumentQuery> ask(DocumentQuestion question) {
    question.uri = "file:///a";
    return std::make_unique<DocumentQuery>(services(), question,
                                           [this](DocumentOutcome found) { outcome = std::move(found); });
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
  stage.published.opened("file:///a");
  const auto query = stage.ask({.uri = {}, .retry = patient, .hovers = false});
  for (int i = 0; i < 6; ++i) {
    if (i == 5)
      stage.published.keep(published_json(""));  // it has looked at the document after this was asked
    stage.server.reply("[]");
    CHECK(!stage.outcome);
    stage.server.delayed.run();
  }
  stage.server.reply("[]");
  REQUIRE(stage.outcome);

  // A server that publishes nothing is waited for once.
  Stage silent;
  for (const int asked : {10, 4}) {
    silent.published.opened("file:///a");
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

TEST_CASE("document query: hovers and diagnostics are both awaited, and late ones are reported as missing") {
  for (const std::string last : {"symbols", "hover", "diagnostic", "neither", "both"}) {
    CAPTURE(last);
    Stage stage;
    stage.capabilities.diagnostics = true;
    const auto query = stage.ask({.uri = {}, .diagnostics = 5});
    CHECK(stage.out() == Strings{"documentSymbol", "diagnostic"});
    if (last != "symbols") {
      stage.server.reply("[" + symbol_json("a", 0, 0, 1) + "]");
      CHECK(stage.out() == Strings{"diagnostic", "hover"});
      if (last != "hover" && last != "both") stage.server.reply(hover_json("H"), 1);
      if (last != "diagnostic" && last != "both") stage.server.reply(R"({"kind":"full","items":[]})");
    }
    CHECK(stage.outcome.has_value() == (last == "neither"));
    if (!stage.outcome) stage.outcome = query->take("not answered in time");
    CHECK(!stage.outcome->error);
    CHECK(stage.outcome->rows.has_value() == (last != "symbols"));
    CHECK(stage.outcome->hovers.missing == (last == "hover" || last == "both" ? 1 : 0));
    CHECK(stage.outcome->diagnostics.failure ==
          (last == "hover" || last == "neither" ? "" : "not answered in time"));
  }
}

}  // namespace document_query_test
}  // namespace symbols::query
