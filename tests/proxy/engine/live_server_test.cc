#include "proxy/engine/live_server.h"

#include <doctest/doctest.h>

#include "lsp/messages.h"
#include "proxy/servers/servers_file.h"

namespace symbols::engine {
namespace live_server_test {

// The launch of the built-in server of that name.
ServerLaunch launch_of(const std::string& name) {
  ServerLaunch launch{.name = name, .command = {}};
  for (const servers::ServerSpec& spec : servers::known_servers()) {
    if (spec.name == name) launch.command.told_of_changes = spec.told_of_changes;
  }
  return launch;
}

TEST_CASE("which servers take a change of a file, and how") {
  using enum ChangeEffect;
  const auto effect = [](const char* server, const char* path) {
    return effect_of_change(launch_of(server), path);
  };
  CHECK(effect("clangd", "/p/a.h") == parsed_when_opened);
  CHECK(effect("clangd", "/p/build/compile_commands.json") == restart);
  CHECK(effect("clangd", "/p/.clangd") == restart);
  CHECK(effect("typescript", "/p/a.ts") == told);
  CHECK(effect("typescript", "/p/README.md") == told);
  CHECK(effect("typescript", "/p/tsconfig.base.json") == restart);
  CHECK(effect("pyright", "/p/a.py") == told);
  CHECK(effect("pyright", "/p/pyproject.toml") == restart);
  CHECK(effect("gopls", "/p/a.go") == told);
  CHECK(effect("gopls", "/p/go.mod") == restart);
  CHECK(effect("typescript-language-server", "/p/a.ts") == restart);
}

TEST_CASE("clangd that searches the project looks for changed files only when it starts") {
  ServerLaunch launch = launch_of("clangd");
  for (const auto search : {ServerLaunch::Search::of_open_files, ServerLaunch::Search::of_index}) {
    launch.search = search;
    CHECK(effect_of_change(launch, "/p/a.cpp") == ChangeEffect::outdates_index);
    CHECK(effect_of_change(launch, "/p/.clangd") == ChangeEffect::outdates_index);
  }
}

TEST_CASE("clangd opens a document anew whose preamble has changed") {
  const auto takes = [](const std::string& before, const std::string& after) {
    return takes_by_did_change(launch_of("clangd"), before, after);
  };
  const std::string head = "// A\n#pragma once\n#include <a> /* over\nlines */\n#define A \\\n 1\n";
  CHECK(takes(head + "int a;", head + "int a; int b;"));
  CHECK(takes(head + "int a;\n#define B\n", head + "int b;\n"));
  CHECK_FALSE(takes(head + "int a;", "#define B\n" + head + "int a;"));
  CHECK_FALSE(takes(head + "int a;", head + "\n#define B\nint a;"));
  CHECK_FALSE(takes("#define A /* over\nlines */\nint a;", "#define A /* over\nlines */ 1\nint a;"));
  CHECK_FALSE(takes("#define A \\\r\n 1\r\nint a;", "#define A \\\r\n 2\r\nint a;"));
  CHECK_FALSE(takes("// continued \\\n#define A\nint a;", "// continued \\\n#define A\n#define B\nint a;"));
  CHECK_FALSE(takes("%:define A\nint a;", "%:define A 1\nint a;"));
  CHECK_FALSE(takes("", "int a;"));
  CHECK_FALSE(takes("/* open", "/* open */ int a;"));
  CHECK_FALSE(takes("// A\\", "int a;"));
  CHECK(takes_by_did_change(launch_of("typescript"), "import 'a';", "import 'b';"));
}

}  // namespace live_server_test
}  // namespace symbols::engine
