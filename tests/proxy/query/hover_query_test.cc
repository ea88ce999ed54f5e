// One hover request being answered in a text format: the server's hover in the row that it belongs to; and
// the cache of symbols that says which row that is.
#include "proxy/query/hover_query.h"

#include <doctest/doctest.h>

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "tests/proxy/query/query_stage.h"

namespace symbols::query {
namespace hover_query_test {

using Strings = std::vector<std::string>;
using Numbers = std::vector<lsp::RequestNumber>;

struct Stage : QueryStage {
  HoverSymbols symbols{server, server.delayed, [this](std::string_view) { return document; }};
  std::unique_ptr<HoverQuery> query;

  std::unique_ptr<HoverQuery> create(lsp::Position position, options::AnswerOptions options = {}) {
    return std::make_unique<HoverQuery>(services(), symbols,
                                        HoverQuestion{.uri = "file:///a",
                                                      .position = position,
                                                      .params = R"({"the client's":"own"})",
                                                      .options = options},
                                        done());
  }
  void ask(lsp::Position position, options::AnswerOptions options = {}) { query = create(position, options); }
};

std::string answer(const std::string& row, const std::string& range = "") {
  return R"({"contents":{"kind":"plaintext","value":"NAME | KIND | RANGE | SELECTION | PARENT | HOVER_INFO | EOL\n)" +
         row + "\"}" + (range.empty() ? "" : ",\"range\":" + range) + "}";
}
std::string text_answer(const std::string& text) {
  return R"({"contents":{"kind":"plaintext","value":")" + text + "\"}}";
}

// `outer` with `inner` in it.
const std::string tree = "[" + symbol_json("outer", 0, 4, 32, symbol_json("inner", 0, 21, 29)) + "]";
// Of UTF-16 units: outer from 4, a at 13, inner from 21, b at 27, the word beyond ASCII from 33, other from
// 37, the bars from 43.
constexpr const char* document = "let outer = (a) => { inner(b) }; é😀 other || x";

