// One symbols.context: its argument, the requests, the answer, against a server whose replies the test gives
// itself.
#include "proxy/query/context_query.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "lsp/json/json.h"
#include "proxy/options/option_table.h"
#include "tests/proxy/query/query_stage.h"

namespace symbols::query {
namespace context_query_test {

using Methods = std::vector<std::string>;
using table::ContextLimits;

const std::string symbols_reply =
    R"([{"name":"C","kind":5,"range":{"start":{"line":0,"character":0},"end":{"line":2,"character":1}},"selectionRange":)" +
    range_json(0, 6, 7) + R"(,"children":[{"name":"f","kind":6,"range":)" + range_json(1, 2, 5) +
    R"(,"selectionRange":)" + range_json(1, 2, 3) + R"(}]},{"name":"f","kind":12,"range":)" +
    range_json(3, 0, 3) + R"(,"selectionRange":)" + range_json(3, 0, 1) + "}]";

const std::string rows_without_hovers =
    "NAME | KIND | RANGE | SELECTION | PARENT | HOVER_INFO | EOL\n"
    "C | 5 | 0:0-2:1 | 0:6-7 |  |  | <<<\n"
    "f | 6 | 1:2-5 | 1:2-3 | C |  | <<<";

struct Stage : QueryStage {
  std::unique_ptr<ContextQuery> query;

