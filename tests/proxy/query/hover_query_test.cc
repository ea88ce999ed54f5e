// One hover request being answered in a text format: the server's hover in the row that it belongs to.
#include "proxy/query/hover_query.h"

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <vector>

#include "tests/proxy/query/query_stage.h"

namespace symbols::query {
namespace {

using Strings = std::vector<std::string>;
using std::chrono::milliseconds;

constexpr milliseconds limit{500};

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
  void ask(lsp::Position position, options::AnswerOptions options = {}) {
    query = create(position, options);
    query->start();
  }
};

std::string answer(const std::string& row, const std::string& range = "") {
  return R"({"contents":{"kind":"plaintext","value":"NAME | KIND | RANGE | SELECTION | PARENT | HOVER_INFO | EOL\n)" +
         row + "\"}" + (range.empty() ? "" : ",\"range\":" + range) + "}";
}
std::string text_answer(const std::string& text) {
  return R"({"contents":{"kind":"plaintext","value":")" + text + "\"}}";
}
std::string hover(const std::string& text, const std::string& range = "") {
  return R"({"contents":")" + text + "\"" + (range.empty() ? "" : ",\"range\":" + range) + "}";
}

// `outer` with `inner` in it.
const std::string tree = "[" + symbol_json("outer", 0, 4, 60, symbol_json("inner", 0, 20, 30)) + "]";
// Of UTF-16 units: outer from 4, a at 13, inner from 21, b at 27, the word beyond ASCII from 33, other from
// 37, the bars from 43.
constexpr const char* document = "let outer = (a) => { inner(b) }; é😀 other || x";

