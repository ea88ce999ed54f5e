#include "proxy/setup/settings_edit.h"

#include <doctest/doctest.h>

#include <vector>

#include "tests/dice.h"

namespace symbols::setup {
namespace {

using Path = std::vector<std::string_view>;

// As it stands in a shipped file, four blanks from the margin.
constexpr SettingValue server{"{\n      \"command\": [\"a\", \"b\"],\n      \"on\": true\n    }", 4};

std::string edited(std::string_view text, const Path& path, SettingValue value = server) {
  const Result<std::string> result = with_setting(text, JsonDialect::with_comments, path, value);
  return result ? *result : "error: " + result.error().text();
}

TEST_CASE("a member is added in the way the file is laid out") {
  struct Case {
    std::string text;
    Path path;
    std::string result;
  };
  const Case cases[] = {
      {"{}", {"x"}, "{\n  \"x\": {\n    \"command\": [\"a\", \"b\"],\n    \"on\": true\n  }\n}"},
      {"{ }\n", {"x"}, "{\n  \"x\": {\n    \"command\": [\"a\", \"b\"],\n    \"on\": true\n  }\n}\n"},
      {"{\n}\n", {"x"}, "{\n  \"x\": {\n    \"command\": [\"a\", \"b\"],\n    \"on\": true\n  }\n}\n"},
      {"{\n\t\"a\": 1\n}\n",
       {"x"},
       "{\n\t\"a\": 1,\n\t\"x\": {\n\t\t\"command\": [\"a\", \"b\"],\n\t\t\"on\": true\n\t}\n}\n"},
      {"{\r\n    \"a\": 1\r\n}",
       {"x"},
       "{\r\n    \"a\": 1,\r\n    \"x\": {\r\n        \"command\": [\"a\", \"b\"],\r\n        \"on\": "
       "true\r\n    "
       "}\r\n}"},
      {"{\"a\":1}", {"x"}, "{\"a\":1, \"x\": {\"command\": [\"a\", \"b\"], \"on\": true}}"},
      {"{\"a\":1 ,}", {"x"}, "{\"a\":1 , \"x\": {\"command\": [\"a\", \"b\"], \"on\": true},}"},
      // A comment's blanks are no indentation.
      {"{\n/*\n   three\n*/\n\t\"a\": 1\n}",
       {"x"},
       "{\n/*\n   three\n*/\n\t\"a\": 1,\n\t\"x\": {\n\t\t\"command\": [\"a\", \"b\"],\n\t\t\"on\": "
       "true\n\t}\n}"},
      {"{\r\t\"a\": 1 // one\r}",
       {"x"},
       "{\r\t\"a\": 1, // one\r\t\"x\": {\r\t\t\"command\": [\"a\", \"b\"],\r\t\t\"on\": true\r\t}\r}"},
      // Comments stay with what they are about.
      {"{\n  \"a\": 1 // one\n}",
       {"x"},
       "{\n  \"a\": 1, // one\n  \"x\": {\n    \"command\": [\"a\", \"b\"],\n    \"on\": true\n  }\n}"},
      {"{\n  \"a\": 1, // one\n  // \"b\": 2,\n}",
       {"x"},
       "{\n  \"a\": 1, // one\n  // \"b\": 2,\n  \"x\": {\n    \"command\": [\"a\", \"b\"],\n    \"on\": "
       "true\n  "
       "},\n}"},
      {"{ // nothing yet\n}",
       {"x"},
       "{ // nothing yet\n  \"x\": {\n    \"command\": [\"a\", \"b\"],\n    \"on\": true\n  }\n}"},
      // On the way to it.
      {"{\n  \"l\": {}\n}",
       {"l", "x"},
       "{\n  \"l\": {\n    \"x\": {\n      \"command\": [\"a\", \"b\"],\n      \"on\": true\n    }\n  }\n}"},
      {"{\n  \"l\": {\n    \"y\": 1\n  }\n}",
       {"l", "x"},
       "{\n  \"l\": {\n    \"y\": 1,\n    \"x\": {\n      \"command\": [\"a\", \"b\"],\n      \"on\": true\n "
       "   }\n  "
       "}\n}"},
      {"{\"l\": {\"y\": 1}}",
       {"l", "x"},
       "{\"l\": {\"y\": 1, \"x\": {\"command\": [\"a\", \"b\"], \"on\": true}}}"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    CHECK(edited(c.text, c.path) == c.result);
    CHECK(edited(c.result, c.path) == c.result);
  }
}

TEST_CASE("a member that is there is replaced where it stands") {
  CHECK(edited("{\n  \"x\": 1, // mine\n  \"a\": 2\n}", {"x"}, {"[3]"}) ==
        "{\n  \"x\": [3], // mine\n  \"a\": 2\n}");
  CHECK(edited(R"({"x":{"y":1},"a":2})", {"x", "y"}, {"3"}) == R"({"x":{"y":3},"a":2})");
  CHECK(edited(R"({"\u0078":1})", {"x"}, {"3"}) == R"({"\u0078":3})");
  // Blanks and comments in it are the person's.
  const std::string same = "{\"x\": [1, // one\n 2]}";
  const Result<std::string> unchanged = with_setting(same, JsonDialect::with_comments, Path{"x"}, {"[1, 2]"});
  REQUIRE(unchanged.has_value());
  CHECK(*unchanged == same);
  const Result<std::string> kept =
      with_setting("{\"x\": 1}", JsonDialect::strict, Path{"x"}, {"2"}, WhenThere::keep);
  REQUIRE(kept.has_value());
  CHECK(*kept == "{\"x\": 1}");
}

TEST_CASE("a file of another shape is refused") {
  CHECK(edited("[]", {"x"}) == "error: 1:1: the file is not an object; change it by hand");
  CHECK(edited("{\n \"l\": false}", {"l", "x"}) == "error: 2:7: l is not an object; change it by hand");
  CHECK(edited("{\"x\": 1,\n \"x\": 2}", {"x"}) ==
        "error: 2:2: there is a second member \"x\", the first one is at 1:2; remove one of them");
  CHECK(edited("{\"x\": }", {"x"}) == "error: 1:7: Invalid value.");
}

TEST_CASE("an element is told from others by a member of it") {
  const auto with = [](std::string_view text, SettingValue value) {
    const Result<std::string> result =
        with_element(text, JsonDialect::with_comments, Path{"servers"}, "ext", value);
    return result ? *result : "error: " + result.error().text();
  };
  constexpr SettingValue c{R"({"ext": ["c", "h"], "cmd": 1})"};
  struct Case {
    std::string text, result;
  };
  const Case cases[] = {
      {"{}", "{\n  \"servers\": [\n    {\"ext\": [\"c\", \"h\"], \"cmd\": 1}\n  ]\n}"},
      {"{\n  \"servers\": [\n    {\"ext\": [\"py\"]}\n  ]\n}",
       "{\n  \"servers\": [\n    {\"ext\": [\"py\"]},\n    {\"ext\": [\"c\", \"h\"], \"cmd\": 1}\n  ]\n}"},
      {R"({"servers": [{"ext": [ "c","h" ], "cmd": 2}, 7]})",
       R"({"servers": [{"ext": [ "c","h" ], "cmd": 1}, 7]})"},
      {R"({"servers": [{"mine": 3, "cmd": 2, "ext": ["c", "h"]}]})",
       R"({"servers": [{"mine": 3, "cmd": 1, "ext": ["c", "h"]}]})"},
      {R"({"servers": [{"ext": ["cc", "h"]}]})",
       "error: 1:14: an element of servers already handles \"h\"; remove it, or remove \"h\" from its ext"},
      {R"({"servers": 1})", "error: 1:13: servers is not an array; change it by hand"},
  };
  for (const Case& test : cases) {
    CAPTURE(test.text);
    CHECK(with(test.text, c) == test.result);
  }
  // What an older version of us wrote, for other files.
  constexpr SettingValue newer{R"({"ext": ["c", "h"], "command": ["/new/symbols", "proxy"]})"};
  CHECK(with(R"({"servers": [{"mine": 1, "ext": ["c"], "command": ["/old/symbols"]}]})", newer) ==
        R"({"servers": [{"mine": 1, "ext": ["c", "h"], "command": ["/new/symbols", "proxy"]}]})");
  CHECK(
      with(
          R"({"servers": [{"ext": ["c"], "command": ["/old/symbols"]}, {"ext": ["h"], "command": ["symbols"]}]})",
          newer)
          .starts_with("error: 1:59: an element of servers already handles \"h\""));
  CHECK(with(R"({"servers": [{"ext": ["c"], "command": ["/bin/clangd"]}]})", newer)
            .starts_with("error: 1:14: an element of servers already handles \"c\""));
  CHECK(with(cases[0].result, c) == cases[0].result);
  CHECK(with(cases[1].result, c) == cases[1].result);
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
    constexpr std::string_view gaps[] = {"",          " ",    "\n", "\n    ",     "\t", " // , } x\n",
                                         "/* { , */", "\r\n", "\r", " // , } x\r"};
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
  for (std::uint32_t seed = 0; seed < 3000; ++seed) {
    CAPTURE(seed);
    const std::string text = Settings(seed).object(3);
    CAPTURE(text);
    const Result<std::string> once = with_setting(text, JsonDialect::with_comments, Path{"new", "x"}, server);
    CAPTURE((once ? "" : once.error().text()));
    REQUIRE(once.has_value());
    CAPTURE(*once);
    CHECK(*once != text);
    CHECK(read_jsonc(*once, JsonDialect::with_comments).has_value());
    // Only blanks between the last member and the brace behind it may go.
    std::string kept = text.substr(0, text.size() - 1);
    kept.erase(kept.find_last_not_of(" \t") + 1);
    CHECK(is_subsequence(kept + "}", *once));
    const Result<std::string> twice =
        with_setting(*once, JsonDialect::with_comments, Path{"new", "x"}, server);
    REQUIRE(twice.has_value());
    CHECK(*twice == *once);
  }
}

}  // namespace
}  // namespace symbols::setup
