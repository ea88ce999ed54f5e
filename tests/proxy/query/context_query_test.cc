// One symbols.context, against a server whose replies the test gives itself.
#include "proxy/query/context_query.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "lsp/json/json.h"
#include "tests/proxy/query/fake_server.h"

using namespace symbols;
using namespace symbols::query;

namespace {

const std::string uri = "file:///a.x";
const std::string text = "class C {\n  f()\n}\nf()\n";

std::string range(int line, int start, int end) {
  return R"({"start":{"line":)" + std::to_string(line) + R"(,"character":)" + std::to_string(start) +
         R"(},"end":{"line":)" + std::to_string(line) + R"(,"character":)" + std::to_string(end) + "}}";
}

const std::string symbols_reply =
    R"([{"name":"C","kind":5,"range":{"start":{"line":0,"character":0},"end":{"line":2,"character":1}},"selectionRange":)" +
    range(0, 6, 7) + R"(,"children":[{"name":"f","kind":6,"range":)" + range(1, 2, 5) +
    R"(,"selectionRange":)" + range(1, 2, 3) + R"(}]},{"name":"f","kind":12,"range":)" + range(3, 0, 3) +
    R"(,"selectionRange":)" + range(3, 0, 1) + "}]";

const std::string rows_without_hovers =
    "NAME | KIND | RANGE | SELECTION | PARENT | HOVER_INFO | EOL\n"
    "C | 5 | 0:0-2:1 | 0:6-7 |  |  | <<<\n"
    "f | 6 | 1:2-5 | 1:2-3 | C |  | <<<";

struct Stage {
  FakeServer server;
  HoverScheduler pool{server, server.delayed, {}};
  lsp::ServerCapabilities capabilities{
      .hover = true, .references = true, .call_hierarchy = true, .diagnostics = true};
  lsp::RecentDiagnostics published;
  std::shared_ptr<const std::string> known_text = std::make_shared<const std::string>(text);
  std::vector<Answer> answers;
  std::unique_ptr<ContextQuery> query;

  void start(ContextQuestion question) {
    question.uri = uri;
    QueryServices services{.server = server,
                           .hovers = pool,
                           .timers = server.delayed,
                           .text = [this](std::string_view) { return known_text; },
                           .warn = [](const std::string&) {},
                           .count = {},
                           .capabilities = capabilities,
                           .published = &published};
    const auto limit = question.options.answer_timeout();
    query = std::make_unique<ContextQuery>(services, question, limit,
                                           [this, question](const ContextOutcome& outcome) {
                                             answers.push_back(write_context_answer(outcome, question));
                                             query.reset();  // as the interceptor does
                                           });
    query->start();
  }
  std::vector<std::string> out() const {
    std::vector<std::string> methods;
    for (const auto& sent : server.sent) methods.push_back(sent.method);
    return methods;
  }
  std::size_t at(std::string_view method) const {
    std::size_t i = 0;
    while (server.sent.at(i).method != method) ++i;
    return i;
  }
  void reply(std::string_view method, std::string_view result) { server.reply(result, at(method)); }
  void refuse(std::string_view method, int code) { server.refuse(code, at(method)); }
  std::string only_answer() const {
    REQUIRE(answers.size() == 1);
    return answers.front().json;
  }
};

const ContextQuestion of_c{.uri = {}, .name = "C"};
using Methods = std::vector<std::string>;

std::string result(const std::string& symbols, const std::string& meta = {}) {
  std::string json = R"({"success":true,"format":"table","symbols":)" + lsp::json_string(symbols);
  if (!meta.empty()) json += R"(,"meta":{)" + meta + '}';
  return json + '}';
}

}  // namespace

