#include "proxy/setup/yaml_keys.h"

#include <doctest/doctest.h>

#include <string>

namespace symbols::setup {
namespace {

const std::string shipped = R"(extensions:
  symbols:
    type: stdio
    cmd: "/opt/symbols"
    args: ["mcp"]
)";

std::string merged(const std::string& users) {
  const Result<std::string> text = with_yaml_members(users, shipped);
  return text ? *text : "error: " + text.error().message;
}

TEST_CASE("a mapping that is not there is added at the end") {
  CHECK(merged("") == shipped);
  CHECK(merged("# mine\n") == "# mine\n" + shipped);
  CHECK(merged("---\nmodel: x\n") == "---\nmodel: x\n" + shipped);
  CHECK(merged("model: x") == "model: x\n" + shipped);
  CHECK(merged("model: |\n  a\n  # of the text\n") == "model: |\n  a\n  # of the text\n" + shipped);
  CHECK(merged("extensions: {}\nmodel: x\n") == shipped + "model: x\n");
  CHECK(merged("extensions:\n") == shipped);
}

TEST_CASE("an entry goes before the others of its mapping, which stay as they are") {
  const std::string others =
      "    # the first\n    developer:  {enabled: true}\n    other:\n      args:\n      - a\nmodel: x\n";
  CHECK(merged("extensions: # mine\n" + others) ==
        "extensions: # mine\n    symbols:\n      type: stdio\n      cmd: \"/opt/symbols\"\n      args: "
        "[\"mcp\"]\n" +
            others);
}

TEST_CASE("of an entry that is there only the members that are shipped are replaced") {
  const std::string before = R"(extensions:
  symbols:
    args:
    - serve
    - more
    enabled: false
    cmd: symbols   # found on the PATH
    type: stdio
  # of the next
  other:
    type: builtin
)";
  const std::string after = R"(extensions:
  symbols:
    args: ["mcp"]
    enabled: false
    cmd: "/opt/symbols"
    type: stdio
  # of the next
  other:
    type: builtin
)";
  CHECK(merged(before) == after);
  CHECK(merged(after) == after);
}

TEST_CASE("line ends are those of the file") {
  CHECK(merged("model: x\r\nextensions:\r\n  a:\r\n    b: 1\r\n") ==
        "model: x\r\nextensions:\r\n  symbols:\r\n    type: stdio\r\n    cmd: \"/opt/symbols\"\r\n    args: "
        "[\"mcp\"]\r\n  a:\r\n    b: 1\r\n");
}

// Found by the fuzz target setup: all our lines ended in a carriage return, which made one line of them.
TEST_CASE("a carriage return alone is no line end") {
  const std::string once = merged("a: b\rc\n");
  CHECK(once == "a: b\rc\n" + shipped);
  CHECK(merged(once) == once);
}

TEST_CASE("what is not a block mapping is refused, with its line") {
  CHECK(merged("extensions: {a: {b: 1}}\n") ==
        "error: line 1: the value of extensions is not in the expected form");
  CHECK(merged("a: 1\nextensions:\n  - a\n") ==
        "error: line 3: it does not begin a mapping with a key on each line");
  CHECK(merged("extensions: |\n  a: 1\n") ==
        "error: line 1: the value of extensions is not in the expected form");
  CHECK(merged("extensions:\n  a: 1\n b: 2\n") ==
        "error: line 2: it does not begin a mapping with a key on each line");
  CHECK(merged("- a\n") == "error: line 1: it is not a key of a mapping");
  CHECK(merged(" a: 1\n") == "error: line 1: it is indented, so unindented keys would not belong to it");
}

TEST_CASE("a YAML key that is there already is told by its line") {
  struct Case {
    std::string rest, message;
  };
  const std::string conflict = ": settings is already set there";
  const std::string indented = ": it is indented, so unindented keys would not belong to it";
  const Case cases[] = {
      {"", ""},
      {"# settings:\n---\nother: 1\nprojects:\n- a\n-\n  - settings: 1\n  settings:\n", ""},
      {"settings: {}\n", "line 1" + conflict},
      {"a: 1\r\n\"settings\":\r\n", "line 2" + conflict},
      {"{a: 1}\n", "line 1: it is not a key of a mapping"},
      {"- a\n", "line 1: it is not a key of a mapping"},
      {"a: 1\n---\nb: 1\n", "line 2: it is not a key of a mapping"},
      {"words\n", "line 1: it is not a key of a mapping"},
      {"--- # one\n-a: 1\n", ""},
      {"# one\n\n---\na: 1\n  b: 2\n", ""},
      {"--- {a: 1}\n", "line 1: it is not a key of a mapping"},
      {"--- a: 1\n", "line 1: it is not a key of a mapping"},
      {"---#\na: 1\n", "line 1: it is not a key of a mapping"},
      {"- a: 1\n", "line 1: it is not a key of a mapping"},
      {"? a: 1\n", "line 1: it is not a key of a mapping"},
      {"&x a: 1\n", "line 1: it is not a key of a mapping"},
      {"# one\n projects: []\n web: true\n", "line 2" + indented},
      {"---\n\tweb: true\n", "line 2" + indented},
  };
  for (const Case& c : cases) {
    CAPTURE(c.rest);
    const Result<void> result = check_yaml_keys(c.rest, "# ours\nsettings:\n  a: 1\n");
    CHECK((result ? "" : result.error().message) == c.message);
  }
}

TEST_CASE("a YAML key with an empty mapping is where ours belongs") {
  struct Case {
    std::string text, line;
  };
  const Case cases[] = {
      {"a: 1\nsettings: {}\nb: 2\n", "settings: {}\n"},
      {"settings:   {}  ", "settings:   {}  "},
      {"settings: {a: 1}\n", ""},
      {"settings:\n  a: {}\n", ""},
      {"other: {}\n  settings: {}\n", ""},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    const std::optional<LineSpan> line = empty_yaml_key(c.text, "settings:\n  x: 1\n");
    CHECK((line ? c.text.substr(line->begin, line->end - line->begin) : "") == c.line);
  }
}

}  // namespace
}  // namespace symbols::setup
