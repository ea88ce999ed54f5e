#include "proxy/setup/local_commands.h"

#include <doctest/doctest.h>

#include "tests/proxy/program_files.h"

namespace symbols::setup {
namespace local_commands_test {

// A machine with some servers on its PATH.
class Machine : public TemporaryFolder {
 public:
  explicit Machine(std::initializer_list<const char*> programs) {
    make_folder("bin");
    for (const char* const program : programs) write_program(*this, std::string("bin/") + program);
    options.path = path("bin");
  }

  LocalCommands commands(bool other_servers = true, std::string program = "/opt/symbols") const {
    return {std::move(program), "/data", registry, options, other_servers};
  }
  std::string bin(const std::string& name) const { return path("bin/" + name); }

  servers::ServerRegistry registry = servers::ServerRegistry::built_in();
  servers::LookupOptions options;
};

TEST_CASE("in lists: the program and the servers behind the proxy get this machine's paths") {
  const Machine machine{"clangd-19", "gopls"};
  LocalCommands commands = machine.commands();
  const std::string shipped = R"({
  "symbols": {
    "command": "symbols",
    "args": ["proxy", "--", "clangd", "-log=error"],
    "name": "symbols-clangd"
  },
  "mcp": ["--lsp", "symbols", "--", "proxy", "--", "gopls"],
  "other": ["--", "unheard-of", "clangd"]
})";
  const Result<std::string> here = commands.in_lists(shipped);
  REQUIRE(here.has_value());
  CHECK(*here == R"({
  "symbols": {
    "command": "/opt/symbols",
    "args": ["proxy", "--", ")" +
                     machine.bin("clangd-19") + R"(", "-log=error"],
    "name": "symbols-clangd"
  },
  "mcp": ["--lsp", "/opt/symbols", "--", "proxy", "--", ")" +
                     machine.bin("gopls") + R"("],
  "other": ["--", "unheard-of", "clangd"]
})");
  CHECK(commands.notes.empty());
}

TEST_CASE("a server that is not here stays as it is and is named, or another one takes its place") {
  const Machine machine{"basedpyright-langserver"};
  const std::string shipped = R"(["--", "pyright-langserver", "--stdio"])";
  LocalCommands others = machine.commands();
  CHECK(*others.in_lists(shipped) ==
        R"(["--", ")" + machine.bin("basedpyright-langserver") + R"(", "--stdio"])");
  REQUIRE(others.notes.size() == 1);
  CHECK(others.notes[0] == "pyright-langserver is not installed, " + machine.bin("basedpyright-langserver") +
                               " --stdio is used instead");

  LocalCommands same = machine.commands(false);
  CHECK(*same.in_lists(shipped) == shipped);
  CHECK(*same.in_lists(shipped) == shipped);
  REQUIRE(same.notes.size() == 1);
  CHECK(same.notes[0] ==
        "cannot find the server pyright: there is no pyright-langserver on the PATH; install it: npm install "
        "-g pyright");
}

TEST_CASE("in places: strings of the configuration's language") {
  const Machine machine{"clangd", "pylsp"};
  LocalCommands commands = machine.commands(true, R"(/o "p" \t'/symbols)");
  const std::string clangd = machine.bin("clangd");
  struct Case {
    std::string text;
    StringForm form;
    std::string filled;
  };
  const StringForm lua, lisp{.separator = " "}, kakoune{.is_doubled = true};
  const Case cases[] = {
      {"x = @program@", lua, R"(x = "/o \"p\" \\t'/symbols")"},
      {"x @program@ @folder@", kakoune, R"(x '/o "p" \t''/symbols' '/data')"},
      {"source @file a.kak@", kakoune, "source '/data/a.kak'"},
      {"{ @command clangd --log=error@ }", lua, "{ \"" + clangd + "\", \"--log=error\" }"},
      {"(@command clangd --log=error@)", lisp, "(\"" + clangd + "\" \"--log=error\")"},
      {"(@command pyright-langserver --stdio@)", lisp, "(\"" + machine.bin("pylsp") + "\")"},
      {"@server pyright-langserver@", lisp, "\"pyright-langserver\""},
      {"@line clangd --x@", lisp, "\"" + clangd + " --x\""},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    CHECK(*commands.in_places(c.text, c.form) == c.filled);
  }
}

TEST_CASE("a path with control characters or invalid UTF-8, or that its reader would expand, is refused") {
  const Machine machine{};
  for (const char* const program :
       {"/a\nb", "/a\xff", "/a\x7f", "/a\u0080", "/a\u0085", "/a\u009F", "/a\u2028", "/a\u2029"}) {
    CAPTURE(program);
    LocalCommands commands = machine.commands(true, program);
    CHECK(!commands.in_lists("\"symbols\""));
    CHECK(!commands.in_places("@program@", {}));
  }
  for (const char* const program : {"/a b", "/\u00A0", "/\u00E9", "/\u2027"}) {
    CAPTURE(program);
    CHECK(machine.commands(true, program).in_lists("\"symbols\"").has_value());
  }
  LocalCommands commands = machine.commands(true, "/a/${b}");
  CHECK(commands.in_lists("\"symbols\"").has_value());
  CHECK(commands.in_lists("\"symbols\"", {.expands = "{env: ${"}).error().message ==
        "cannot write /a/${b} into this configuration: its reader would expand ${");
  CHECK(!commands.in_places("@program@", {.expands = "${"}));
}

TEST_CASE("a note names an interpreter outside of the system's folders") {
  for (const std::string line : {"#!/usr/bin/env symbols-test-node\n", "#!/bin/sh\n"}) {
    CAPTURE(line);
    Machine machine{"symbols-test-node"};
    machine.write("bin/gopls", line);
    std::filesystem::permissions(machine.path("bin/gopls"), std::filesystem::perms::owner_all);
    LocalCommands commands = machine.commands(false);
    const Result<std::string> here = commands.in_lists(R"(["--", "gopls"])");
    REQUIRE(here.has_value());
    CHECK(here->find(machine.bin("gopls")) != std::string::npos);
    const bool is_told = line.starts_with("#!/usr/bin/env");
    REQUIRE(commands.notes.size() == (is_told ? 1U : 0U));
    if (is_told) {
      CHECK(commands.notes[0].starts_with(machine.bin("gopls") + " is run by symbols-test-node, which"));
      CHECK(commands.notes[0].find(machine.path("bin") + ",") != std::string::npos);
    }
  }
}

TEST_CASE("this program is named by the PATH's entry that leads to it, else by its own path") {
  const Machine machine{"symbols"};
  const Result<OwnProgram> other = own_program(machine.options);
  REQUIRE(other.has_value());
  CHECK(!other->is_on_path);
  std::error_code failure;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", failure);
  CHECK(other->path == self);

  Machine linked{};
  std::filesystem::create_symlink(self, linked.path("bin/symbols"));
  const Result<OwnProgram> same = own_program(linked.options);
  REQUIRE(same.has_value());
  CHECK(same->is_on_path);
  CHECK(same->path == linked.path("bin/symbols"));
}

}  // namespace local_commands_test
}  // namespace symbols::setup