TEST_CASE("hover query: the row of the symbol at the position, or around it") {
  const std::string nested =
      tree.substr(0, tree.size() - 1) + ",{\"name\":\"m\",\"kind\":3,\"range\":" + range_json(1, 0, 9) +
      ",\"selectionRange\":" + range_json(1, 0, 1) + R"(,"children":[{"name":"n","kind":4,"range":)" +
      range_json(1, 0, 9) + ",\"selectionRange\":" + range_json(1, 0, 1) + "}]}]";
  struct Case {
    const char* what;
    lsp::Position position;
    std::string hover_range;
    std::string row;
    const char* text = document;  // null where it is not known
  };
  const std::string other = range_json(0, 37, 42);
  const std::string lines = R"({"start":{"line":0,"character":0},"end":{"line":1,"character":0}})";
  const Case cases[] = {
      {"in a name", {0, 6}, "", "outer | 12 | 0:4-32 | 0:4-9 |  | H | <<<"},
      {"at its start", {0, 4}, "", "outer | 12 | 0:4-32 | 0:4-9 |  | H | <<<"},
      {"at its end", {0, 9}, "", "outer | 12 | 0:4-32 | 0:4-9 |  | H | <<<"},
      {"in a name within", {0, 22}, "", "inner | 12 | 0:21-29 | 0:21-26 | outer | H | <<<"},
      {"in another word, within", {0, 27}, "", "b |  | 0:27-28 | 0:27-28 | inner | H | <<<"},
      {"in another word", {0, 13}, "", "a |  | 0:13-14 | 0:13-14 | outer | H | <<<"},
      {"the hover's range", {0, 13}, other, "a |  | 0:37-42 | 0:37-42 | outer | H | <<<"},
      {"outside of all", {0, 38}, other, "other |  | 0:37-42 | 0:37-42 |  | H | <<<"},
      {"beyond ASCII", {0, 34}, "", "\\u00e9\\ud83d\\ude00 |  | 0:33-36 | 0:33-36 |  | H | <<<"},
      {"no word", {0, 43}, "", " |  |  |  |  | H | <<<"},
      {"but a range", {0, 43}, range_json(0, 43, 45), "\\\\|\\\\| |  | 0:43-45 | 0:43-45 |  | H | <<<"},
      {"of several lines", {0, 43}, lines, " |  | 0:0-1:0 | 0:0-1:0 |  | H | <<<"},
      {"no such line", {7, 3}, "", " |  |  |  |  | H | <<<"},
      {"of one selection the innermost", {1, 0}, "", "n | 4 | 1:0-9 | 1:0-1 | m | H | <<<"},
      {"no text, at a name", {0, 6}, "", "outer | 12 | 0:4-32 | 0:4-9 |  | H | <<<", nullptr},
      {"no text, elsewhere", {0, 27}, "", " |  |  |  | inner | H | <<<", nullptr},
      {"no text, a range", {0, 38}, other, " |  | 0:37-42 | 0:37-42 |  | H | <<<", nullptr},
      {"an empty text", {0, 0}, "", " |  |  |  |  | H | <<<", ""},
  };
  for (const Case& c : cases) {
    CAPTURE(c.what);
    Stage stage;
    if (c.text != nullptr) stage.know(c.text);
    stage.ask(c.position);
    REQUIRE(stage.out() == Strings{"hover"});
    CHECK(stage.server.sent[0].params == R"({"the client's":"own"})");
    stage.server.reply(hover_json("H", c.hover_range));
    CHECK(stage.answers.empty());
    REQUIRE(stage.out() == Strings{"documentSymbol"});
    CHECK(stage.server.sent[0].params == R"({"textDocument":{"uri":"file:///a"}})");
    stage.server.reply(nested);
    CHECK(stage.answers == Strings{answer(c.row, c.hover_range)});
    stage.server.delayed.run();
    CHECK(stage.answers.size() == 1);
    CHECK(stage.counted == Strings{hover_json("H", c.hover_range)});
  }
}

TEST_CASE("hover query: the word counts in the encoding that was agreed on") {
  for (const auto& [encoding, row] :
       {std::pair{lsp::PositionEncoding::utf16, "other |  | 0:37-42 | 0:37-42 |  | H | <<<"},
        {lsp::PositionEncoding::utf8, "\\u00e9\\ud83d\\ude00 |  | 0:33-39 | 0:33-39 |  | H | <<<"},
        {lsp::PositionEncoding::utf32, "other |  | 0:36-41 | 0:36-41 |  | H | <<<"}}) {
    Stage stage;
    stage.know(document);
    stage.capabilities.position_encoding = encoding;
    stage.ask({0, 38});
    stage.server.reply(hover_json("H"));
    stage.server.reply("[]");
    CHECK(stage.answers == Strings{answer(row)});
  }
}

TEST_CASE("hover query: symbols that are late, or never come") {
  const std::string with = answer("outer | 12 | 0:4-32 | 0:4-9 |  | H | <<<");
  const std::string without = answer("outer |  | 0:4-9 | 0:4-9 |  | H | <<<");
  struct Case {
    const char* what;
    std::function<void(Stage&)> then;
    std::string expected;
    bool known;  // to the next hover
  };
  const Case cases[] = {
      {"asked for by another",
       [](Stage& stage) {
         stage.symbols.ask(&stage, "file:///a", [](const HoverSymbols::Tree&) {});
         stage.server.reply(hover_json("H"));
         CHECK(stage.out() == Strings{"documentSymbol"});
         stage.server.reply(tree);
       },
       with, true},
      {"too late",
       [](Stage& stage) {
         CHECK(stage.server.delayed.empty());  // the limit begins with the hover
         stage.server.reply(hover_json("H"));
         CHECK(stage.answers.empty());
         CHECK(stage.server.delayed.run(std::chrono::milliseconds(500)));
         CHECK(stage.answers.size() == 1);
         stage.server.reply(tree);
       },
       without, true},
      {"refused",
       [](Stage& stage) {
         stage.server.reply(hover_json("H"));
         stage.server.refuse(-32603);
       },
       without, false},
  };
  for (const Case& c : cases) {
    CAPTURE(c.what);
    Stage stage;
    stage.know(document);
    stage.ask({0, 6});
    c.then(stage);
    CHECK(stage.answers == Strings{c.expected});
    stage.query.reset();
    CHECK(stage.server.cancelled.empty());
    stage.ask({0, 6});
    stage.server.reply(hover_json("H"));
    CHECK(stage.out().size() == (c.known ? 0 : 1));
  }
}

TEST_CASE("hover query: what is passed on unchanged") {
  struct Case {
    std::string reply;
    std::string expected;
    int warnings = 0;
  };
  const std::string cut =
      R"(error {"code":-32603,"message":"the server's reply to hover is cut; see the server's log"})";
  const Case cases[] = {
      {"null", "null"},
      {R"(null,"id":"x"})", "null"},
      {R"({"text":"é", "n":1.0})", R"({"text":"é", "n":1.0})", 1},
      {"[1]", "[1]", 1},
      {R"({"contents":)", cut},
      {"", cut},
  };
  for (const options::HoverReply reply : {options::HoverReply::row, options::HoverReply::text}) {
    for (const Case& c : cases) {
      CAPTURE(c.reply);
      Stage stage;
      stage.ask({0, 6}, {.hover_reply = reply});
      stage.server.reply(c.reply);
      CHECK(stage.answers == Strings{c.expected});
      CHECK(stage.server.sent.empty());  // nothing that the client's next request would wait behind
      CHECK(stage.warnings.size() == static_cast<std::size_t>(c.warnings));
      stage.server.delayed.run();
      CHECK(stage.answers.size() == 1);
    }
    Stage stage;
    stage.ask({0, 6}, {.hover_reply = reply});
    stage.server.sent[0].handler(
        {.failed = true, .result = R"({"code":-32801,"message":"é"},"x":1})", .error = {}});
    CHECK(stage.answers == Strings{R"(error {"code":-32801,"message":"\u00e9"})"});
    CHECK(stage.counted.empty());
  }
}

TEST_CASE("hover query: the hover is whole, unless a limit was given, and without contents is empty") {
  const std::string long_text(5000, 'x');
  struct Case {
    const char* what;
    options::AnswerOptions options;
    std::string reply;
    std::string expected;
  };
  using enum options::HoverReply;
  const Case cases[] = {
      {"whole", {}, hover_json(long_text), answer(" |  |  |  |  | " + long_text + " | <<<")},
      {"limited", {.hover_chars = 4}, hover_json(long_text), answer(R"( |  |  |  |  | xxx\u2026 | <<<)")},
      {"limit 0",
       {.hover_chars = 0},
       hover_json(long_text),
       answer(" |  |  |  |  | " + long_text + " | <<<")},
      {"empty", {}, R"({"contents":[]})", answer(" |  |  |  |  |  | <<<")},
      {"escaped", {}, hover_json(R"(a | b\\c é)"), answer(R"( |  |  |  |  | a \\| b\\\\c \u00e9 | <<<)")},
      {"text, whole", {.hover_reply = text}, hover_json(long_text), text_answer(long_text)},
      {"limited", {.hover_chars = 4, .hover_reply = text}, hover_json("xxxxx"), text_answer(R"(xxx\u2026)")},
      {"text, empty", {.hover_reply = text}, R"({"contents":""})", text_answer("")},
      {"text, with a range as it came",
       {.hover_reply = text},
       R"({"range":{"start":{"line":1,"character":0},"end":{"character":2,"line" : 1}, "é":1.0},"contents":"H"})",
       R"({"contents":{"kind":"plaintext","value":"H"},"range":)"
       R"({"start":{"line":1,"character":0},"end":{"character":2,"line" : 1}, "\u00e9":1.0}})"},
      {"text, null as a range", {.hover_reply = text}, R"({"contents":"H","range":null})", text_answer("H")},
  };
  for (const Case& c : cases) {
    CAPTURE(c.what);
    Stage stage;
    stage.ask({3, 3}, c.options);
    stage.server.reply(c.reply);
    if (c.options.hover_reply == text) {
      CHECK(stage.server.sent.empty());  // it needs no symbols
    } else {
      stage.server.reply("[]");
    }
    CHECK(stage.answers == Strings{c.expected});
  }
}

struct CacheStage {
  FakeServer server;
  Strings heard;  // "who: first name"
  HoverSymbols cache{server, server.delayed};
  std::set<std::string> waiters;

  // Whether the symbols were cached.
  bool ask(const std::string& who, const std::string& uri) {
    const auto hear = [this, who](const HoverSymbols::Tree& given) {
      heard.push_back(who + ": " +
                      (!given                   ? "failed"
                       : given->symbols.empty() ? "none"
                                                : given->symbols[0].name));
    };
    const HoverSymbols::Tree known = cache.find(uri);
    if (known) {
      hear(known);
    } else {
      cache.ask(waiter(who), uri, hear);
    }
    return known != nullptr;
  }
  const void* waiter(const std::string& who) { return &waiters.insert(who).first->front(); }
  void reply(const std::string& name, std::size_t index = 0) {
    server.reply("[" + symbol_json(name, 0, 0, 9) + "]", index);
  }
};

TEST_CASE("symbol cache: requested once, shared, then cached until something changes") {
  CacheStage stage;
  stage.ask("a", "file:///\"");
  stage.ask("b", "file:///\"");
  stage.ask("c", "file:///c");
  REQUIRE(stage.server.out().size() == 2);
  CHECK(stage.server.sent[0].params == R"({"textDocument":{"uri":"file:///\""}})");
  stage.reply("x");
  CHECK(stage.heard == Strings{"a: x", "b: x"});
  CHECK(stage.ask("d", "file:///\""));
  stage.cache.invalidate();
  stage.ask("a2", "file:///\"");
  stage.ask("c2", "file:///c");
  CHECK(stage.server.out().size() == 3);
  stage.reply("old");
  stage.ask("c3", "file:///c");  // joins c2
  CHECK(stage.server.out().size() == 2);
  stage.reply("new", 1);
  CHECK(stage.ask("c4", "file:///c"));
  CHECK(stage.heard == Strings{"a: x", "b: x", "d: x", "c: old", "c2: new", "c3: new", "c4: new"});
}

TEST_CASE("symbol cache: cancel, stop waiting, and handlers that ask, cancel and invalidate") {
  CacheStage stage;
  stage.ask("a", "file:///a");
  stage.ask("b", "file:///a");
  for (int twice = 0; twice < 2; ++twice) stage.cache.cancel(stage.waiter("a"));
  CHECK(stage.server.cancelled.empty());
  stage.cache.cancel(stage.waiter("b"));
  CHECK(stage.server.cancelled == Numbers{1});
  stage.reply("late");
  stage.ask("c", "file:///a");
  stage.cache.stop_waiting(stage.waiter("c"));
  CHECK(stage.server.cancelled.size() == 1);
  stage.reply("x");
  CHECK(stage.heard.empty());
  CHECK(stage.ask("d", "file:///a"));
  stage.ask("e", "file:///b");
  stage.cache.invalidate();
  stage.cache.cancel(stage.waiter("e"));
  CHECK(stage.server.cancelled == Numbers{1, 3});

  CacheStage within;
  const std::string first = "0";  // called before the other
  within.cache.ask(&first, "file:///a", [&](const HoverSymbols::Tree&) {
    within.cache.invalidate();
    within.ask("from within", "file:///a");
  });
  within.ask("cancelled", "file:///b");
  within.cache.cancel(within.waiter("cancelled"));
  within.reply("x");
  CHECK(within.heard.empty());
  within.reply("y", 1);
  CHECK(within.heard == Strings{"from within: y"});

  // Of those that none waits for the last eight stay.
  CacheStage many;
  for (const char name : std::string("abcdefghij")) {
    many.ask({name}, std::string("file:///") + name);
    many.reply("x");
  }
  CHECK(many.ask("c", "file:///c"));
  CHECK_FALSE(many.ask("a", "file:///a"));
}

}  // namespace hover_query_test
}  // namespace symbols::query
