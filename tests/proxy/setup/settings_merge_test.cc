#include "proxy/setup/settings_merge.h"

#include <doctest/doctest.h>

#include <iterator>

#include "tests/dice.h"

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

// Random settings with odd white space, comments and commas.
class Settings {
 public:
  explicit Settings(std::uint32_t seed) : dice_(seed) {}

  std::string object(int depth) {
    std::string out = "{" + gap();
    const int members = static_cast<int>(dice_.below(4));
    for (int i = 0; i < members; ++i) {
      out += "\"k" + std::to_string(i) + "\"" + gap() + ":" + gap() + value(depth) + gap();
      if (i + 1 < members || dice_.below(3) == 0) out += "," + gap();
    }
    return out + "}";
  }

 private:
  std::string value(int depth) {
    switch (dice_.below(depth > 0 ? 5 : 3)) {
      case 0:
        return "-1.5e3";
      case 1:
        return R"("a \" // b /* , ] }")";
      case 2:
        return "null";
      case 3:
        return "[" + gap() + value(depth - 1) + gap() + (dice_.below(2) == 0 ? "," : "") + gap() + "]";
      default:
        return object(depth - 1);
    }
  }
  std::string gap() {
    constexpr std::string_view gaps[] = {"",          " ",    "\n", "\n    ", "\t", " // , } x\n",
                                         "/* { , */", "\r\n", "\r"};
    return std::string(gaps[dice_.below(std::size(gaps))]);
  }

  Dice dice_;
};

bool is_subsequence(std::string_view part, std::string_view whole) {
  std::size_t at = 0;
  for (const char c : whole) {
    if (at < part.size() && part[at] == c) ++at;
  }
  return at == part.size();
}

TEST_CASE("whatever the settings, what was there stays, and a second time nothing changes") {
  constexpr std::string_view shipped = "{\n  \"new\": {\n    \"x\": [1, 2]\n  }\n}";
  for (std::uint32_t seed = 0; seed < 3000; ++seed) {
    CAPTURE(seed);
    const std::string text = Settings(seed).object(3);
    CAPTURE(text);
    const std::string once = merged(text, shipped);
    CHECK(read_jsonc(once, JsonDialect::with_comments).has_value());
    CHECK(once.find("\"new\"") != std::string::npos);
    // Whitespace of an empty object may go.
    const std::size_t inside = text.find_first_not_of(" \t\r\n", 1);
    CHECK(is_subsequence("{" + text.substr(inside), once));
    CHECK(merged(once, shipped) == once);
  }
}

}  // namespace
}  // namespace symbols::setup
