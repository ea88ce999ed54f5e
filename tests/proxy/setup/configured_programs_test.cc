// What configurations start of ours.
#include "proxy/setup/configured_programs.h"

#include <doctest/doctest.h>

#include <vector>

using namespace symbols::setup;

TEST_CASE("configured programs: whatever the layout") {
  using Programs = std::vector<StartedProgram>;
  struct Case {
    const char* text;
    Programs programs;
    Quoting quoting = Quoting::backslash;
    const char* comment = "";
  };
  const Case cases[] = {
      {R"({"command": ["symbols", "proxy", "--", "clangd"]})", {{"symbols", "clangd"}}},
      {R"({"command": "/opt/symbols", "args": ["proxy", "-f", "tree", "--", "/x/gopls", "--", "a"]})",
       {{"/opt/symbols", "/x/gopls"}}},
      // A member of that name is no program.
      {R"({"mcpServers": {"symbols": {"command": "symbols", "args": ["mcp"]}}})", {{"symbols", ""}}},
      {R"({"symbols.path": "/x y/\"q\"/symbols", "command": ["/x/clangd"]})", {{"/x y/\"q\"/symbols", ""}}},
      {R"(["--lsp", "symbols", "--", "proxy", "--format", "standard", "--", "clangd"])",
       {{"symbols", "clangd"}}},
      {R"("symbols", "proxy", "--", "clangd", "symbols", "proxy", "--", "gopls", "symbols", "proxy", "--", "clangd")",
       {{"symbols", "clangd"}, {"symbols", "gopls"}}},
      {R"("cmd": "/x/symbols proxy --format tree -- clangd --log=error")", {{"/x/symbols", "clangd"}}},
      {"[a]\ncommand = \"symbols\"\n# command = \"/gone/symbols\"\n",
       {{"symbols", ""}},
       Quoting::backslash,
       "#"},
      {"set-option global symbols_program '/it''s/symbols'", {}, Quoting::backslash},
      {"set-option global symbols_program '/x/symbols'", {{"/x/symbols", ""}}, Quoting::doubled, "#"},
      {R"((add-to-list 'load-path "/data/symbols/emacs"))", {}},
      {R"({"a": "relative/symbols", "b": "symbolsx", "c": "/x/symbols/"})", {}},
      {R"({"a": "symbols)", {}},
      {"", {}},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    CHECK(started_programs(c.text, c.quoting, c.comment) == c.programs);
  }
}
