#include <doctest/doctest.h>

#include <utility>

#include "proxy/setup/setup_plan.h"

namespace symbols::setup {
namespace settings_merge_test {

std::string merged(std::string_view users, std::string_view shipped) {
  const Result<std::string> result = merged_settings(users, JsonDialect::with_comments, shipped);
  return result ? *result : "error: " + result.error().text();
}

struct Case {
  std::string users, shipped, result;
};

void check(const Case& c) {
  CAPTURE(c.users);
  CHECK(merged(c.users, c.shipped) == c.result);
  if (!c.result.starts_with("error")) CHECK(merged(c.result, c.shipped) == c.result);
}

TEST_CASE("a missing member comes first, in the file's layout") {
  const std::string shipped = "{\n  \"x\": {\n    \"on\": [1, 2]\n  }\n}\n";
  const Case cases[] = {
      {"", shipped, shipped},
      {" \n", shipped, shipped},
      {"{}", shipped, "{\n  \"x\": {\n    \"on\": [1, 2]\n  }\n}"},
      {"{ \n}\n", shipped, "{\n  \"x\": {\n    \"on\": [1, 2]\n  }\n}\n"},
      {"{\n\t\"a\": 1\n}\n", shipped, "{\n\t\"x\": {\n\t\t\"on\": [1, 2]\n\t},\n\t\"a\": 1\n}\n"},
      {"{\r\n    \"a\": 1\r\n}", shipped,
       "{\r\n    \"x\": {\r\n        \"on\": [1, 2]\r\n    },\r\n    \"a\": 1\r\n}"},
      {R"({"a":1})", shipped, "{\n  \"x\": {\n    \"on\": [1, 2]\n  },\n  \"a\":1}"},
      {"{ // mine\n  // first\n  \"a\": 1,\n}", shipped,
       "{\n  \"x\": {\n    \"on\": [1, 2]\n  }, // mine\n  // first\n  \"a\": 1,\n}"},
      {"{ // nothing yet\n}", shipped, "{\n  \"x\": {\n    \"on\": [1, 2]\n  }\n // nothing yet\n}"},
      // A comment's spaces are not an indentation.
      {"{\n/*\n   three\n*/\n\t\"a\": 1\n}", shipped,
       "{\n\t\"x\": {\n\t\t\"on\": [1, 2]\n\t},\n/*\n   three\n*/\n\t\"a\": 1\n}"},
      {"{\n  \"x\": {\n    \"y\": 1\n  }\n}", shipped,
       "{\n  \"x\": {\n    \"on\": [1, 2],\n    \"y\": 1\n  }\n}"},
      {"{}", R"({"a": 1, "b": 2})", "{\n  \"a\": 1,\n  \"b\": 2\n}"},
  };
  for (const Case& c : cases) check(c);
}

TEST_CASE("an existing member is replaced in its place, or merged") {
  const Case cases[] = {
      {"{\n  \"x\": 1, // mine\n  \"a\": 2\n}", R"({"x": [3]})", "{\n  \"x\": [3], // mine\n  \"a\": 2\n}"},
      {R"({"\u0078":1})", R"({"x": 3})", R"({"\u0078":3})"},
      // Whitespace and comments are not a difference.
      {"{\"x\": [1, // one\n 2]}", R"({"x": [1,2]})", "{\"x\": [1, // one\n 2]}"},
      {R"({"x":{"env":{"A":"1"},"command":["old"]}})", R"({"x": {"command": ["new"]}})",
       R"({"x":{"env":{"A":"1"},"command":["new"]}})"},
      {R"({"$schema": "mine", "updateBehavior": "on"})", R"({"$schema": "ours", "updateBehavior": "off"})",
       R"({"$schema": "mine", "updateBehavior": "on"})"},
      {"[]", R"({"x": 1})", "error: 1:1: the file is not an object; change it by hand"},
      {"{\n \"l\": {\"x\": false}}", R"({"l": {"x": {}}})",
       "error: 2:13: l.x is not an object; change it by hand"},
      {"{\"x\": 1,\n \"x\": 2}", R"({"x": 1})",
       "error: 2:2: there is a second member \"x\", the first one is at 1:2; remove one of them"},
      {"{\"x\": }", R"({"x": 1})", "error: 1:7: Invalid value."},
  };
  for (const Case& c : cases) check(c);
}

TEST_CASE("an element is identified by the first member of ours") {
  const std::string shipped = R"({"list": [{"ext": ["c", "h"], "command": ["/new/symbols", "proxy"]}]})";
  const Case cases[] = {
      {R"({"list": [{"on": 1, "command": [], "ext": [ "c","h" ]}, {"ext": ["ts"]}, 7]})", shipped,
       R"({"list": [{"on": 1, "command": ["/new/symbols", "proxy"], "ext": [ "c","h" ]}, {"ext": ["ts"]}, 7]})"},
      {"{\n  \"list\": [\n    {\"ext\": [\"py\"]}\n  ]\n}", shipped,
       "{\n  \"list\": [\n    {\"ext\": [\"c\", \"h\"], \"command\": [\"/new/symbols\", \"proxy\"]},\n"
       "    {\"ext\": [\"py\"]}\n  ]\n}"},
      // An older version of ours, for other files.
      {R"({"list": [{"on": 1, "ext": ["c"], "command": ["/old/symbols"]}]})", shipped,
       R"({"list": [{"on": 1, "ext": ["c", "h"], "command": ["/new/symbols", "proxy"]}]})"},
      {R"({"list": [{"ext": ["c", "ts"], "command": ["symbols"]}]})",
       R"({"list": [{"ext": ["c"], "command": ["symbols"]}, {"ext": ["ts"], "command": ["symbols"]}]})",
       "{\"list\": [\n  {\"ext\": [\"ts\"], \"command\": [\"symbols\"]},\n"
       "  {\"ext\": [\"c\"], \"command\": [\"symbols\"]}]}"},
      {R"({"list": [{"id": "a", "x": 1}]})", R"({"list": [{"id": "a", "x": 2}]})",
       R"({"list": [{"id": "a", "x": 2}]})"},
      {R"({"list": [{"ext": ["c"], "command": ["/bin/clangd"]}]})", shipped,
       "error: 1:11: an element of list already handles \"c\"; remove it, or remove \"c\" from its ext"},
      {R"({"list": [{"ext": ["c"], "command": ["symbols"]}, {"ext": ["h"], "command": ["symbols"]}]})",
       shipped,
       "error: 1:51: an element of list already handles \"h\"; remove it, or remove \"h\" from its ext"},
      {R"({"list": 1})", shipped, "error: 1:10: list is not an array; change it by hand"},
  };
  for (const Case& c : cases) check(c);
}

TEST_CASE("comments and trailing commas of settings become spaces") {
  const std::pair<std::string, std::string> cases[] = {
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
  for (const auto& [text, plain] : cases) {
    CAPTURE(text);
    const Result<std::string> read = read_jsonc(text, JsonDialect::with_comments);
    REQUIRE(read.has_value());
    CHECK(*read == plain);
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

}  // namespace settings_merge_test
}  // namespace symbols::setup