  Stage() {
    capabilities = {.hover = true, .references = true, .call_hierarchy = true, .diagnostics = true};
    know("class C {\n  f()\n}\nf()\n");
  }
  void start(ContextQuestion question) {
    question.uri = "file:///a";
    query = std::make_unique<ContextQuery>(services(), question, question.options.answer_timeout(),
                                           [this, question](const ContextOutcome& outcome) {
                                             done()(write_context_answer(outcome, question));
                                             query.reset();  // as the interceptor does
                                           });
  }
  // The answer to a question for the symbol alone.
  std::string answer_to(ContextQuestion question, const std::string& symbols = symbols_reply) {
    capabilities = {};
    question.limits.diagnostics = 0;
    start(question);
    reply("documentSymbol", symbols);
    return only_answer();
  }
  std::size_t at(std::string_view method) const {
    const Methods methods = out();
    return static_cast<std::size_t>(std::ranges::find(methods, method) - methods.begin());
  }
  void reply(std::string_view method, std::string_view result) { server.reply(result, at(method)); }
  void refuse(std::string_view method, int code) { server.refuse(code, at(method)); }
  std::string only_answer() const {
    REQUIRE(answers.size() == 1);
    return answers.front();
  }
};

const ContextQuestion of_c{.uri = {}, .name = "C"};

std::string result(const std::string& symbols, const std::string& meta = {}) {
  std::string json = R"({"success":true,"format":"table","symbols":)" + lsp::json_string(symbols);
  if (!meta.empty()) json += R"(,"meta":{)" + meta + '}';
  return json + '}';
}

TEST_CASE("context: the parts are requested at once, unless one depends on another") {
  Stage stage;
  stage.start(of_c);
  CHECK(stage.out() == Methods{"documentSymbol", "diagnostic"});
  stage.reply("documentSymbol", symbols_reply);
  CHECK(stage.out() == Methods{"diagnostic", "hover", "references", "prepareCallHierarchy", "hover"});
  CHECK(stage.server.sent[1].params ==
        R"({"textDocument":{"uri":"file:///a"},"position":{"line":0,"character":6}})");
  CHECK(
      stage.server.sent[2].params ==
      R"({"textDocument":{"uri":"file:///a"},"position":{"line":0,"character":6},"context":{"includeDeclaration":false}})");
  stage.reply("diagnostic", R"({"kind":"full","items":[{"range":)" + range_json(1, 2, 3) +
                                R"(,"message":"wrong","code":5,"source":"cc"}]})");
  stage.reply("hover", R"({"contents":{"language":"x","value":"class C"}})");
  stage.reply("references", R"([{"uri":"file:///b.x","range":)" + range_json(4, 5, 6) + "}]");
  stage.reply("prepareCallHierarchy", R"([{"name":"C","data":{"of":[1.0]}}])");
  CHECK(stage.server.sent[stage.at("incomingCalls")].params ==
        R"({"item":{"name":"C","data":{"of":[1.0]}}})");
  stage.reply("incomingCalls", R"([{"from":{"name":"g","kind":12,"uri":"file:///b.x","selectionRange":)" +
                                   range_json(3, 0, 1) + R"(},"fromRanges":[)" + range_json(4, 5, 6) + "]}]");
  CHECK(stage.answers.empty());
  stage.reply("hover", hover_json("f of C"));
  CHECK(stage.only_answer() == result("NAME | KIND | RANGE | SELECTION | PARENT | HOVER_INFO | EOL\n"
                                      "C | 5 | 0:0-2:1 | 0:6-7 |  | class C | <<<\n"
                                      "f | 6 | 1:2-5 | 1:2-3 | C | f of C | <<<\n"
                                      "# source 0:0-2:1\n0:class C {\n1:  f()\n2:}\n"
                                      "# references 1\n/b.x | 4:5-6\n"
                                      "# callers 1\ng | 12 | 3:0-1 | 4:5-6 | /b.x\n"
                                      "# diagnostics 1\n1:2-3 | error | wrong | cc 5"));
  CHECK(stage.server.cancelled.empty());
}

TEST_CASE("context: implementations, callees and the hierarchy of types, where they are asked for") {
  Stage stage;
  stage.capabilities = {.implementation = true, .call_hierarchy = true, .type_hierarchy = true};
  ContextQuestion question = of_c;
  question.options.include_hover = false;
  question.limits = {.source = 0,
                     .references = 0,
                     .callers = 0,
                     .diagnostics = 0,
                     .implementations = 1,
                     .callees = 5,
                     .supertypes = 5,
                     .subtypes = 5};
  stage.start(question);
  stage.reply("documentSymbol", symbols_reply);
  CHECK(stage.out() ==
        Methods{"implementation", "prepareCallHierarchy", "prepareTypeHierarchy", "prepareTypeHierarchy"});
  const std::string place = R"({"uri":"file:///b.x","range":)" + range_json(4, 5, 6) + '}';
  stage.reply("implementation", '[' + place + ',' + place + ']');
  stage.reply("prepareCallHierarchy", R"([{"name":"C"}])");
  const std::string item =
      R"({"name":"g","kind":12,"uri":"file:///b.x","selectionRange":)" + range_json(3, 0, 1) + '}';
  stage.reply("outgoingCalls", R"([{"to":)" + item + R"(,"fromRanges":[)" + range_json(1, 2, 3) + "]}]");
  stage.reply("prepareTypeHierarchy", "null");
  stage.reply("prepareTypeHierarchy", R"([{"name":"C","data":1}])");
  CHECK(stage.server.sent[stage.at("subtypes")].params == R"({"item":{"name":"C","data":1}})");
  stage.reply("subtypes", '[' + item + ']');
  CHECK(
      stage.only_answer() ==
      result(
          "NAME | KIND | RANGE | SELECTION | PARENT\nC | 5 | 0:0-2:1 | 0:6-7 | \nf | 6 | 1:2-5 | 1:2-3 | C\n"
          "# implementations 1 of 2\n/b.x | 4:5-6\n"
          "# callees 1\ng | 12 | 3:0-1 | 1:2-3 | /b.x\n"
          "# supertypes: the server has no type hierarchy for this symbol\n"
          "# subtypes 1\ng | 12 | 3:0-1 |  | /b.x",
          R"("_supertypes_error":"the server has no type hierarchy for this symbol")"));
}

TEST_CASE("context: each part may fail by itself, and is named") {
  Stage stage;
  stage.document = nullptr;
  stage.start(of_c);
  stage.refuse("diagnostic", -32603);
  stage.reply("documentSymbol", symbols_reply);
  stage.refuse("hover", -32603);
  stage.refuse("references", -32601);
  stage.reply("prepareCallHierarchy", "null");
  stage.refuse("hover", -32603);
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

TEST_CASE(
    "context: what a server does not offer is named and not requested, what it has published is there") {
  Stage stage;
  stage.capabilities = {};
  stage.start(of_c);
  CHECK(stage.out() == Methods{"documentSymbol"});
  stage.published.keep(
      published_json(R"({"range":)" + range_json(1, 2, 3) + R"(,"severity":2,"message":"m"})"));
  stage.reply("documentSymbol", symbols_reply);
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

TEST_CASE("context: which symbol it is about") {
  struct Case {
    ContextQuestion question;
    std::string row;    // of the answer, its beginning
    std::string error;  // or a part of it
    std::string last_line = "f()";
  };
  const Case cases[] = {
      {{.uri = {}, .position = lsp::Position{1, 2}}, "f | 6 | 1:2-5", ""},
      {{.uri = {}, .position = lsp::Position{1, 5}}, "f | 6 | 1:2-5", ""},
      {{.uri = {}, .position = lsp::Position{2, 0}}, "C | 5 | 0:0-2:1", ""},
      {{.uri = {}, .position = lsp::Position{9, 0}}, "", "no symbol at 9:0"},
      {{.uri = {}, .position = lsp::Position{3, 99}}, "f | 12 | 3:0-3", ""},  // the line's end
      {{.uri = {}, .position = lsp::Position{3, 9}}, "f | 12 | 3:0-3", "", "f()  // why"},
      {{.uri = {}, .position = lsp::Position{4, 0}}, "", "no symbol at 4:0", "f()\n\n"},
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
    stage.know("class C {\n  f()\n}\n" + c.last_line + '\n');
    const std::string answer = stage.answer_to(c.question);
    CHECK(answer.starts_with("error {\"code\":-32803") == c.row.empty());
    CHECK(answer.find(c.row.empty() ? c.error : "\\n" + c.row) != std::string::npos);
  }
}

TEST_CASE("context: symbols of one name are listed with positions that find them") {
  const auto symbol = [](const std::string& name, const std::string& selection, const std::string& whole,
                         const std::string& children = "") {
    return R"({"name":")" + name + R"(","kind":12,"range":)" + whole + R"(,"selectionRange":)" + selection +
           (children.empty() ? "" : ",\"children\":[" + children + "]") + '}';
  };
  const auto ask = [](const std::string& symbols) {
    return Stage().answer_to({.uri = {}, .name = "n"}, '[' + symbols + ']');
  };
  // What a macro opens has one position: no question could tell them apart.
  CHECK(ask(symbol("n", range_json(0, 0, 5), range_json(0, 0, 9),
                   symbol("n", range_json(0, 0, 5), range_json(0, 0, 8))))
            .find("\\nn | 12 | 0:0-8 |") != std::string::npos);
  // The start of this `n` is that of the deeper `m`, whose name is all that stands there.
  const std::string covered = symbol("n", range_json(0, 0, 5), range_json(0, 0, 9),
                                     symbol("m", range_json(0, 0, 2), range_json(0, 0, 2)));
  const std::string other = symbol("n", range_json(2, 0, 1), range_json(2, 0, 1));
  CHECK(ask(symbol("a", range_json(0, 6, 8), range_json(0, 0, 9), covered) + ',' +
            symbol("b", range_json(2, 3, 4), range_json(2, 0, 9), other))
            .find(R"(2 symbols are called \"n\", at 0:5, 2:0)") != std::string::npos);
  // Of overloads the longest is meant, and the others are told.
  const std::string overloads =
      ask(other + ',' +
          symbol("n", range_json(4, 0, 1),
                 R"({"start":{"line":4,"character":0},"end":{"line":6,"character":1}})"));
  CHECK(overloads.find("\\nn | 12 | 4:0-6:1 |") != std::string::npos);
  CHECK(overloads.find(R"("others":"1 more symbol is called \"n\", at 2:0 )") != std::string::npos);
}

TEST_CASE("context: without symbols there is none") {
  Stage refused;
  refused.start(of_c);
  refused.server.sent[0].handler(
      {.failed = true, .result = R"({"code":-32801,"message":"\u00e9 modified"})", .error = {}});
  CHECK(refused.only_answer() == R"(error {"code":-32801,"message":"\u00e9 modified"})");
  CHECK(refused.server.cancelled == std::vector<lsp::RequestNumber>{2});  // the diagnostics
  Stage odd;
  odd.start(of_c);
  odd.reply("documentSymbol", R"({"not":"a list"})");
  CHECK(odd.only_answer().starts_with("error "));
}

TEST_CASE("context: one that runs out of time says what has not arrived") {
  Stage stage;
  ContextQuestion question = of_c;
  question.options.timeout = std::chrono::milliseconds(250);
  question.limits.source = 0;
  stage.start(question);
  stage.reply("documentSymbol", symbols_reply);
  stage.reply("references", "[]");
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

TEST_CASE("context: how complete its references and callers are, before any are found") {
  struct Case {
    SearchScope scope;
    std::optional<Loading> loading;
    std::string word;
  };
  const SearchScope open{.open_files_only = true, .part_of_project = "/p/core"};
  const SearchScope part{.part_of_project = "/p/core"};
  const Case cases[] = {
      {{}, {}, "loaded files only"},
      {part, {}, "in core only"},
      {open, {}, "open files only"},
      {{.guessed_flags = true, .part_of_project = "/p/core"}, {}, "by guessed flags, in core only"},
      {open, Loading{.percentage = 82, .text = "indexing"}, "open files only"},
      {{}, Loading{.percentage = 82, .text = "indexing: 37/104"}, "index 82 %"},
      {{}, Loading{.percentage = 7, .text = "Fetching"}, "loading 7 %"},
      {{}, Loading{}, "still loading"},
      {part, Loading{.percentage = 0, .text = "Indexing"}, "index 0 %, in core only"},
      {{}, Loading{.text = "a | b\n# callers 7"}, "still loading: a \\| b\\n# callers 7"},
      {{.part_of_project = "/p/a|b"}, {}, "in a\\|b only"},
      {{.part_of_project = "/p"}, {}, "in this folder only"},
      {{.part_of_project = "/elsewhere/far"}, {}, "in /elsewhere/far only"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.word);
    CHECK(completeness(c.scope, c.loading, "/p") == c.word);
  }
  CHECK(completeness(part, {}, {}) == "in /p/core only");
}

std::string with(const std::string& members) {
  return R"({"textDocument":{"uri":"file:///a"},"name":"f")" + (members.empty() ? "" : "," + members) + '}';
}

TEST_CASE("context: the limits, of the request over those of the session") {
  const auto session = options::read_answer_options(R"({"include":"references:50,callers:0"})");
  REQUIRE(session.has_value());
  CHECK(read_context_question(with(R"("include":"callers:7")"), *session)->limits ==
        ContextLimits{.references = 50, .callers = 7});
  CHECK(read_context_question(with(""), *session)->limits == ContextLimits{.references = 50, .callers = 0});
}

TEST_CASE("context: its document, place and options") {
  const options::AnswerOptions session{.format = table::Format::json, .hover_chars = 7};
  const auto named = read_context_question(with(R"("return_children":"yes","timeout_ms":5)"), session);
  REQUIRE(named.has_value());
  CHECK(named->uri == "file:///a");
  CHECK(named->name == "f");
  CHECK(!named->position.has_value());
  CHECK(named->levels == table::Levels{table::Levels::Rule::all});
  CHECK(named->options.answer_timeout() == std::chrono::milliseconds(5));
  CHECK(named->options.hover_chars == 7);
  const auto placed = read_context_question(
      R"({"textDocument":{"uri":"file:///\u00e9"},"name":null,"position":{"line":3,"character":4}})",
      {.return_children = table::Levels{table::Levels::Rule::all}});
  REQUIRE(placed.has_value());
  CHECK(placed->uri == "file:///\xC3\xA9");
  CHECK(placed->position == lsp::Position{3, 4});
  CHECK(!placed->levels.has_value());
}

TEST_CASE("context: wrong arguments are named") {
  struct Case {
    std::string argument;
    const char* told;
  };
  const Case cases[] = {
      {R"({"name":"f"})", "no document"},
      {R"({"textDocument":{"uri":5},"name":"f"})", "no document"},
      {R"({"textDocument":{"uri":"file:///a"}})", "neither position nor name"},
      {with(R"("position":{"line":1,"character":1})"), "both position and name"},
      {R"({"textDocument":{"uri":"file:///a"},"position":{"line":-1,"character":1}})", "position"},
      {R"({"textDocument":{"uri":"file:///a"},"name":7})", "name"},
      {with(R"("include":7)"), "include"},
      {with(R"("include":"hovers:7")"), "\"hovers:7\""},
      {with(R"("include":"callers:10001")"), "10000"},
      {with(R"("format":"json")"), "format"},
      {with(R"("hover_chars":"x")"), "hover_chars"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.argument);
    const auto question = read_context_question(c.argument, {});
    REQUIRE(!question.has_value());
    CHECK(question.error().text().find(c.told) != std::string::npos);
  }
}

}  // namespace context_query_test
}  // namespace symbols::query
