// The argument of symbols.context.
#include "proxy/query/context_question.h"

#include <doctest/doctest.h>

#include <string>

#include "proxy/options/option_table.h"

using namespace symbols;
using namespace symbols::query;

namespace {

std::string with(const std::string& members) {
  return R"({"textDocument":{"uri":"file:///a"},"name":"f")" + (members.empty() ? "" : "," + members) + '}';
}

}  // namespace

TEST_CASE("limits of a context") {
  using table::ContextLimits;
  struct Case {
    const char* include;
    ContextLimits limits;
  };
  const Case cases[] = {
      {R"("references:50,callers:0")", {.references = 50, .callers = 0}},
      {R"(["references:50","callers:0"])", {.references = 50, .callers = 0}},
      {R"([" source:7 , children:1","diagnostics:10000"])",
       {.children = 1, .source = 7, .diagnostics = 10'000}},
      {R"("references")", {}},
      {R"("")", {}},
      {"[]", {}},
      {"null", {}},
      {R"("callers:1,callers:2")", {.callers = 2}},
  };
  for (const Case& c : cases) {
    CAPTURE(c.include);
    const auto question = read_context_question(with(R"("include":)" + std::string(c.include)), {});
    REQUIRE(question.has_value());
    CHECK(question->limits == c.limits);
  }
}

TEST_CASE("the parts that a session includes hold for a context, and the request's own override them") {
  const Result<options::AnswerOptions> session =
      options::read_answer_options(R"({"include":"references:50,callers:0"})");
  REQUIRE(session.has_value());
  const auto question = read_context_question(with(R"("include":"callers:7")"), *session);
  REQUIRE(question.has_value());
  CHECK(question->limits == table::ContextLimits{.references = 50, .callers = 7});
  const auto plain = read_context_question(with(""), *session);
  REQUIRE(plain.has_value());
  CHECK(plain->limits == table::ContextLimits{.references = 50, .callers = 0});
}

TEST_CASE("a context's document, place and options") {
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

TEST_CASE("wrong arguments of a context are named") {
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
      {with(R"("include":"callers:-1")"), "include"},
      {with(R"("include":"callers:")"), "include"},
      {with(R"("include":"callers:10001")"), "10000"},
      {with(R"("include":[1])"), "include"},
      {with(R"("format":"json")"), "format"},
      {with(R"("hover_chars":"x")"), "hover_chars"},
      {with(R"("max_tokens":0)"), "max_tokens"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.argument);
    const auto question = read_context_question(c.argument, {});
    REQUIRE(!question.has_value());
    CHECK(question.error().text().find(c.told) != std::string::npos);
  }
}
