#include "proxy/setup/settings_merge.h"

#include <doctest/doctest.h>

#include <vector>

namespace symbols::setup {
namespace {

constexpr std::string_view shipped = R"({
  "lsp": {
    "clangd": {
      "command": ["/symbols", "--"],
      "files": { ".c": "c" }
    }
  },
  "list": [
    { "for": ["c", "h"], "run": ["/symbols"] }
  ]
}
)";

std::string merged(std::string_view users, const std::vector<SetupMember>& members) {
  const Result<std::string> result = merged_settings(users, JsonDialect::with_comments, shipped, members);
  return result ? *result : "error: " + result.error().text();
}

TEST_CASE("what a person has in an entry beside what is ours stays there") {
  const std::vector<SetupMember> two{{.name = "lsp", .depth = 2}};
  const std::vector<SetupMember> three{{.name = "lsp", .depth = 3}};
  const std::vector<SetupMember> list{{.name = "list", .element_key = "for"}};
  struct Case {
    const std::vector<SetupMember>& members;
    std::string users, result;
  };
  const Case cases[] = {
      {two, "", std::string(shipped)},
      {two,
       "{\n  // mine\n  \"lsp\": {\n    \"clangd\": {\n      \"env\": {\"A\": \"1\"}, // mine\n      "
       "\"command\": "
       "[\"clangd\"] // old\n    }\n  }\n}\n",
       "{\n  // mine\n  \"lsp\": {\n    \"clangd\": {\n      \"env\": {\"A\": \"1\"}, // mine\n      "
       "\"command\": "
       "[\"/symbols\", \"--\"], // old\n      \"files\": { \".c\": \"c\" }\n    }\n  }\n}\n"},
      {two, R"({"lsp":{"clangd":{"files":{".h":"c"},"command":[],"on":1}}})",
       R"({"lsp":{"clangd":{"files":{".c": "c"},"command":["/symbols", "--"],"on":1}}})"},
      {three, R"({"lsp":{"clangd":{"files":{".h":"c"},"command":[],"on":1}}})",
       R"({"lsp":{"clangd":{"files":{".h":"c", ".c": "c"},"command":["/symbols", "--"],"on":1}}})"},
      // An entry that is not there comes as a whole.
      {two, R"({"lsp":{"gopls":{}}})",
       R"({"lsp":{"gopls":{}, "clangd": {"command": ["/symbols", "--"], "files": {".c": "c"}}}})"},
      {list, R"({"list": [{"on": 1, "run": ["x"], "for": ["c","h"]}, {"for": ["ts"]}]})",
       R"({"list": [{"on": 1, "run": ["/symbols"], "for": ["c","h"]}, {"for": ["ts"]}]})"},
      {list, "{\n  \"list\": [\n    {\n      \"for\": [\"c\", \"h\"]\n    }\n  ]\n}\n",
       "{\n  \"list\": [\n    {\n      \"for\": [\"c\", \"h\"],\n      \"run\": [\"/symbols\"]\n    }\n  "
       "]\n}\n"},
      {list, R"({"list": [{"for": ["h"]}]})",
       "error: 1:11: an element of list already handles \"h\"; remove it, or remove \"h\" from its for"},
      {two, R"({"lsp": {"clangd": false}})", "error: 1:20: lsp.clangd is not an object; change it by hand"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.users);
    CHECK(merged(c.users, c.members) == c.result);
    if (!c.result.starts_with("error")) CHECK(merged(c.result, c.members) == c.result);
  }
}

TEST_CASE("a comment that ends with a carriage return takes nothing of ours in") {
  const std::vector<SetupMember> members{{.name = "list"}};
  CHECK(merged("{\"a\":1 // c\r}", members) ==
        "{\"a\":1, // c\r  \"list\": [\r    { \"for\": [\"c\", \"h\"], \"run\": [\"/symbols\"] }\r  ]\r}");
}

}  // namespace
}  // namespace symbols::setup
