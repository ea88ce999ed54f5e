#include <doctest/doctest.h>

#include <utility>

#include "proxy/servers/server_lookup.h"
#include "proxy/servers/server_registry.h"
#include "tests/proxy/program_files.h"

namespace symbols::servers {
namespace server_command_line_test {

using Words = std::vector<std::string>;

TEST_CASE("a command line is split by the shell's rules for quotes and no others") {
  const std::pair<std::string_view, Words> cases[] = {
      {"a", {"a"}},
      {"  a \t b\nc ", {"a", "b", "c"}},
      {"a 'b c' \"d e\"", {"a", "b c", "d e"}},
      {"a'b'\"c\"d", {"abcd"}},
      {"a '' \"\"", {"a", "", ""}},
      {"'a \"b\" \\'", {"a \"b\" \\"}},
      {"\"a 'b' \\\" \\\\ \\n\"", {"a 'b' \" \\ \\n"}},
      {"a\\ b \\'c \\\\", {"a b", "'c", "\\"}},
      {"$HOME ~ *.c `x` a;b|c>d #e", {"$HOME", "~", "*.c", "`x`", "a;b|c>d", "#e"}},
      {"é 'ü ö'", {"é", "ü ö"}},
  };
  for (const auto& [text, words] : cases) {
    CAPTURE(text);
    const Result<Words> found = split_command_line(text);
    REQUIRE(found.has_value());
    CHECK(*found == words);
  }
}

TEST_CASE("a command line that cannot be split") {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"a 'b",
       "cannot read the command line a 'b: a ' is not closed; close it, or write \\' for the mark itself"},
      {"a \\",
       "cannot read the command line a \\: it ends in a backslash; write \\\\ for the backslash itself"},
      {"", "cannot read the command line '': it names no program; give a known server or a program"},
  };
  for (const auto& [text, error] : cases) {
    CAPTURE(text);
    CHECK(split_command_line(text).error().text() == error);
  }
}

TEST_CASE("--server names a known server, a program on the PATH, or one by its path") {
  const TemporaryFolder folder;
  LookupOptions options;
  options.project_root = folder.make_folder("project");
  options.working_folder = options.project_root;
  options.path = folder.path("project/bin") + ":" + folder.path("bin");
  const std::string css = write_program(folder, "bin/vscode-css-language-server");
  const std::string clangd = write_program(folder, "bin/clangd-14");
  const std::string other = write_program(folder, "bin/other");
  const std::string inside = write_program(folder, "project/bin/inside");
  const std::string spaced = write_program(folder, "project/my tools/run");
  const ServerRegistry registry = ServerRegistry::built_in();

  struct Case {
    std::string text, program;
    Words arguments;
    const char* spec;
  };
  const Case cases[] = {
      {"css", css, {"--stdio"}, "css"},
      {"vscode-css-language-server --stdio --x", css, {"--stdio", "--x"}, "css"},
      {"clangd-14 '--log=a b'", clangd, {"--log=a b"}, "clangd"},
      {"other", other, {}, nullptr},
      {"../bin/other -x", other, {"-x"}, nullptr},
      {folder.path("bin/other"), other, {}, nullptr},
      // A path names it explicitly, wherever it is.
      {"./bin/inside", inside, {}, nullptr},
      {"'my tools/run' x", spaced, {"x"}, nullptr},
      // The server is started elsewhere.
      {"other ./a '../b c' --d=./e -f=../g",
       other,
       {folder.path("project/./a"), folder.path("project/../b c"), "--d=" + folder.path("project/./e"),
        "-f=" + folder.path("project/../g")},
       nullptr},
      {"other a/b /c .d --e=f '-c ./z' bin", other, {"a/b", "/c", ".d", "--e=f", "-c ./z", "bin"}, nullptr},
      {"other x=./y --commands=bin bin/inside",
       other,
       {"x=" + folder.path("project/./y"), "--commands=" + folder.path("project/bin"), inside},
       nullptr},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    const Result<FoundServer> server = server_from_text(c.text, registry, options);
    REQUIRE(server.has_value());
    CHECK(server->command.program == c.program);
    CHECK(server->command.arguments == c.arguments);
    CHECK(server->spec == (c.spec == nullptr ? nullptr : registry.by_name(c.spec)));
  }

  struct Fault {
    std::string text, error;
  };
  const Fault faults[] = {
      {"missing -x",
       "cannot start the server missing -x: no server of that name is known, and there is no missing on the "
       "PATH; 'symbols servers' lists those that are known; install it, or give its path"},
      {"./missing", "cannot start the server ./missing: there is no program " +
                        folder.path("project/missing") + "; check the path, and that the file is executable"},
      {"inside", "cannot start the server inside: " + inside + " is in the project " +
                     folder.path("project") +
                     ", and nothing in it is run unless it is trusted; pass --trust-project to run it, or "
                     "give its path"},
  };
  for (const Fault& f : faults) {
    CAPTURE(f.text);
    const Result<FoundServer> server = server_from_text(f.text, registry, options);
    REQUIRE(server.has_error());
    CHECK(server.error().text() == f.error);
  }
  options.trust_project = true;
  CHECK(server_from_text("inside", registry, options)->command.program == inside);
}

}  // namespace server_command_line_test
}  // namespace symbols::servers
