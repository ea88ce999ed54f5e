#include "proxy/setup/jsonc_text.h"

#include <doctest/doctest.h>

namespace symbols::setup {
namespace {

TEST_CASE("comments and trailing commas of settings become spaces") {
  struct Case {
    std::string text, plain;
  };
  const Case cases[] = {
      {R"({"a":1})", R"({"a":1})"},
      {"\xEF\xBB\xBF{}", "   {}"},
      {"// x\n{}", "    \n{}"},
      {"// x\r\n{}", "    \r\n{}"},
      {"{} // x", "{}     "},
      {"{/* a\n b */}", "{    \n     }"},
      {R"({"a":"// no /* comment */"})", R"({"a":"// no /* comment */"})"},
      {R"({"a":"\"// no"})", R"({"a":"\"// no"})"},
      {R"({"a":1,})", R"({"a":1 })"},
      {R"([1, /* , */ ])", R"([1          ])"},
      {"[1 // ,\n,]", "[1     \n ]"},
      {R"({"a":[1,],"b":2})", R"({"a":[1 ],"b":2})"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    const Result<std::string> plain = read_jsonc(c.text, JsonDialect::with_comments);
    REQUIRE(plain.has_value());
    CHECK(*plain == c.plain);
  }
}

TEST_CASE("an error of the syntax has its line and column") {
  struct Case {
    std::string text;
    JsonDialect dialect;
    std::string message;
  };
  const JsonDialect jsonc = JsonDialect::with_comments;
  const JsonDialect strict = JsonDialect::strict;
  const Case cases[] = {
      {"", jsonc, "1:1: The document is empty."},
      {"// only\n", jsonc, "2:1: The document is empty."},
      {"{\"a\": 1,,}", jsonc, "1:9: Missing a name for object member."},
      {"[,]", jsonc, "1:2: Invalid value."},
      {"{,}", jsonc, "1:2: Missing a name for object member."},
      {"{\n  \"a\" 1}", jsonc, "2:7: Missing a colon after a name of object member."},
      {"{\"a\": \"x}", jsonc, "1:10: Missing a closing quotation mark in string."},
      {"{} /* x", jsonc, "1:8: Unspecific syntax error."},
      {"{} {}", jsonc, "1:4: The document root must not be followed by other values."},
      {"{\n// x\n}", strict, "2:1: Missing a name for object member."},
      {"{\"a\":1,}", strict, "1:8: Missing a name for object member."},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    const Result<std::string> plain = read_jsonc(c.text, c.dialect);
    REQUIRE(!plain);
    CHECK(plain.error().message == c.message);
  }
}

}  // namespace
}  // namespace symbols::setup
