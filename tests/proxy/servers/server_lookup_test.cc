#include "proxy/servers/server_lookup.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "proxy/servers/server_registry.h"
#include "tests/proxy/program_files.h"

namespace symbols::servers {
namespace {

constexpr std::string_view node_script = "#!/usr/bin/env node\n";

// A machine with a project, and the folder `bin` as its PATH.
class Machine : public TemporaryFolder {
 public:
  Machine() {
    make_folder("project");
    make_folder("bin");
    options.project_root = path("project");
    options.path = path("bin");
  }

  Result<ServerCommand> find(const std::string& name) const {
    return find_server(*ServerRegistry::built_in().by_name(name), options).command;
  }

  LookupOptions options;
};

// The value that `command` sets `name` to; "(unset)" if it sets none.
std::string variable(const ServerCommand& command, const std::string& name) {
  for (const std::string& entry : command.environment) {
    if (entry.starts_with(name + "=")) return entry.substr(name.size() + 1);
  }
  return "(unset)";
}

TEST_CASE("a server on the PATH") {
  Machine machine;
  const std::string gopls = write_program(machine, "bin/gopls");
  const std::string lua = write_program(machine, "bin/lua-language-server");
  const std::string marksman = write_program(machine, "bin/marksman");

  const ServerCommand go = machine.find("gopls").value();
  CHECK(go.program == gopls);
  CHECK(go.arguments.empty());
  CHECK(go.display == gopls);
  CHECK(go.initialization_options.empty());
  CHECK_FALSE(go.wait_for_progress);
  CHECK(machine.find("lua-language-server")->wait_for_progress);
  CHECK(machine.find("marksman")->arguments == std::vector<std::string>{"server"});
  CHECK(machine.find("marksman")->display == marksman + " server");
}

TEST_CASE("commands are tried in order, each on the PATH and then in our own installs") {
  Machine machine;
  machine.options.own_installs = {machine.path("own1"), machine.path("own2")};
  const std::string last = write_program(machine, "bin/vscode-json-languageserver");
  CHECK(machine.find("json")->program == last);
  const std::string own2 = write_program(machine, "own2/node_modules/.bin/vscode-json-language-server");
  CHECK(machine.find("json")->program == own2);
  const std::string own1 = write_program(machine, "own1/node_modules/.bin/vscode-json-language-server");
  CHECK(machine.find("json")->program == own1);
  const std::string first = write_program(machine, "bin/vscode-json-language-server");
  CHECK(machine.find("json")->program == first);
}

TEST_CASE("a server that is not there: what was looked for and how to install it") {
  struct Case {
    const char* server;
    const char* text;
  };
  const Case cases[] = {
      {"pyright",
       "cannot find the server pyright: there is no pyright-langserver on the PATH; install it: npm install "
       "-g "
       "pyright"},
      {"typescript",
       "cannot find the server typescript: there is no tsc of TypeScript 7 or later on the PATH; install it: "
       "npm "
       "install -g typescript@7"},
      {"clangd",
       "cannot find the server clangd: there is no clangd on the PATH; install it: apt install clangd-19"},
      {"json",
       "cannot find the server json: there is no vscode-json-language-server or vscode-json-languageserver "
       "on the "
       "PATH; install it: npm install -g vscode-langservers-extracted"},
      {"zls",
       "cannot find the server zls: there is no zls on the PATH; install it, see "
       "https://zigtools.org/zls/install"},
  };
  const Machine machine;
  for (const Case& c : cases) {
    CAPTURE(c.server);
    CHECK(machine.find(c.server).error().text() == c.text);
    CHECK(find_server(*ServerRegistry::built_in().by_name(c.server), machine.options).is_missing);
  }
}

TEST_CASE("a server in the project is run only if it is trusted") {
  Machine machine;
  const std::string inside = write_program(machine, "project/node_modules/.bin/pyright-langserver");
  machine.options.path = machine.path("project/node_modules/.bin") + ":" + machine.path("bin");
  CHECK(machine.find("pyright").error().text() ==
        "cannot start the server pyright: " + inside + " is in the project " + machine.path("project") +
            ", and nothing in it is run unless it is trusted; pass --trust-project to run it, or install it "
            "elsewhere: npm install -g pyright");
  CHECK_FALSE(find_server(*ServerRegistry::built_in().by_name("pyright"), machine.options).is_missing);

  machine.options.trust_project = true;
  CHECK(machine.find("pyright")->program == inside);
  machine.options.trust_project = false;

  const std::string outside = write_program(machine, "bin/pyright-langserver");
  CHECK(machine.find("pyright")->program == outside);
}

TEST_CASE("our own install may be inside the project: that is then our own repository") {
  Machine machine;
  machine.options.own_installs = {machine.path("project/scripts/servers")};
  const std::string own =
      write_program(machine, "project/scripts/servers/node_modules/.bin/pyright-langserver");
  CHECK(machine.find("pyright")->program == own);
}

TEST_CASE("a script needs its interpreter") {
  Machine machine;
  const std::string server = write_program(machine, "bin/pyright-langserver", node_script);
  CHECK(machine.find("pyright").error().text() ==
        "cannot start the server pyright: " + server +
            " needs node, which is not on the PATH; install it: apt install nodejs");

  const std::string inside = write_program(machine, "project/bin/node");
  machine.options.path += ":" + machine.path("project/bin");
  CHECK(machine.find("pyright").error().text() ==
        "cannot start the server pyright: " + server + " needs " + inside + ", which is in the project " +
            machine.path("project") +
            " and is not run unless the project is trusted; install node elsewhere, or pass --trust-project");
  machine.options.trust_project = true;
  CHECK(machine.find("pyright")->program == server);
  machine.options.trust_project = false;

  machine.options.path += ":" + machine.path("usr");
  write_program(machine, "usr/node");
  CHECK(machine.find("pyright")->program == server);
  CHECK(variable(*machine.find("pyright"), "PATH") == machine.path("bin") + ":" + machine.path("usr"));

  // pip writes the interpreter's full path: here that of a virtual environment in the project.
  const std::string python = write_program(machine, "project/.venv/bin/python");
  const std::string pylsp = write_program(machine, "bin/pylsp", "#!" + python + "\n");
  const std::string why = "cannot start the server pylsp: " + pylsp + " needs " + python + ", which ";
  CHECK(machine.find("pylsp").error().message == why + "is in the project " + machine.path("project") +
                                                     " and is not run unless the project is trusted");
  std::filesystem::remove(python);
  CHECK(machine.find("pylsp").error().message == why + "does not exist");
}

TEST_CASE("of several clangds the newest is taken, but for a user's own command") {
  Machine machine;
  const std::string plain = write_program(machine, "bin/clangd");
  machine.make_folder("lib/clang/14");
  const std::string newest = write_program(machine, "bin/clangd-19");
  const std::string inside = write_program(machine, "project/bin/clangd-99");
  machine.options.path = machine.path("project/bin") + ":" + machine.path("bin");
  CHECK(machine.find("clangd")->program == newest);
  machine.options.trust_project = true;
  CHECK(machine.find("clangd")->program == inside);
  machine.options.trust_project = false;
  struct Case {
    std::vector<std::string> command;
    std::string program;  // empty: none
  };
  const Case cases[] = {
      {{"clangd", "--log=error"}, plain},
      {{newest, "--log=error"}, newest},
      {{inside, "--log=error"}, ""},
  };
  for (const Case& c : cases) {
    ServerSpec own = *ServerRegistry::built_in().by_name("clangd");
    own.commands = {c.command};
    own.command_from_user = true;
    const Result<ServerCommand> command = find_server(own, machine.options).command;
    CHECK((command ? command->program : "") == c.program);
    if (command) CHECK(command->arguments == std::vector<std::string>{"--log=error"});
  }
}

TEST_CASE("what a server itself starts is not in the project either") {
  Machine machine;
  write_program(machine, "bin/gopls");
  machine.options.path = machine.path("project/bin") + ":.:" + machine.path("bin");
  machine.options.environment = {"GOPATH=" + machine.path("project"), "GOFLAGS=-toolexec=./x", "LANG=C"};
  const ServerCommand untrusted = machine.find("gopls").value();
  CHECK(variable(untrusted, "PATH") == machine.path("bin"));
  CHECK(variable(untrusted, "GIT_CONFIG_COUNT") == "1");
  CHECK(variable(untrusted, "GIT_CONFIG_KEY_0") == "core.fsmonitor");
  CHECK(variable(untrusted, "GIT_CONFIG_VALUE_0") == "false");
  CHECK(untrusted.inherited_environment == std::vector<std::string>{"LANG=C"});
  machine.options.trust_project = true;
  CHECK(machine.find("gopls")->environment.empty());
  CHECK_FALSE(machine.find("gopls")->inherited_environment.has_value());
}

TEST_CASE("a server that cannot be kept from running what is in the project needs trust") {
  Machine machine;
  const std::string zls = write_program(machine, "bin/zls");
  CHECK(machine.find("zls").error().text() ==
        "cannot start the server zls: it runs the project's build.zig, and nothing in a project is run "
        "unless it "
        "is trusted; pass --trust-project if you trust it");
  machine.options.trust_project = true;
  CHECK(machine.find("zls")->program == zls);
}

TEST_CASE("options for a project that is not trusted override a user's own") {
  Machine machine;
  write_program(machine, "bin/svelteserver");
  ServerSpec svelte = *ServerRegistry::built_in().by_name("svelte");
  CHECK(find_server(svelte, machine.options).command->initialization_options == R"({"isTrusted":false})");
  svelte.initialization_options = R"({"isTrusted":true,"config":{"a":1}})";
  CHECK(find_server(svelte, machine.options).command->initialization_options ==
        R"({"isTrusted":false,"config":{"a":1}})");
  machine.options.trust_project = true;
  CHECK(find_server(svelte, machine.options).command->initialization_options ==
        svelte.initialization_options);
}

TEST_CASE("rust-analyzer runs neither the project's toolchain nor its build scripts") {
  Machine machine;
  machine.options.rustup_home = machine.path("rustup");
  write_program(machine, "cargo/bin/rustup");
  machine.link("bin/rust-analyzer", "../cargo/bin/rustup");
  machine.write("rustup/settings.toml",
                "version = \"12\"\ndefault_toolchain = \"stable-x\"\n\n[overrides]\n");

  CHECK(machine.find("rust-analyzer").error().text() ==
        "cannot start the server rust-analyzer: " + machine.path("bin/rust-analyzer") +
            " is a rustup proxy, and the toolchain stable-x has no rust-analyzer; install it: rustup "
            "component "
            "add rust-analyzer");
  // Only rustup can tell whether the project's toolchain has one.
  machine.options.trust_project = true;
  CHECK(machine.find("rust-analyzer")->program == machine.path("bin/rust-analyzer"));
  CHECK(machine.find("rust-analyzer")->initialization_options.empty());
  CHECK(machine.find("rust-analyzer")->environment.empty());
  machine.options.trust_project = false;

  write_program(machine, "rustup/toolchains/stable-x/bin/rust-analyzer");
  const ServerCommand command = machine.find("rust-analyzer").value();
  CHECK(command.program == machine.path("bin/rust-analyzer"));
  CHECK(command.wait_for_progress);
  CHECK(variable(command, "RUSTUP_TOOLCHAIN") == "stable-x");
  CHECK(variable(command, "RUSTC") == "rustc");
  for (const char* name : {"RUSTC_WRAPPER", "RUSTC_WORKSPACE_WRAPPER", "RUSTFLAGS", "RUSTDOCFLAGS"})
    CHECK_MESSAGE(variable(command, name).empty(), name);
  CHECK(command.initialization_options.find(R"("buildScripts":{"enable":false})") != std::string::npos);
  CHECK(command.initialization_options.find(R"("procMacro":{"enable":false})") != std::string::npos);

  machine.options.rustup_toolchain = "nightly";  // the user's own, by RUSTUP_TOOLCHAIN
  CHECK(machine.find("rust-analyzer").has_error());
  write_program(machine, "rustup/toolchains/nightly-x/bin/rust-analyzer");
  CHECK(variable(*machine.find("rust-analyzer"), "RUSTUP_TOOLCHAIN") == "(unset)");

  // One that is not rustup's comes next on the PATH.
  machine.options.rustup_toolchain = "missing";
  const std::string other = write_program(machine, "usr/rust-analyzer");
  machine.options.path += ":" + machine.path("usr");
  CHECK(machine.find("rust-analyzer")->program == other);
}

TEST_CASE("the first server found answers for a file") {
  Machine machine;
  const ServerRegistry registry = ServerRegistry::built_in();
  const auto find = [&](const char* file, std::string_view first_line = {}) {
    return find_server_for_file(registry, file, first_line, machine.options);
  };
  CHECK(find("a.py").error().message.starts_with("cannot find the server pyright: "));
  CHECK(find("notes.txt").error().text() ==
        "cannot answer for notes.txt: no language server is known for such files; name one with --server, or "
        "add "
        "it to symbols/servers.json in your configuration folder");

  // The error of a server that is here but not run is more useful than that of a missing preferred one.
  const std::string inside = write_program(machine, "project/bin/basedpyright-langserver");
  machine.options.path += ":" + machine.path("project/bin");
  CHECK(find("a.py").error().message.starts_with("cannot start the server basedpyright: " + inside));

  const std::string pylsp = write_program(machine, "bin/pylsp");
  CHECK(find("a.py")->command.program == pylsp);
  CHECK(find("a.py")->spec == registry.by_name("pylsp"));
  CHECK(find("script", "#!/usr/bin/env python3")->command.program == pylsp);
  CHECK(find("script", "#!/bin/sh").has_error());
}

TEST_CASE("where to look, by the environment") {
  const TemporaryFolder folder;
  folder.make_folder("own/node_modules");
  const Variable own("SYMBOLS_SERVERS_DIR", folder.path("own").c_str());
  const LookupOptions options = LookupOptions::from_environment("/project", true);
  CHECK(options.project_root == "/project");
  CHECK(options.trust_project);
  CHECK(options.working_folder == std::filesystem::current_path());
  REQUIRE(std::getenv("PATH") != nullptr);
  CHECK(options.path == std::getenv("PATH"));
  CHECK(std::ranges::count(options.environment, "PATH=" + options.path) == 1);
  CHECK(options.own_installs.front() == folder.path("own"));
}

TEST_CASE("rustup's folder and toolchain are not those of a project that is not trusted") {
  const TemporaryFolder folder;
  struct Case {
    std::string home, rustup, toolchain;
    std::string found_home, found_toolchain;
  };
  const Case cases[] = {
      {"/home/me", "/rust", "nightly", "/rust", "nightly"},
      {"/home/me", "", "", "/home/me/.rustup", ""},
      {"/home/me", folder.path("project/rust"), folder.path("project/rust"), "/home/me/.rustup", ""},
      {folder.path("project"), "rust", "", "", ""},
  };
  for (const Case& c : cases) {
    const Variable home("HOME", c.home.c_str());
    const Variable rustup("RUSTUP_HOME", c.rustup.c_str());
    const Variable toolchain("RUSTUP_TOOLCHAIN", c.toolchain.c_str());
    const LookupOptions options = LookupOptions::from_environment(folder.make_folder("project"), false);
    CHECK(options.rustup_home == c.found_home);
    CHECK(options.rustup_toolchain == c.found_toolchain);
  }
}

}  // namespace
}  // namespace symbols::servers