TEST_CASE("the parts of a context are requested at once, unless one depends on another") {
  Stage stage;
  stage.start(of_c);
  CHECK(stage.out() == Methods{"textDocument/documentSymbol", "textDocument/diagnostic"});
  stage.reply("textDocument/documentSymbol", symbols_reply);
  CHECK(stage.out() == Methods{"textDocument/diagnostic", "textDocument/hover", "textDocument/references",
                               "textDocument/prepareCallHierarchy", "textDocument/hover"});
  CHECK(stage.server.sent[1].params ==
        R"({"textDocument":{"uri":"file:///a.x"},"position":{"line":0,"character":6}})");
  CHECK(
      stage.server.sent[2].params ==
      R"({"textDocument":{"uri":"file:///a.x"},"position":{"line":0,"character":6},"context":{"includeDeclaration":false}})");
  stage.reply("textDocument/diagnostic", R"({"kind":"full","items":[{"range":)" + range(1, 2, 3) +
                                             R"(,"message":"wrong","code":5,"source":"cc"}]})");
  stage.reply("textDocument/hover", R"({"contents":{"language":"x","value":"class C"}})");
  stage.reply("textDocument/references", R"([{"uri":"file:///b.x","range":)" + range(4, 5, 6) + "}]");
  stage.reply("textDocument/prepareCallHierarchy", R"([{"name":"C","data":{"of":[1.0]}}])");
  CHECK(stage.server.sent[stage.at("callHierarchy/incomingCalls")].params ==
        R"({"item":{"name":"C","data":{"of":[1.0]}}})");
  stage.reply("callHierarchy/incomingCalls",
              R"([{"from":{"name":"g","kind":12,"uri":"file:///b.x","selectionRange":)" + range(3, 0, 1) +
                  R"(},"fromRanges":[)" + range(4, 5, 6) + "]}]");
  CHECK(stage.answers.empty());
  stage.reply("textDocument/hover", R"({"contents":"f of C"})");
  CHECK(stage.only_answer() == result("NAME | KIND | RANGE | SELECTION | PARENT | HOVER_INFO | EOL\n"
                                      "C | 5 | 0:0-2:1 | 0:6-7 |  | class C | <<<\n"
                                      "f | 6 | 1:2-5 | 1:2-3 | C | f of C | <<<\n"
                                      "# source 0:0-2:1\n0:class C {\n1:  f()\n2:}\n"
                                      "# references 1\n/b.x | 4:5-6\n"
                                      "# callers 1\ng | 12 | 3:0-1 | 4:5-6 | /b.x\n"
                                      "# diagnostics 1\n1:2-3 | error | wrong | cc 5"));
  CHECK(stage.server.cancelled.empty());
}

TEST_CASE("each part of a context may fail by itself, and is named") {
  Stage stage;
  stage.known_text = nullptr;
  stage.start(of_c);
  stage.refuse("textDocument/diagnostic", -32603);
  stage.reply("textDocument/documentSymbol", symbols_reply);
  stage.refuse("textDocument/hover", -32603);
  stage.refuse("textDocument/references", -32601);
  stage.reply("textDocument/prepareCallHierarchy", "null");
  stage.refuse("textDocument/hover", -32603);
  CHECK(
      stage.only_answer() ==
      result(
          rows_without_hovers +
              "\n# hover: no (error -32603)\n# source: the text of this document is not known\n"
              "# references: not offered by the server\n"
              "# callers: the server has no call hierarchy for this symbol\n"
              "# diagnostics: no (error -32603)",
          R"j("hovers_missing":1,"_hover_error":"no (error -32603)","_source_error":"the text of this document is not known",)j"
          R"("_references_error":"not offered by the server",)"
          R"("_callers_error":"the server has no call hierarchy for this symbol",)"
          R"j("_diagnostics_error":"no (error -32603)")j"));
}

TEST_CASE("what a server does not offer is named and not requested, and what it has published is there") {
  Stage stage;
  stage.capabilities = {};
  stage.start(of_c);
  CHECK(stage.out() == Methods{"textDocument/documentSymbol"});
  stage.published.keep(R"({"method":"textDocument/publishDiagnostics","params":{"uri":")" + uri +
                       R"(","diagnostics":[{"range":)" + range(1, 2, 3) +
                       R"(,"severity":2,"message":"m"}]}})");
  stage.reply("textDocument/documentSymbol", symbols_reply);
  CHECK(stage.out().empty());
  CHECK(
      stage.only_answer() ==
      result(
          "NAME | KIND | RANGE | SELECTION | PARENT\nC | 5 | 0:0-2:1 | 0:6-7 | \nf | 6 | 1:2-5 | 1:2-3 | C\n"
          "# hover: not offered by the server\n# source 0:0-2:1\n0:class C {\n1:  f()\n2:}\n"
          "# references: not offered by the server\n# callers: not offered by the server\n"
          "# diagnostics 1\n1:2-3 | warning | m",
          R"("_hover_error":"not offered by the server","_references_error":"not offered by the server",)"
          R"("_callers_error":"not offered by the server")"));
}

TEST_CASE("parts with a limit of 0 are not requested") {
  Stage stage;
  ContextQuestion question = of_c;
  question.options.include_hover = false;
  question.limits = {.children = 0, .source = 0, .references = 0, .callers = 0, .diagnostics = 0};
  stage.start(question);
  stage.reply("textDocument/documentSymbol", symbols_reply);
  CHECK(stage.out().empty());
  CHECK(stage.only_answer() ==
        result("NAME | KIND | RANGE | SELECTION | PARENT\nC | 5 | 0:0-2:1 | 0:6-7 | "));
}

TEST_CASE("which symbol a context is about") {
  struct Case {
    ContextQuestion question;
    std::string row;    // of the answer, its beginning
    std::string error;  // or a part of it
  };
  const Case cases[] = {
      {{.uri = {}, .position = lsp::Position{1, 2}}, "f | 6 | 1:2-5", ""},
      {{.uri = {}, .position = lsp::Position{1, 5}}, "f | 6 | 1:2-5", ""},
      {{.uri = {}, .position = lsp::Position{2, 0}}, "C | 5 | 0:0-2:1", ""},
      {{.uri = {}, .position = lsp::Position{9, 0}}, "", "no symbol at 9:0"},
      {{.uri = {}, .line = 1}, "f | 6 | 1:2-5", ""},
      {{.uri = {}, .line = 2}, "C | 5 | 0:0-2:1", ""},  // nothing is named there
      {{.uri = {}, .line = 9}, "", "no symbol at 9:0"},
      {{.uri = {}, .name = "C"}, "C | 5 | 0:0-2:1", ""},
      {{.uri = {}, .name = "f"}, "f | 12 | 3:0-3", ""},  // the outermost
      {{.uri = {}, .name = "C.f"}, "f | 6 | 1:2-5", ""},
      {{.uri = {}, .name = "C::f"}, "f | 6 | 1:2-5", ""},
      {{.uri = {}, .name = "D::f"}, "", R"(there is no symbol called \"D::f\")"},
      {{.uri = {}, .name = "g\n"}, "", R"(no symbol called \"g\\n\")"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.row + c.error);
    Stage stage;
    stage.capabilities = {};
    ContextQuestion question = c.question;
    question.limits.diagnostics = 0;
    stage.start(question);
    stage.reply("textDocument/documentSymbol", symbols_reply);
    const std::string answer = stage.only_answer();
    CHECK(stage.answers.front().failed == c.row.empty());
    if (c.row.empty()) {
      CHECK(answer.find("\"code\":-32803") != std::string::npos);
      CHECK(answer.find(c.error) != std::string::npos);
    } else {
      CHECK(answer.find("\\n" + c.row) != std::string::npos);
    }
  }
}

TEST_CASE("a position past the end of a line, and one outside of any symbol") {
  struct Case {
    std::string last_line;
    lsp::Position position;
    std::string row;  // empty: none
  };
  const Case cases[] = {
      {"f()", {3, 99}, "f | 12 | 3:0-3"},  // the line's end, which is the symbol's
      {"f()  // why", {3, 9}, "f | 12 | 3:0-3"},
      {"f()  // why", {3, 99}, "f | 12 | 3:0-3"},
      {"f()\n\n", {4, 0}, ""},
  };
  for (const Case& c : cases) {
    CAPTURE(c.last_line);
    Stage stage;
    stage.known_text = std::make_shared<const std::string>("class C {\n  f()\n}\n" + c.last_line + '\n');
    stage.capabilities = {};
    ContextQuestion question{.uri = {}, .position = c.position};
    question.limits.diagnostics = 0;
    stage.start(question);
    stage.reply("textDocument/documentSymbol", symbols_reply);
    CHECK(stage.answers.front().failed == c.row.empty());
    CHECK(stage.only_answer().find(c.row.empty() ? "no symbol at 4:0" : "\\n" + c.row) != std::string::npos);
  }
}

TEST_CASE("symbols of one name are listed with positions that find them") {
  const auto symbol = [](const std::string& name, const std::string& selection, const std::string& whole,
                         const std::string& children = "") {
    return R"({"name":")" + name + R"(","kind":12,"range":)" + whole + R"(,"selectionRange":)" + selection +
           (children.empty() ? "" : ",\"children\":[" + children + "]") + '}';
  };
  const auto ask = [](const std::string& name, const std::string& symbols) {
    Stage stage;
    stage.capabilities = {};
    ContextQuestion question{.uri = {}, .name = name};
    question.limits.diagnostics = 0;
    stage.start(question);
    stage.reply("textDocument/documentSymbol", '[' + symbols + ']');
    return stage.only_answer();
  };
  // What a macro opens has one position: no question could tell them apart.
  const std::string twice =
      symbol("n", range(0, 0, 5), range(0, 0, 9), symbol("n", range(0, 0, 5), range(0, 0, 8)));
  CHECK(ask("n", twice).find("\\nn | 12 | 0:0-8 |") != std::string::npos);
  // The start of this `n` is that of the deeper `m`, whose name is all that stands there.
  const std::string covered =
      symbol("n", range(0, 0, 5), range(0, 0, 9), symbol("m", range(0, 0, 2), range(0, 0, 2)));
  const std::string other = symbol("n", range(2, 0, 1), range(2, 0, 1));
  CHECK(ask("n", symbol("a", range(0, 6, 8), range(0, 0, 9), covered) + ',' +
                     symbol("b", range(2, 3, 4), range(2, 0, 9), other))
            .find(R"(2 symbols are called \"n\", at 0:5, 2:0)") != std::string::npos);
  // Of overloads the longest is meant, and the others are told.
  const std::string longer =
      symbol("n", range(4, 0, 1), R"({"start":{"line":4,"character":0},"end":{"line":6,"character":1}})");
  const std::string overloads = ask("n", other + ',' + longer);
  CHECK(overloads.find("\\nn | 12 | 4:0-6:1 |") != std::string::npos);
  CHECK(overloads.find(R"("others":"1 more symbol is called \"n\", at 2:0 )") != std::string::npos);
}

TEST_CASE("without symbols there is no context") {
  Stage refused;
  refused.start(of_c);
  refused.server.sent[0].handler(
      {.failed = true, .result = R"({"code":-32801,"message":"\u00e9 modified"})", .error = {}});
  CHECK(refused.answers.front().failed);
  CHECK(refused.only_answer() == R"({"code":-32801,"message":"\u00e9 modified"})");
  CHECK(refused.server.cancelled == std::vector<lsp::RequestNumber>{2});  // the diagnostics

  Stage odd;
  odd.start(of_c);
  odd.reply("textDocument/documentSymbol", R"({"not":"a list"})");
  CHECK(odd.answers.front().failed);
}

TEST_CASE("a context that is no longer wanted cancels all its requests") {
  for (const bool symbols_known : {false, true}) {
    Stage stage;
    stage.start(of_c);
    if (symbols_known) stage.reply("textDocument/documentSymbol", symbols_reply);
    std::vector<lsp::RequestNumber> numbers;
    for (const auto& sent : stage.server.sent) numbers.push_back(sent.number);
    stage.query.reset();
    std::ranges::sort(stage.server.cancelled);
    CHECK(stage.server.cancelled == numbers);
    // Late replies are swallowed.
    while (!stage.server.sent.empty()) stage.server.reply("null");
    stage.server.delayed.run();
    CHECK(stage.answers.empty());
  }
}

TEST_CASE("a context that runs out of time says what has not arrived") {
  Stage stage;
  ContextQuestion question = of_c;
  question.options.timeout = std::chrono::milliseconds(250);
  question.limits.source = 0;
  stage.start(question);
  stage.reply("textDocument/documentSymbol", symbols_reply);
  stage.reply("textDocument/references", "[]");
  CHECK(stage.server.delayed.delays().at(0) == std::chrono::milliseconds(250));
  stage.server.delayed.run();
  CHECK(stage.only_answer() ==
        result(rows_without_hovers +
                   "\n# hover: not answered within 250 ms\n# references 0\n"
                   "# callers: not answered within 250 ms\n# diagnostics: not answered within 250 ms",
               R"("hovers_missing":1,"_hover_error":"not answered within 250 ms",)"
               R"("_callers_error":"not answered within 250 ms",)"
               R"("_diagnostics_error":"not answered within 250 ms")"));
  CHECK(stage.server.cancelled.size() == 4);
}
