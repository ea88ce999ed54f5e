// The diagnostics of one document, against a server whose replies and publications the test gives itself.
#include "proxy/query/diagnostics_query.h"

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <vector>

#include "tests/proxy/query/query_stage.h"

namespace symbols::query {
namespace diagnostics_query_test {

using std::chrono::milliseconds;
using Told = std::vector<std::string>;

const std::string uri = "file:///a";

std::string item(const std::string& message) {
  return R"({"range":)" + range_json(1, 2, 3) + R"(,"message":")" + message + R"("})";
}
std::string report(const std::string& message) {
  return R"({"kind":"full","items":[)" + item(message) + "]}";
}

struct Stage : QueryStage {
  std::unique_ptr<DiagnosticsQuery> query;
  Told told;  // messages, or "failure: …"

  void publish(const std::string& message) {
    published.keep(published_json(message.empty() ? "" : item(message)));
  }
  void start(bool offered, milliseconds limit = milliseconds(10'000)) {
    capabilities.diagnostics = offered;
    query = std::make_unique<DiagnosticsQuery>(services(), uri, limit, [this] { end("done too early"); });
  }
  void end(const std::string& reason) {
    const table::Diagnostics found = query->take(reason);
    told.push_back(!found.value                 ? "failure: " + found.failure
                   : found.value->first.empty() ? "none"
                                                : found.value->first.front().message);
    query.reset();
  }
  void symbols_are_there() {
    query->symbols_are_there();
    if (query->is_complete()) end("");
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

TEST_CASE("diagnostics: a server that offers them is asked at once") {
  struct Case {
    const char* what;
    void (*then)(Stage&);
    const char* told;
  };
  const Case cases[] = {
      {"answered before the symbols", [](Stage& s) { s.server.reply(report("asked")); }, "asked"},
      {"refused, and nothing is published", [](Stage& s) { s.server.refuse(-32603); },
       "failure: no (error -32603)"},
      {"refused, and something is published",
       [](Stage& s) {
         s.publish("published");
         s.server.refuse(-32601);
       },
       "published"},
      {"not ready, asked again",
       [](Stage& s) {
         s.server.refuse(lsp::error_code::server_cancelled);
         CHECK(s.told.empty());
         s.server.delayed.run();
         s.server.reply(report("then"));
       },
       "then"},
      {"not in time",
       [](Stage& s) {
         s.symbols_are_there();
         CHECK(s.wait() == milliseconds(250));
         CHECK(s.server.cancelled.size() == 1);
       },
       "failure: not answered within 250 ms"},
      {"not a report", [](Stage& s) { s.server.reply(R"({"kind":"unchanged","resultId":"1"})"); },
       "failure: the diagnostic reply is not a full report"},
      {"the server is lost", [](Stage& s) { s.end("lost"); }, "failure: lost"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.what);
    Stage stage;
    stage.start(true, milliseconds(250));
    CHECK(stage.out() == Told{"diagnostic"});
    CHECK(stage.server.sent[0].params == R"({"textDocument":{"uri":"file:///a"}})");
    c.then(stage);
    CHECK(stage.told == Told{c.told});
  }
}

TEST_CASE("diagnostics: a server that offers them only after the question") {
  Stage stage;
  stage.start(false);
  stage.capabilities.diagnostics = true;
  stage.symbols_are_there();
  CHECK(stage.out() == Told{"diagnostic"});
}

TEST_CASE("diagnostics: the wait for what a server publishes begins after the symbols and is short") {
  struct Case {
    const char* what;
    void (*before)(Stage&);      // the query starts
    const char* before_symbols;  // is published; null: nothing
    const char* after_symbols;
    milliseconds waited;  // 20: at most
    const char* told;
    milliseconds limit{10'000};
  };
  const auto opened = [](Stage& s) { s.published.opened(uri); };
  const Case cases[] = {
      {"before the symbols", opened, "early", nullptr, milliseconds(0), "early"},
      {"just after the symbols", opened, nullptr, "late", milliseconds(20), "late"},
      {"an empty list at first, as pyright does", opened, "", "found", milliseconds(20), "found"},
      {"an empty list that stays", opened, "", nullptr, milliseconds(300), "none"},
      {"an empty list of a text that was there before",
       [](Stage& s) {
         s.published.opened(uri);
         s.publish("");
       },
       nullptr, nullptr, milliseconds(0), "none"},
      {"never", opened, nullptr, nullptr, milliseconds(2000),
       "failure: the server has published none for this document"},
      {"never, no longer than the limit", opened, nullptr, nullptr, milliseconds(50),
       "failure: the server has published none for this document", milliseconds(50)},
      {"of the text before, where nothing better comes",
       [](Stage& s) {
         s.publish("before");
         s.published.changed(uri);
       },
       nullptr, nullptr, milliseconds(2000), "before"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.what);
    Stage stage;
    c.before(stage);
    stage.start(false, c.limit);
    CHECK(stage.out().empty());
    if (c.before_symbols != nullptr) stage.publish(c.before_symbols);
    CHECK(stage.told.empty());
    stage.symbols_are_there();
    CHECK(stage.told.empty() == (c.waited > milliseconds(0)));
    if (c.after_symbols != nullptr) stage.publish(c.after_symbols);
    const milliseconds waited = stage.wait();
    CHECK((c.waited == milliseconds(20) ? waited <= c.waited : waited == c.waited));
    CHECK(stage.told == Told{c.told});
  }
}

TEST_CASE(
    "diagnostics: a server that publishes nothing is waited for once, and nobody for an unwanted query") {
  Stage stage;
  for (const bool again : {false, true}) {
    stage.published.opened(uri);
    stage.told.clear();
    stage.start(false);
    stage.symbols_are_there();
    CHECK(stage.told.size() == (again ? 1 : 0));
    (void)stage.wait();
  }
  Stage unwanted;
  unwanted.start(false);
  unwanted.symbols_are_there();
  unwanted.query.reset();
  unwanted.publish("late");
  unwanted.server.delayed.run();
  CHECK(unwanted.told.empty());
}

}  // namespace diagnostics_query_test
}  // namespace symbols::query
