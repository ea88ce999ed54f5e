// The cache of symbols for hovers: requested once, kept until something changes, bounded.
#include "proxy/query/symbol_fetch.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/proxy/query/fake_server.h"

namespace symbols::query {
namespace {

using Strings = std::vector<std::string>;

std::string symbols(const std::string& name) {
  return R"([{"name":")" + name +
         R"(","kind":12,"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":9}},)"
         R"("selectionRange":{"start":{"line":0,"character":0},"end":{"line":0,"character":1}}}])";
}

struct Stage {
  FakeServer server;
  Strings heard;  // "who: first name"
  HoverSymbols cache{server, server.delayed};

  // 0 if the symbols were cached, or are not requested.
  HoverSymbols::Ticket ask(const std::string& who, const std::string& uri) {
    const auto hear = [this, who](const HoverSymbols::Tree& tree) {
      heard.push_back(who + ": " +
                      (!tree                   ? "failed"
                       : tree->symbols.empty() ? "none"
                                               : tree->symbols[0].name));
    };
    if (const HoverSymbols::Tree known = cache.find(uri)) {
      hear(known);
      return 0;
    }
    return cache.ask(uri, hear);
  }
  std::size_t out() const { return server.sent.size(); }
};

TEST_CASE("symbol cache: requested once, shared, and then cached") {
  Stage stage;
  CHECK(stage.ask("a", "file:///\"") != 0);
  CHECK(stage.ask("b", "file:///\"") != 0);
  CHECK(stage.ask("c", "file:///c") != 0);
  REQUIRE(stage.out() == 2);
  CHECK(stage.server.sent[0].method == "textDocument/documentSymbol");
  CHECK(stage.server.sent[0].params == R"({"textDocument":{"uri":"file:///\""}})");
  CHECK(stage.heard.empty());
  stage.server.reply(symbols("x"));
  CHECK(stage.heard == Strings{"a: x", "b: x"});
  CHECK(stage.ask("d", "file:///\"") == 0);
  CHECK(stage.heard.back() == "d: x");
  stage.server.reply(symbols("y"));
  CHECK(stage.heard.back() == "c: y");
  CHECK(stage.out() == 0);
}

TEST_CASE("symbol cache: what is not cached") {
  struct Case {
    const char* what;
    std::function<void(FakeServer&)> reply;
    const char* heard;
    bool kept;
  };
  const Case cases[] = {
      {"symbols", [](FakeServer& server) { server.reply(symbols("x") + "} behind"); }, "a: x", true},
      {"no symbols", [](FakeServer& server) { server.reply("[]"); }, "a: none", false},
      {"null", [](FakeServer& server) { server.reply("null"); }, "a: none", false},
      {"a failure", [](FakeServer& server) { server.refuse(-32603); }, "a: failed", false},
      {"another shape", [](FakeServer& server) { server.reply(R"({"x":1})"); }, "a: failed", false},
      {"no JSON", [](FakeServer& server) { server.reply("[{"); }, "a: failed", false},
      {"nothing", [](FakeServer& server) { server.reply(""); }, "a: failed", false},
  };
  for (const Case& c : cases) {
    CAPTURE(c.what);
    Stage stage;
    stage.ask("a", "file:///a");
    c.reply(stage.server);
    CHECK(stage.heard == Strings{c.heard});
    stage.ask("b", "file:///a");
    CHECK(stage.out() == (c.kept ? 0 : 1));
  }
}

TEST_CASE("symbol cache: a change outdates what is cached, and what is in flight for later questions") {
  Stage stage;
  stage.ask("a", "file:///a");
  stage.server.reply(symbols("old a"));
  stage.ask("b", "file:///b");
  stage.cache.invalidate();
  stage.ask("a2", "file:///a");
  stage.ask("b2", "file:///b");
  REQUIRE(stage.out() == 3);
  stage.server.reply(symbols("old b"));
  CHECK(stage.heard == Strings{"a: old a", "b: old b"});
  stage.ask("b3", "file:///b");  // joins b2
  CHECK(stage.out() == 2);
  stage.server.reply(symbols("new b"), 1);
  stage.server.reply(symbols("new a"));
  CHECK(stage.heard == Strings{"a: old a", "b: old b", "b2: new b", "b3: new b", "a2: new a"});
  stage.ask("b4", "file:///b");
  CHECK(stage.heard.back() == "b4: new b");
}

TEST_CASE("symbol cache: the eight most recently used documents") {
  Stage stage;
  const auto uri = [](int i) { return "file:///" + std::to_string(i); };
  for (int i = 0; i < 12; ++i) stage.ask("first", uri(i));
  for (int i = 0; i < 12; ++i) stage.server.reply(symbols("x"));
  CHECK(stage.heard.size() == 12);
  for (int i = 4; i < 12; ++i) CHECK(stage.ask("again", uri(i)) == 0);
  CHECK(stage.ask("used", uri(4)) == 0);
  CHECK(stage.ask("new", uri(0)) != 0);
  stage.server.reply(symbols("x"));
  CHECK(stage.ask("used", uri(4)) == 0);
  CHECK(stage.ask("pushed out", uri(5)) != 0);
}

TEST_CASE("symbol cache: a request that is never answered does not keep others from being cached") {
  Stage stage;
  stage.ask("stuck", "file:///stuck");
  for (int i = 0; i < 12; ++i) {
    stage.ask("a", "file:///" + std::to_string(i));
    stage.server.reply(symbols("x"), 1);
  }
  CHECK(stage.ask("kept", "file:///11") == 0);
  CHECK(stage.ask("kept", "file:///4") == 0);
  CHECK(stage.ask("not kept", "file:///3") != 0);
}

TEST_CASE("symbol cache: no more requests in flight than allowed") {
  Stage stage;
  for (int i = 0; i < 64; ++i) CHECK(stage.ask("a", "file:///" + std::to_string(i)) != 0);
  CHECK(stage.ask("over", "file:///64") == 0);
  CHECK(stage.heard.empty());
  CHECK(stage.ask("joins", "file:///0") != 0);
  stage.server.reply(symbols("x"));
  CHECK(stage.ask("again", "file:///64") != 0);
}

TEST_CASE("symbol cache: cancel, and stop waiting") {
  Stage stage;
  const auto a = stage.ask("a", "file:///a");
  const auto b = stage.ask("b", "file:///a");
  stage.cache.cancel(a);
  stage.cache.cancel(a);
  stage.cache.cancel(0);
  stage.cache.stop_waiting(0);
  CHECK(stage.server.cancelled.empty());
  stage.cache.cancel(b);
  CHECK(stage.server.cancelled == std::vector<lsp::RequestNumber>{1});
  stage.server.reply(symbols("late"));
  CHECK(stage.heard.empty());

  stage.cache.stop_waiting(stage.ask("c", "file:///a"));
  CHECK(stage.server.cancelled.size() == 1);
  stage.server.reply(symbols("x"));
  CHECK(stage.heard.empty());
  CHECK(stage.ask("d", "file:///a") == 0);
  CHECK(stage.heard == Strings{"d: x"});

  const auto stale = stage.ask("e", "file:///b");
  stage.cache.invalidate();
  stage.cache.cancel(stale);
  CHECK(stage.server.cancelled == std::vector<lsp::RequestNumber>{1, 3});
}

TEST_CASE("symbol cache: names of a flat reply stand where the text has them") {
  for (const bool known : {true, false}) {
    FakeServer server;
    HoverSymbols cache(server, server.delayed, [known](std::string_view uri) {
      CHECK(uri == "file:///a.sh");
      return known ? std::make_shared<const std::string>("function f() {\n}\n") : nullptr;
    });
    HoverSymbols::Tree tree;
    cache.ask("file:///a.sh", [&tree](const HoverSymbols::Tree& given) { tree = given; });
    server.reply(R"([{"name":"f","kind":12,"location":{"uri":"file:///a.sh","range":)"
                 R"({"start":{"line":0,"character":0},"end":{"line":1,"character":1}}}}])");
    REQUIRE(tree);
    const lsp::Range expected = known ? lsp::Range{{0, 9}, {0, 10}} : lsp::Range{};
    CHECK(tree->symbols[0].selection_range == expected);
  }
}

TEST_CASE("symbol cache: a handler may ask, cancel and invalidate") {
  Stage stage;
  HoverSymbols::Ticket second = 0;
  stage.cache.ask("file:///a", [&](const HoverSymbols::Tree&) {
    stage.cache.cancel(second);
    stage.cache.invalidate();
    stage.ask("from within", "file:///a");
  });
  second = stage.ask("second", "file:///a");
  stage.server.reply(symbols("x"));
  CHECK(stage.heard.empty());
  REQUIRE(stage.out() == 1);
  stage.server.reply(symbols("y"));
  CHECK(stage.heard.back() == "from within: y");
}

}  // namespace
}  // namespace symbols::query
