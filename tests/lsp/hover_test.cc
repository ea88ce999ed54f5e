#include "lsp/hover.h"

#include <doctest/doctest.h>

using symbols::Result;
using namespace symbols::lsp;
using Form = HoverPart::Form;

TEST_CASE("every shape of hover that LSP knows decodes") {
  struct Case {
    const char* json;
    std::vector<HoverPart> parts;
  };
  const Case cases[] = {
      {"null", {}},
      {R"({"contents":{"kind":"markdown","value":"**a**"}})", {{Form::markdown, "**a**"}}},
      {R"({"contents":{"value":"a","kind":"plaintext"}})", {{Form::plaintext, "a"}}},
      {R"({"contents":{"kind":"future","value":"a"}})", {{Form::markdown, "a"}}},
      {R"({"contents":"bare"})", {{Form::markdown, "bare"}}},
      {R"({"contents":{"language":"ts","value":"let a"}})", {{Form::code, "let a"}}},
      {R"({"contents":[{"language":"css","value":"a{}"},"text",{"kind":"markdown","value":"x"}]})",
       {{Form::code, "a{}"}, {Form::markdown, "text"}, {Form::markdown, "x"}}},
      {R"({"contents":[]})", {}},
      {R"({"contents":""})", {}},
      {R"({"contents":null})", {}},
      {R"({})", {}},
      {R"({"contents":"cut \ud83d"})", {{Form::markdown, "cut \xEF\xBF\xBD"}}},
      {R"({"contents":"a"},"id":5})", {{Form::markdown, "a"}}},
  };
  for (const Case& c : cases) {
    CAPTURE(c.json);
    const Result<Hover> hover = decode_hover(c.json);
    REQUIRE(hover.has_value());
    CHECK((hover->parts == c.parts));
  }
}

TEST_CASE("a hover's range is kept, an odd one left out") {
  CHECK(decode_hover(
            R"({"contents":"a","range":{"start":{"line":1,"character":2},"end":{"line":1,"character":5}}})")
            ->range == Range{{1, 2}, {1, 5}});
  CHECK(!decode_hover(
             R"({"contents":"a","range":{"start":{"line":-1,"character":2},"end":{"line":1,"character":5}}})")
             ->range);
}

TEST_CASE("other shapes are errors") {
  for (const char* json : {"5", "[]", R"({"contents":5})", R"({"contents":[5]})",
                           R"({"contents":{"kind":"markdown"}})", R"({"contents":)", ""}) {
    CAPTURE(json);
    CHECK(decode_hover(json).has_error());
  }
}
