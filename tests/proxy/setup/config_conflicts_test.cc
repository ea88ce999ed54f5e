#include "proxy/setup/config_conflicts.h"

#include <doctest/doctest.h>

namespace symbols::setup {
namespace {

std::string told(const Result<void>& result) {
  return result ? "" : result.error().message;
}

TEST_CASE("a TOML table that is there already is told by its line") {
  struct Case {
    std::string rest, message;
  };
  const std::string conflict = ": language-server.clangd is already set there";
  const std::string no_toml = ", so this is not TOML";
  const Case cases[] = {
      {"", ""},
      {"theme = \"x\" # [language-server.clangd]\n", ""},
      {"[language-server.gopls]\ncommand = 'gopls'\n[language-server.gopls.config]\na.b = 1\n", ""},
      {"[language-server]\n", ""},
      {"[language-server.clangd.config]\nx = 1\n", ""},
      {"[[language]]\nname = \"cpp\"\nlanguage-servers = [ # x ]\n \"clangd\",\n]\n", ""},
      {"text = \"\"\"\n[language-server.clangd]\n\\\"\"\"\" \n", ""},
      {"text = '''\n[language-server.clangd]\n''''\n", ""},
      {"date = 2020-01-01T00:00:00Z\r\n\r\n", ""},
      {"[language-server.clangd]\n", "line 1" + conflict},
      {"a = 1\n[ language-server . \"clangd\" ]\n", "line 2" + conflict},
      {"language-server.clangd.command = 'x'\n", "line 1" + conflict},
      {"language-server = { clangd = { command = 'x' } }\n", "line 1" + conflict},
      {"[language-server]\nclangd = { command = 'x' }\n", "line 2" + conflict},
      {"[language-server]\nclangd.command = 'x'\n", "line 2" + conflict},
      {"[[language-server]]\n", "line 1" + conflict},
      {"a = \"x\nb = 1\n", "line 1: a value that does not end" + no_toml},
      {"a = [1,\n", "line 1: a value that does not end" + no_toml},
      {"a = ]\n", "line 1: a value that does not end" + no_toml},
      {"a =\n", "line 1: a value that does not end" + no_toml},
      {"\n[a\n", "line 2: no table's name" + no_toml},
      {"[a] b\n", "line 1: no table's name" + no_toml},
      {"just words\n", "line 1: neither a table nor a key with a value" + no_toml},
  };
  for (const Case& c : cases) {
    CAPTURE(c.rest);
    CHECK(told(check_toml_tables(c.rest, "# ours\n[language-server.clangd]\ncommand = \"symbols\"\n")) ==
          c.message);
  }
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
    CHECK(told(check_yaml_keys(c.rest, "# ours\nsettings:\n  a: 1\n")) == c.message);
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
