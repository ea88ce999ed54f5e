// The diagnostics of one document, against a server whose replies and publications the test gives itself.
#include "proxy/query/diagnostics_query.h"

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/proxy/query/query_stage.h"

using namespace symbols;
using namespace symbols::query;
using std::chrono::milliseconds;

namespace {

const std::string uri = "file:///a.x";

std::string list_of(const std::string& message) {
  return R"([{"range":)" + range_json(1, 2, 3) + R"(,"message":")" + message + R"("}])";
}
std::string published(const std::string& message) {
  const std::string list = message.empty() ? "[]" : list_of(message);
  return R"({"method":"textDocument/publishDiagnostics","params":{"uri":")" + uri + R"(","diagnostics":)" +
         list + "}}";
}

struct Stage : QueryStage {
  lsp::RecentDiagnostics recent;
  std::unique_ptr<DiagnosticsQuery> query;
  std::vector<std::string> told;  // messages, or "failure: …"

  void start(bool offered, milliseconds limit = milliseconds(10'000)) {
    QueryServices known = services();
    known.capabilities.diagnostics = offered;
    known.published = &recent;
    query = std::make_unique<DiagnosticsQuery>(known, uri, limit, [this](const table::Diagnostics& found) {
      told.push_back(!found.value                 ? "failure: " + found.failure
                     : found.value->first.empty() ? "none"
                                                  : found.value->first.front().message);
      query.reset();
    });
    query->start();
  }
  // How long until the answer, by the clock of the delays.
  milliseconds wait() {
    milliseconds waited{0};
    while (told.empty() && !server.delayed.empty()) {
      const milliseconds next = server.delayed.delays().front();
      waited += next;
      server.delayed.run(next);
    }
    return waited;
  }
};

using Told = std::vector<std::string>;

}  // namespace

TEST_CASE("diagnostics: a server that offers them is asked at once and answers before the symbols") {
  Stage stage;
  stage.recent.keep(published("old"));
  stage.start(true);
  CHECK(stage.out() == std::vector<std::string>{"diagnostic"});
  CHECK(stage.server.sent[0].params == R"({"textDocument":{"uri":"file:///a.x"}})");
  stage.server.reply(R"({"kind":"full","items":)" + list_of("asked") + "}");
  CHECK(stage.told == Told{"asked"});
}

TEST_CASE("diagnostics: a server that is asked and does not say") {
  Stage stage;
  SUBCASE("refused, and nothing is published") {
    stage.start(true);
    stage.server.refuse(-32603);
    CHECK(stage.told == Told{"failure: no (error -32603)"});
  }
  SUBCASE("refused, and something is published") {
    stage.recent.keep(published("published"));
    stage.start(true);
    stage.server.refuse(-32601);
    CHECK(stage.told == Told{"published"});
  }
  SUBCASE("not ready, asked again") {
    stage.start(true);
    stage.server.refuse(lsp::error_code::server_cancelled);
    CHECK(stage.told.empty());
    stage.server.delayed.run();
    stage.server.reply(R"({"kind":"full","items":)" + list_of("then") + "}");
    CHECK(stage.told == Told{"then"});
  }
  SUBCASE("not in time") {
    stage.start(true, milliseconds(250));
    stage.query->symbols_are_there();
    CHECK(stage.wait() == milliseconds(250));
    CHECK(stage.told == Told{"failure: not answered within 250 ms"});
    CHECK(stage.server.cancelled.size() == 1);
  }
  SUBCASE("not a report") {
    stage.start(true);
    stage.server.reply(R"({"kind":"unchanged","resultId":"1"})");
    CHECK(stage.told == Told{"failure: the diagnostic reply is not a full report"});
  }
  SUBCASE("the server is lost") {
    stage.start(true);
    stage.query->stop("lost");
    CHECK(stage.told == Told{"failure: lost"});
  }
}

TEST_CASE("diagnostics: the wait for what a server publishes begins after the symbols and is short") {
  Stage stage;
  SUBCASE("before the symbols") {
    stage.recent.opened(uri);
    stage.start(false);
    CHECK(stage.out().empty());
    stage.recent.keep(published("early"));
    CHECK(stage.told.empty());
    stage.query->symbols_are_there();
    CHECK(stage.told == Told{"early"});
  }
  SUBCASE("just after the symbols") {
    stage.recent.opened(uri);
    stage.start(false);
    stage.query->symbols_are_there();
    CHECK(stage.told.empty());
    stage.recent.keep(published("late"));
    CHECK(stage.wait() <= milliseconds(20));
    CHECK(stage.told == Told{"late"});
  }
  SUBCASE("an empty list at first, as pyright does: what follows it is taken") {
    stage.recent.opened(uri);
    stage.start(false);
    stage.recent.keep(published(""));
    stage.query->symbols_are_there();
    CHECK(stage.told.empty());
    stage.recent.keep(published("found"));
    CHECK(stage.wait() <= milliseconds(20));
    CHECK(stage.told == Told{"found"});
  }
  SUBCASE("an empty list that stays is believed after 0.3 seconds") {
    stage.recent.opened(uri);
    stage.start(false);
    stage.recent.keep(published(""));
    stage.query->symbols_are_there();
    CHECK(stage.wait() == milliseconds(300));
    CHECK(stage.told == Told{"none"});
  }
  SUBCASE("an empty list of a text that was there before is believed at once") {
    stage.recent.opened(uri);
    stage.recent.keep(published(""));
    stage.start(false);
    stage.query->symbols_are_there();
    CHECK(stage.told == Told{"none"});
  }
  SUBCASE("never: two seconds, and once for a text") {
    stage.recent.opened(uri);
    stage.start(false);
    stage.query->symbols_are_there();
    CHECK(stage.wait() == milliseconds(2000));
    CHECK(stage.told == Told{"failure: the server has published none for this document"});
    stage.told.clear();
    stage.start(false);
    stage.query->symbols_are_there();
    CHECK(stage.told.size() == 1);
    SUBCASE("nor for another document") {
      stage.told.clear();
      stage.recent.opened(uri);
      stage.start(false);
      stage.query->symbols_are_there();
      CHECK(stage.told.size() == 1);
    }
  }
  SUBCASE("never: no longer than the limit") {
    stage.start(false, milliseconds(50));
    stage.query->symbols_are_there();
    CHECK(stage.wait() == milliseconds(50));
  }
  SUBCASE("of the text before, where nothing better comes") {
    stage.recent.keep(published("before"));
    stage.recent.changed(uri);
    stage.start(false);
    stage.query->symbols_are_there();
    CHECK(stage.told.empty());
    CHECK(stage.wait() == milliseconds(2000));
    CHECK(stage.told == Told{"before"});
  }
  SUBCASE("no longer wanted") {
    stage.start(false);
    stage.query->symbols_are_there();
    stage.query.reset();
    stage.recent.keep(published("late"));
    stage.server.delayed.run();
    CHECK(stage.told.empty());
  }
}