TEST_CASE("hover query: the row of the symbol at the position, or around it") {
  const std::string nested = "[" + symbol_json("outer", 0, 4, 32, symbol_json("inner", 0, 21, 29)) +
                             ",{\"name\":\"m\",\"kind\":3," + "\"range\":" + range_json(1, 0, 9) +
                             ",\"selectionRange\":" + range_json(1, 0, 1) +
                             R"(,"children":[{"name":"n","kind":4,"range":)" + range_json(1, 0, 9) +
                             ",\"selectionRange\":" + range_json(1, 0, 1) + "}]}]";
  struct Case {
    const char* what;
    lsp::Position position;
    const char* document;  // null where it is not known
    std::string hover_range;
    std::string row;
  };
  const std::string other = range_json(0, 37, 42);
  const Case cases[] = {
      {"in a name", {0, 6}, document, "", "outer | 12 | 0:4-32 | 0:4-9 |  | H | <<<"},
      {"at its start", {0, 4}, document, "", "outer | 12 | 0:4-32 | 0:4-9 |  | H | <<<"},
      {"at its end", {0, 9}, document, "", "outer | 12 | 0:4-32 | 0:4-9 |  | H | <<<"},
      {"in a name within", {0, 22}, document, "", "inner | 12 | 0:21-29 | 0:21-26 | outer | H | <<<"},
      {"in another word, within", {0, 27}, document, "", "b |  | 0:27-28 | 0:27-28 | inner | H | <<<"},
      {"in another word", {0, 13}, document, "", "a |  | 0:13-14 | 0:13-14 | outer | H | <<<"},
      {"the hover's range", {0, 13}, document, other, "a |  | 0:37-42 | 0:37-42 | outer | H | <<<"},
      {"outside of all", {0, 38}, document, other, "other |  | 0:37-42 | 0:37-42 |  | H | <<<"},
      {"a word beyond ASCII",
       {0, 34},
       document,
       "",
       "\\u00e9\\ud83d\\ude00 |  | 0:33-36 | 0:33-36 |  | H | <<<"},
      {"no word", {0, 43}, document, "", " |  |  |  |  | H | <<<"},
      {"no word, but a range",
       {0, 43},
       document,
       range_json(0, 43, 45),
       "\\\\|\\\\| |  | 0:43-45 | 0:43-45 |  | H | <<<"},
      {"no word, a range of several lines",
       {0, 43},
       document,
       R"({"start":{"line":0,"character":0},"end":{"line":1,"character":0}})",
       " |  | 0:0-1:0 | 0:0-1:0 |  | H | <<<"},
      {"no such line", {7, 3}, document, "", " |  |  |  |  | H | <<<"},
      {"of several with one selection the innermost",
       {1, 0},
       document,
       "",
       "n | 4 | 1:0-9 | 1:0-1 | m | H | <<<"},
      {"no text, at a name", {0, 6}, nullptr, "", "outer | 12 | 0:4-32 | 0:4-9 |  | H | <<<"},
      {"no text, elsewhere", {0, 27}, nullptr, "", " |  |  |  | inner | H | <<<"},
      {"no text, elsewhere, with a range",
       {0, 27},
       nullptr,
       range_json(0, 27, 28),
       " |  | 0:27-28 | 0:27-28 | inner | H | <<<"},
      {"an empty text", {0, 0}, "", "", " |  |  |  |  | H | <<<"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.what);
    Stage stage;
    if (c.document != nullptr) stage.document = std::make_shared<const std::string>(c.document);
    stage.ask(c.position);
    REQUIRE(stage.out() == Strings{"hover"});
    CHECK(stage.server.sent[0].params == R"({"the client's":"own"})");
    stage.server.reply(hover("H", c.hover_range));
    CHECK(stage.answers.empty());
    REQUIRE(stage.out() == Strings{"documentSymbol"});
    CHECK(stage.server.sent[0].params == R"({"textDocument":{"uri":"file:///a"}})");
    stage.server.reply(nested);
    CHECK(stage.answers == Strings{answer(c.row, c.hover_range)});
    stage.server.delayed.run();
    CHECK(stage.answers.size() == 1);
    CHECK(stage.counted == Strings{hover("H", c.hover_range)});
  }
}

TEST_CASE("hover query: the word counts in the encoding that was agreed on") {
  for (const auto& [encoding, row] :
       {std::pair{lsp::PositionEncoding::utf16, "other |  | 0:37-42 | 0:37-42 |  | H | <<<"},
        {lsp::PositionEncoding::utf8, "\\u00e9\\ud83d\\ude00 |  | 0:33-39 | 0:33-39 |  | H | <<<"},
        {lsp::PositionEncoding::utf32, "other |  | 0:36-41 | 0:36-41 |  | H | <<<"}}) {
    Stage stage;
    stage.document = std::make_shared<const std::string>(document);
    stage.capabilities.position_encoding = encoding;
    stage.ask({0, 38});
    stage.server.reply(hover("H"));
    stage.server.reply("[]");
    CHECK(stage.answers == Strings{answer(row)});
  }
}

TEST_CASE("hover query: symbols that are late, or never come") {
  const std::string with = answer("outer | 12 | 0:4-60 | 0:4-9 |  | H | <<<");
  const std::string without = answer("outer |  | 0:4-9 | 0:4-9 |  | H | <<<");
  struct Case {
    const char* what;
    std::function<void(Stage&)> then;
    std::string expected;
  };
  const Case cases[] = {
      {"in time",
       [](Stage& stage) {
         stage.server.reply(hover("H"));
         stage.server.reply(tree);
       },
       with},
      {"known before the hover comes",
       [](Stage& stage) {
         stage.symbols.ask("file:///a", [](const HoverSymbols::Tree&) {});
         stage.server.reply(tree, 1);
         CHECK(stage.answers.empty());
         stage.server.reply(hover("H"));
         CHECK(stage.server.sent.empty());
       },
       with},
      {"asked for by another",
       [](Stage& stage) {
         stage.symbols.ask("file:///a", [](const HoverSymbols::Tree&) {});
         stage.server.reply(hover("H"));
         CHECK(stage.out() == Strings{"documentSymbol"});
         stage.server.reply(tree);
       },
       with},
      {"too late",
       [](Stage& stage) {
         CHECK(stage.server.delayed.empty());  // the limit begins with the hover
         stage.server.reply(hover("H"));
         CHECK(stage.answers.empty());
         CHECK(stage.server.delayed.run(limit));
         CHECK(stage.answers.size() == 1);
         stage.server.reply(tree);
       },
       without},
      {"refused",
       [](Stage& stage) {
         stage.server.reply(hover("H"));
         stage.server.refuse(-32603);
       },
       without},
      {"of another shape",
       [](Stage& stage) {
         stage.server.reply(hover("H"));
         stage.server.reply(R"("?")");
       },
       without},
  };
  for (const Case& c : cases) {
    CAPTURE(c.what);
    Stage stage;
    stage.document = std::make_shared<const std::string>(document);
    stage.ask({0, 6});
    c.then(stage);
    CHECK(stage.answers == Strings{c.expected});
    stage.query.reset();
    CHECK(stage.server.cancelled.empty());
    // Symbols that came, if late, serve the next hover.
    const bool known = c.expected == with || std::string(c.what) == "too late";
    stage.ask({0, 6});
    stage.server.reply(hover("H"));
    CHECK(stage.out().size() == (known ? 0 : 1));
  }
}

TEST_CASE("hover query: what is passed on unchanged") {
  struct Case {
    const char* what;
    std::string reply;
    std::string expected;
    int warnings;
  };
  const Case cases[] = {
      {"null", "null", "null", 0},
      {"null and what follows", R"(null,"id":"x"})", "null", 0},
      {"an unknown shape", R"({"text":"é", "n":1.0})", R"({"text":"é", "n":1.0})", 1},
      {"an array", "[1]", "[1]", 1},
      {"cut", R"({"contents":)",
       R"(error {"code":-32603,"message":"the server's reply to hover is cut; see the server's log"})", 0},
      {"nothing", "",
       R"(error {"code":-32603,"message":"the server's reply to hover is cut; see the server's log"})", 0},
  };
  for (const options::HoverReply reply : {options::HoverReply::row, options::HoverReply::text}) {
    for (const Case& c : cases) {
      CAPTURE(c.what);
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
      {"whole", {}, hover(long_text), answer(" |  |  |  |  | " + long_text + " | <<<")},
      {"limited", {.hover_chars = 4}, hover(long_text), answer(R"( |  |  |  |  | xxx\u2026 | <<<)")},
      {"limit 0", {.hover_chars = 0}, hover(long_text), answer(" |  |  |  |  | " + long_text + " | <<<")},
      {"empty", {}, R"({"contents":[]})", answer(" |  |  |  |  |  | <<<")},
      {"escaped", {}, hover(R"(a | b\\c é)"), answer(R"( |  |  |  |  | a \\| b\\\\c \u00e9 | <<<)")},
      {"text, whole", {.hover_reply = text}, hover(long_text), text_answer(long_text)},
      {"text, limited",
       {.hover_chars = 4, .hover_reply = text},
       hover(long_text),
       text_answer(R"(xxx\u2026)")},
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

TEST_CASE("hover query: one that is no longer wanted cancels what no other query waits for") {
  Stage stage;
  stage.ask({0, 6});
  const auto other = stage.create({0, 7});
  other->start();
  stage.server.reply(hover("H"));
  stage.server.reply(hover("H"));
  CHECK(stage.out() == Strings{"documentSymbol"});
  stage.query.reset();
  CHECK(stage.server.cancelled.empty());
  stage.server.reply(tree);
  CHECK(stage.answers == Strings{answer("outer | 12 | 0:4-60 | 0:4-9 |  | H | <<<")});

  for (const bool hover_came : {false, true}) {
    Stage alone;
    alone.ask({0, 6});
    if (hover_came) alone.server.reply(hover("H"));
    alone.query.reset();
    CHECK(alone.server.cancelled == std::vector<lsp::RequestNumber>{hover_came ? 2U : 1U});
    alone.server.reply(hover_came ? tree : hover("late"));
    alone.server.delayed.run();
    CHECK(alone.answers.empty());
  }
}

TEST_CASE("hover query: it may be destroyed when it answers") {
  Stage stage;
  int answered = 0;
  const auto ask = [&] {
    stage.query = std::make_unique<HoverQuery>(
        stage.services(), stage.symbols,
        HoverQuestion{.uri = "file:///a", .position = {0, 6}, .params = "{}", .options = {}},
        [&](const Answer&) {
          stage.query.reset();
          ++answered;
        });
    stage.query->start();
  };
  ask();
  stage.server.reply("null");
  CHECK(answered == 1);
  ask();
  stage.server.reply(hover("H"));
  stage.server.reply("[]");  // from within the cache's reply
  CHECK(answered == 2);
  ask();
  stage.server.reply(hover("H"));
  stage.server.delayed.run();
  CHECK(answered == 3);
  stage.server.reply(tree);
  stage.server.delayed.run();
  CHECK(answered == 3);
}

}  // namespace
}  // namespace symbols::query
