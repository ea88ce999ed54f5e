#include "proxy/servers/servers_list.h"

#include <doctest/doctest.h>

#include "tests/proxy/program_files.h"

namespace symbols::servers {
namespace servers_list_test {

TEST_CASE("the list of servers: found, not found, notes") {
  const TemporaryFolder folder;
  LookupOptions options;
  options.project_root = folder.make_folder("project");
  options.own_installs = {folder.path("own")};
  options.path =
      folder.path("bin") + ":" + folder.path("project/bin") + ":/usr/bin:/bin";  // for a script's echo
  write_program(folder, "bin/mine\x1b", "#!/bin/sh\n[ \"$1\" = --version ] && echo 1.2.3\n");
  write_program(folder, "bin/zls", "#!/bin/sh\necho 0.14.0\n");
  write_program(folder, "bin/broken", "#!/bin/sh\necho 'no \033[31mred' >&2\nexit 1\n");
  write_program(folder, "project/bin/inside");
  folder.write("own/node_modules/npm-server/package.json", R"({"name":"npm-server","version":"4.5.6"})");
  write_program(folder, "own/node_modules/npm-server/cli.js", "#!/bin/sh\necho 9.9.9\n");
  folder.make_folder("own/node_modules/.bin");
  folder.link("own/node_modules/.bin/npm-server", "../npm-server/cli.js");
  const std::string file = folder.write("servers.json", R"({"servers": [
    {"name": "mine", "command": ["mine\u001b"], "languages": [{"id": "a", "extensions": [".a", ".aa"]}, {"id": "b", "file_names": ["B"]}]},
    {"name": "of-npm", "command": ["npm-server", "--stdio"], "languages": [{"id": "c", "extensions": [".c1"]}]},
    {"name": "zls"},
    {"name": "broken", "command": ["broken"], "languages": [{"id": "d", "extensions": [".d"]}]},
    {"name": "inside", "command": ["inside"], "languages": [{"id": "e", "extensions": [".e"]}], "install": "ask Anna"},
    {"name": "missing", "command": ["not-there"], "languages": [{"id": "f", "extensions": [".f"]}]}
  ]})");
  const Result<ServerRegistry> registry = ServerRegistry::load(file);
  REQUIRE(registry.has_value());
  const std::string list = servers_list(*registry, options, file);

  const auto line_of = [&](const std::string& start) {
    const std::size_t begin = list.find("\n  " + start + " ");
    if (begin == list.npos) return std::string("(no such line)");
    std::string line = list.substr(begin + 3, list.find('\n', begin + 1) - begin - 3);
    for (std::size_t gap; (gap = line.find("   ")) != line.npos;)
      line.erase(gap, 1);  // columns two blanks apart
    return line;
  };
  CAPTURE(list);
  CHECK(list.starts_with("Found:\n  SERVER "));
  CHECK(line_of("mine") == "mine  1.2.3  " + folder.path("bin/mine\\x1B") + "  .a .aa B");
  CHECK(line_of("of-npm") == "of-npm  4.5.6  " + folder.path("own/node_modules/.bin/npm-server") + "  .c1");
  CHECK(line_of("zls") == "zls  0.14.0  " + folder.path("bin/zls") + "  .zig .zon");
  CHECK(line_of("broken") == "broken  -  " + folder.path("bin/broken") + "  .d");
  CHECK(line_of("inside") == "inside  ask Anna  .e");
  CHECK(line_of("missing") == "missing  -  .f");
  CHECK(list.find("\nNot found:\n") < list.find("\n  inside "));

  const std::string notes = list.substr(list.find("\nNotes:\n"));
  CHECK(notes.find("\n  zls: needs --trust-project, because it runs the project's build.zig\n") !=
        notes.npos);
  CHECK(notes.find("\n  broken: " + folder.path("bin/broken") + " --version failed: no \\x1B[31mred\n") !=
        notes.npos);
  CHECK(notes.find("\n  cannot start the server inside: " + folder.path("project/bin/inside") +
                   " is in the project ") != notes.npos);
  CHECK(notes.find("missing") == notes.npos);
  CHECK(list.ends_with("\nAdd others in " + file + "\n"));
}

}  // namespace servers_list_test
}  // namespace symbols::servers
