#include "proxy/setup/settings_merge.h"

#include <doctest/doctest.h>

#include <utility>

namespace symbols::setup {
namespace {

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

constexpr std::string_view begin =
    "# >>> symbols (written by symbols setup; it replaces all up to the next mark)\n";

std::string marked(std::string_view text, std::string_view lines = "x = 1\n") {
  const Result<std::string> result = with_marked_block(text, "#", lines);
  return result ? *result : "error: " + result.error().message;
}

TEST_CASE("our lines are between marks, and are replaced there") {
  const std::string block = std::string(begin) + "x = 1\n# <<< symbols\n";
  CHECK(marked("") == block);
  CHECK(marked("a = 1\n") == "a = 1\n\n" + block);
  CHECK(marked("a = 1") == "a = 1\n\n" + block);
  CHECK(marked(block) == block);
  CHECK(marked("a\n" + block + "b\n", "y\n") == "a\n" + std::string(begin) + "y\n# <<< symbols\nb\n");
  CHECK(marked("a\n# >>> symbols\nold\n# <<< symbols") == "a\n" + block);
  // A file's own line ends.
  CHECK(marked("a\r\n").ends_with("x = 1\r\n# <<< symbols\r\n"));
  // Other words that begin like a mark are not one.
  CHECK(marked("# >>> symbolset\n").ends_with("\n\n" + block));
  for (const char* const users : {"a\r\n", "a\r", "\r", "a\rb\r", "a\nb\r", "a\nb\r\nc"}) {
    CAPTURE(users);
    const std::string once = marked(users);
    CHECK(once.starts_with(users));
    CHECK(marked(once) == once);
  }
}

TEST_CASE("marks that are not one pair are refused") {
  for (const char* const text : {"# >>> symbols\n", "a\n# <<< symbols\n", "# <<< symbols\n# >>> symbols\n",
                                 "# >>> symbols\n# >>> symbols\n# <<< symbols\n",
                                 "# >>> symbols\n# <<< symbols\n# >>> symbols\n# <<< symbols\n"}) {
    CAPTURE(text);
    CHECK(marked(text) == "error: its marks \"# >>> symbols\" and \"# <<< symbols\" are not one pair");
  }
}

TEST_CASE("a TOML table that the file has already is refused") {
  const std::string lines = "[servers.c]\nx = 1\n";
  const std::pair<std::string, bool> cases[] = {
      {"[servers.c]\n", true},
      {"a = 1\n\t[ servers.c.config ]\n", true},
      {"servers.c.x = 1\n", true},
      {"[servers]\nc = { x = 2 }\n", true},
      {"servers = { c = {} }\n", true},
      {"[servers.d]\n# [servers.c]\n", false},
      {"# >>> symbols\n[servers.c]\n# <<< symbols\n", false},
  };
  for (const auto& [text, is_refused] : cases) {
    CAPTURE(text);
    CHECK(marked(text, lines).starts_with("error: line ") == is_refused);
  }
}

}  // namespace
}  // namespace symbols::setup
