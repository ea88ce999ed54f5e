#include "proxy/setup/toml_entries.h"

#include <doctest/doctest.h>

namespace symbols::setup {
namespace {

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
    const Result<void> result =
        check_toml_tables(c.rest, "# ours\n[language-server.clangd]\ncommand = \"symbols\"\n");
    CHECK((result ? "" : result.error().message) == c.message);
  }
}

}  // namespace
}  // namespace symbols::setup
