// Which program a server is, what it is started with, and why there is none.
#include "proxy/servers/server_lookup.h"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <sys/utsname.h>

#include <algorithm>

#include "proxy/servers/server_registry.h"
#include "tests/proxy/program_files.h"

namespace symbols::servers {
namespace server_lookup_test {

const ServerRegistry& registry() {
  static const ServerRegistry built_in = ServerRegistry::built_in();
  return built_in;
}

// A machine with a project, the folder `bin` as its PATH, and installs of ours.
class Machine : public TemporaryFolder {
 public:
  explicit Machine(const std::string& programs = {}) {
    make_folder("project");
    options.project_root = path("project");
    options.path = path("bin");
    options.own_installs = {path("own1"), path("own2"), path("project/own")};
    install(programs);
  }

  // Makes `programs`, which `|` stands between: each has the content behind `=`, or is a link to what is
  // behind `>`. `~` is the machine's folder.
  void install(const std::string& programs) const {
    for (const std::string_view program : split(programs, '|')) {
      const std::string name(program.substr(0, program.find_first_of("=>")));
      const std::string rest = here(std::string(program.substr(std::min(name.size() + 1, program.size()))));
      make_folder(std::filesystem::path(name).parent_path().string());
      if (program.substr(name.size()).starts_with('>')) {
        link(name, rest);
      } else {
        write_program(*this, name, rest.empty() ? "#!/bin/sh\n" : rest);
      }
    }
  }

  std::string here(std::string text) const {
    for (std::size_t at; (at = text.find('~')) != text.npos;) {
      if (text.substr(at).starts_with("~/.local")) break;
      text.replace(at, 1, path());
    }
    return text;
  }

  ServerSearch search(const std::string& name) const {
    return find_server(*registry().by_name(name), options);
  }
  Result<ServerCommand> find(const std::string& name) const { return search(name).command; }

  LookupOptions options;
};

// "typescript-linux-x64": the native package of this machine.
std::string native_package() {
  utsname name{};
  REQUIRE(::uname(&name) == 0);
  const std::string machine = name.machine;
  return "typescript-linux-" + (machine == "x86_64" ? "x64" : machine == "aarch64" ? "arm64" : machine);
}

std::string package(const std::string& folder, const std::string& name, const std::string& version) {
  return fmt::format(R"({}/package.json={{"name":"{}","version":"{}"}})", folder, name, version);
}

// What `npm install typescript@7` leaves in `modules`, with the native program in those of `native`.
std::string typescript7(const std::string& modules, const std::string& native,
                        const std::string& name = "typescript") {
  return fmt::format("{}|{}/{}/bin/tsc=#!/usr/bin/env node\n|{}/@typescript/{}/lib/tsc|",
                     package(modules + "/" + name, "typescript", "7.0.2"), modules, name, native,
                     native_package());
}

// What `npm install typescript@5` leaves there, and typescript-language-server.
std::string typescript5(const std::string& modules) {
  return fmt::format("{}|{}/typescript/bin/tsc=#!/usr/bin/env node\n|{}/typescript/lib/tsserver.js|",
                     package(modules + "/typescript", "typescript", "5.9.3"), modules, modules);
}
const std::string language_server =
    package("beside/node_modules/typescript-language-server", "typescript-language-server", "4.4.1") +
    "|beside/node_modules/typescript-language-server/cli.mjs=#!/usr/bin/env node\n|bin/node|"
    "bin/typescript-language-server>../beside/node_modules/typescript-language-server/cli.mjs|";

std::string tsserver(const std::string& key, const std::string& modules) {
  return fmt::format(
      R"({{"disableAutomaticTypingAcquisition":true,"tsserver":{{"{}":"~/{}/typescript/lib/tsserver.js","useSyntaxServer":"never"}}}})",
      key, modules);
}

TEST_CASE("the program of a server, or why there is none") {
  struct Case {
    const char* server;
    std::string programs;      // Machine::install()'s
    std::string expected;      // the program, initialization options, or the error; `~`: the machine's folder
    const char* path = "bin";  // folders of the PATH
    bool trusted = false;
  };
  const std::string bin = "node_modules/.bin/";
  const std::string native = "node_modules/@typescript/" + native_package() + "/lib/tsc";
  const auto untrusted = [](const char* server, const std::string& program, const std::string& otherwise) {
    return fmt::format(
        "cannot start the server {}: ~/{} is in the project ~/project, and nothing in it is "
        "run unless it is trusted; pass --trust-project to run it, or {}",
        server, program, otherwise);
  };
  const std::string install7 = "install it elsewhere: npm install -g typescript@7";
  const std::string link7 = "bin/tsc>../lib/node_modules/typescript/bin/tsc";
  const std::string project7 = typescript7("project/node_modules", "project/node_modules") + "project/" +
                               bin + "tsc>../typescript/bin/tsc";
  const std::string needs5 =
      "cannot start ~/bin/typescript-language-server: it needs a TypeScript before 7 (lib/tsserver.js), none "
      "is on the PATH, and that of the project is not run unless the project is trusted; install one: npm "
      "install --prefix ~/.local/lib/symbols/servers typescript@5, or pass --trust-project";
  const std::string global5 = language_server + typescript5("beside/node_modules") +
                              typescript5("global/node_modules") +
                              "bin/tsc>../global/node_modules/typescript/bin/tsc|";
  const Case cases[] = {
      // Commands in their order, each on the PATH and then in our own installs.
      {"json", "bin/vscode-json-languageserver", "~/bin/vscode-json-languageserver"},
      {"json", "bin/vscode-json-languageserver|own2/" + bin + "vscode-json-language-server",
       "~/own2/" + bin + "vscode-json-language-server"},
      {"json", "own1/" + bin + "vscode-json-language-server|own2/" + bin + "vscode-json-language-server",
       "~/own1/" + bin + "vscode-json-language-server"},
      {"json", "own1/" + bin + "vscode-json-language-server|bin/vscode-json-language-server",
       "~/bin/vscode-json-language-server"},
      // Our own install may be inside the project: that is then our own repository.
      {"pyright", "project/own/" + bin + "pyright-langserver", "~/project/own/" + bin + "pyright-langserver"},
      {"pyright", "",
       "cannot find the server pyright: there is no pyright-langserver on the PATH; install it: npm install "
       "-g pyright"},
      {"typescript", "",
       "cannot find the server typescript: there is no tsc of TypeScript 7 or later on the PATH; install it: "
       "npm install -g typescript@7"},
      {"clangd", "",
       "cannot find the server clangd: there is no clangd on the PATH; install it: apt install clangd-19"},
      {"json", "",
       "cannot find the server json: there is no vscode-json-language-server or vscode-json-languageserver "
       "on the PATH; install it: npm install -g vscode-langservers-extracted"},
      {"zls", "",
       "cannot find the server zls: there is no zls on the PATH; install it, see "
       "https://zigtools.org/zls/install"},
      // What is in the project.
      {"pyright", "project/bin/pyright-langserver",
       untrusted("pyright", "project/bin/pyright-langserver", "install it elsewhere: npm install -g pyright"),
       "project/bin:bin"},
      {"pyright", "project/bin/pyright-langserver", "~/project/bin/pyright-langserver", "project/bin", true},
      {"pyright", "project/bin/pyright-langserver|bin/pyright-langserver", "~/bin/pyright-langserver",
       "project/bin:bin"},
      {"zls", "bin/zls",
       "cannot start the server zls: it runs the project's build.zig, and nothing in a project is run unless "
       "it is trusted; pass --trust-project if you trust it"},
      {"zls", "bin/zls", "~/bin/zls", "bin", true},
      // A script needs its interpreter.
      {"pyright", "bin/pyright-langserver=#!/usr/bin/env node\n",
       "cannot start the server pyright: ~/bin/pyright-langserver needs node, which is not on the PATH; "
       "install it: apt install nodejs"},
      {"pyright", "bin/pyright-langserver=#!/usr/bin/env node\n|project/bin/node",
       "cannot start the server pyright: ~/bin/pyright-langserver needs ~/project/bin/node, which is in the "
       "project ~/project and is not run unless the project is trusted; install node elsewhere, or pass "
       "--trust-project",
       "bin:project/bin"},
      {"pyright", "bin/pyright-langserver=#!/usr/bin/env node\n|project/bin/node|usr/node",
       "~/bin/pyright-langserver", "bin:project/bin:usr"},
      // pip writes the interpreter's full path: here that of a virtual environment in the project.
      {"pylsp", "bin/pylsp=#!~/project/.venv/python\n|project/.venv/python",
       "cannot start the server pylsp: ~/bin/pylsp needs ~/project/.venv/python, which is in the project "
       "~/project and is not run unless the project is trusted; install the server elsewhere, or pass "
       "--trust-project"},
      {"pylsp", "bin/pylsp=#!~/project/.venv/python\n",
       "cannot start the server pylsp: ~/bin/pylsp needs ~/project/.venv/python, which does not exist; "
       "install the server again"},
      {"clangd", "bin/clangd>clangd-14|bin/clangd-14|bin/clangd-19|project/bin/clangd-99", "~/bin/clangd-19",
       "project/bin:bin"},
      {"clangd", "bin/clangd>clangd-14|bin/clangd-14|bin/clangd-19|project/bin/clangd-99",
       "~/project/bin/clangd-99", "project/bin:bin", true},
      // TypeScript 7's native program is started without its Node script, wherever npm and pnpm put it.
      {"typescript", typescript7("lib/node_modules", "lib/node_modules") + link7, "~/lib/" + native},
      {"typescript", typescript7("lib/node_modules", "lib/node_modules/typescript/node_modules") + link7,
       "~/lib/node_modules/typescript/" + native},
      {"typescript", typescript7("lib/node_modules", "node_modules") + link7, "~/" + native},
      // A tsc of TypeScript 5 does not count; our own installs come after the PATH.
      {"typescript", typescript5("lib/node_modules") + link7 + "|bin/node",
       "cannot find the server typescript: there is no tsc of TypeScript 7 or later on the PATH; install it: "
       "npm install -g typescript@7"},
      {"typescript",
       typescript5("lib/node_modules") +
           typescript7("own1/node_modules", "own1/node_modules", "typescript7") + link7,
       "~/own1/" + native},
      {"typescript",
       typescript7("lib/node_modules", "lib/node_modules") +
           typescript7("own1/node_modules", "own1/node_modules", "typescript7") + link7,
       "~/lib/" + native},
      {"typescript",
       package("lib/node_modules/typescript", "typescript", "7.0.2") +
           "|lib/node_modules/typescript/bin/tsc|" + link7,
       "cannot start the server typescript: TypeScript 7.0.2 in ~/lib/node_modules/typescript lacks its "
       "package "
       "@typescript/" +
           native_package() + "; install it again: npm install -g typescript@7"},
      // The project's own is not run, by whatever link.
      {"typescript", project7, untrusted("typescript", "project/" + bin + "tsc", install7),
       "project/node_modules/.bin"},
      {"typescript", project7 + "|bin/tsc>../project/node_modules/typescript/bin/tsc",
       untrusted("typescript", "bin/tsc", install7)},
      {"typescript",
       project7 + "|" + package("lib/node_modules/typescript", "typescript", "7.0.2") +
           "|lib/node_modules/typescript/bin/tsc|" + link7 + "|lib/" + native + ">~/project/" + native,
       untrusted("typescript", "lib/" + native, install7)},
      {"typescript", project7 + "|" + typescript7("own1/node_modules", "own1/node_modules", "typescript7"),
       "~/own1/" + native, "project/node_modules/.bin"},
      {"typescript", project7, "~/project/" + native, "project/node_modules/.bin", true},
      // typescript-language-server is given a TypeScript before 7, lest it take the project's.
      {"typescript-language-server", language_server + typescript5("project/node_modules"), needs5},
      {"typescript-language-server",
       language_server + typescript7("lib/node_modules", "lib/node_modules") + link7, needs5},
      {"typescript-language-server",
       language_server + typescript5("project/node_modules") + "project/" + bin + "tsc>../typescript/bin/tsc",
       needs5, "project/node_modules/.bin:bin"},
      {"typescript-language-server",
       language_server + typescript5("project/node_modules") +
           "beside/node_modules/typescript>~/project/node_modules/typescript",
       needs5},
      {"typescript-language-server",
       language_server + typescript5("project/node_modules") +
           package("global/node_modules/typescript", "typescript", "5.9.3") +
           "|global/node_modules/typescript/bin/tsc|bin/tsc>../global/node_modules/typescript/bin/tsc|"
           "global/node_modules/typescript/lib/tsserver.js>~/project/node_modules/typescript/lib/tsserver.js",
       needs5},
      {"typescript-language-server", language_server + typescript5("beside/node_modules"),
       tsserver("path", "beside/node_modules")},
      {"typescript-language-server", global5, tsserver("path", "global/node_modules")},
      {"typescript-language-server", global5 + typescript5("own1/node_modules"),
       tsserver("path", "own1/node_modules")},
      {"typescript-language-server", global5 + typescript5("own1/node_modules"),
       tsserver("fallbackPath", "own1/node_modules"), "bin", true},
  };
  for (const Case& c : cases) {
    CAPTURE(c.server);
    CAPTURE(c.programs);
    Machine machine(c.programs);
    machine.options.path.clear();
    for (const std::string_view folder : split(c.path, ':'))
      machine.options.path += machine.path(std::string(folder)) + ":";
    machine.options.trust_project = c.trusted;
    const auto [command, is_missing] = machine.search(c.server);
    CHECK((!command                      ? command.error().text()
           : c.expected.starts_with('{') ? command->initialization_options
                                         : command->program) == machine.here(c.expected));
    CHECK(is_missing == c.expected.starts_with("cannot find"));
  }
}

TEST_CASE("what a server is started with") {
  const Machine machine("bin/gopls|bin/lua-language-server|bin/marksman");
  const ServerCommand go = machine.find("gopls").value();
  CHECK(go.arguments.empty());
  CHECK(go.display == go.program);
  CHECK(go.initialization_options == R"({"pullDiagnostics":true})");
  CHECK_FALSE(go.wait_for_progress);
  CHECK(machine.find("lua-language-server")->wait_for_progress);
  CHECK(machine.find("marksman")->arguments == std::vector<std::string>{"server"});
  CHECK(machine.find("marksman")->display == machine.path("bin/marksman") + " server");
}

TEST_CASE("a user's own command is started as it is, if it is not in the project") {
  const Machine machine("bin/clangd|bin/clangd-19|project/bin/clangd-99");
  struct Case {
    std::string command;
    std::string program;  // empty: none
  };
  const Case cases[] = {
      {"clangd", machine.path("bin/clangd")},
      {machine.path("bin/clangd-19"), machine.path("bin/clangd-19")},
      {machine.path("project/bin/clangd-99"), ""},
  };
  for (const Case& c : cases) {
    ServerSpec own = *registry().by_name("clangd");
    own.commands = {{c.command, "--log=error"}};
    own.command_from_user = true;
    const Result<ServerCommand> command = find_server(own, machine.options).command;
    CHECK((command ? command->program : "") == c.program);
    if (command) CHECK(command->arguments == std::vector<std::string>{"--log=error"});
  }
}

// The value that `command` sets `name` to; "(unset)" if it sets none.
std::string variable(const ServerCommand& command, const std::string& name) {
  for (const std::string& entry : command.environment) {
    if (entry.starts_with(name + "=")) return entry.substr(name.size() + 1);
  }
  return "(unset)";
}

TEST_CASE("what a server itself starts is not in the project either") {
  Machine machine("bin/gopls");
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

TEST_CASE("a user's options join ours, and those for a project that is not trusted override them") {
  Machine machine("bin/svelteserver|" + language_server + typescript5("beside/node_modules"));
  const auto options = [&machine](const char* server, const char* users) {
    ServerSpec spec = *registry().by_name(server);
    spec.initialization_options = users;
    return find_server(spec, machine.options).command->initialization_options;
  };
  CHECK(options("svelte", "") == R"({"isTrusted":false})");
  const char* const users = R"({"isTrusted":true,"config":{"a":1}})";
  CHECK(options("svelte", users) == R"({"isTrusted":false,"config":{"a":1}})");
  CHECK(
      options("typescript-language-server", R"({"hostInfo":"x","tsserver":{"useSyntaxServer":"auto"}})") ==
      machine.here(
          R"({"disableAutomaticTypingAcquisition":true,"tsserver":{"path":")"
          R"(~/beside/node_modules/typescript/lib/tsserver.js","useSyntaxServer":"auto"},"hostInfo":"x"})"));
  machine.options.trust_project = true;
  CHECK(options("svelte", users) == users);
}

TEST_CASE("rust-analyzer runs neither the project's toolchain nor its build scripts") {
  Machine machine("cargo/rustup|bin/rust-analyzer>../cargo/rustup");
  machine.options.rustup_home = machine.path("rustup");
  machine.write("rustup/settings.toml",
                "version = \"12\"\ndefault_toolchain = \"stable-x\"\n\n[overrides]\n");
  CHECK(
      machine.find("rust-analyzer").error().text() ==
      "cannot start the server rust-analyzer: " + machine.path("bin/rust-analyzer") +
          " is a rustup proxy, and the toolchain stable-x has no rust-analyzer; install it: rustup component "
          "add rust-analyzer");
  // Only rustup can tell whether the project's toolchain has one.
  machine.options.trust_project = true;
  CHECK(machine.find("rust-analyzer")->program == machine.path("bin/rust-analyzer"));
  CHECK(machine.find("rust-analyzer")->initialization_options.empty());
  CHECK(machine.find("rust-analyzer")->environment.empty());
  machine.options.trust_project = false;

  machine.install("rustup/toolchains/stable-x/bin/rust-analyzer");
  const ServerCommand command = machine.find("rust-analyzer").value();
  CHECK(command.program == machine.path("bin/rust-analyzer"));
  CHECK(variable(command, "RUSTUP_TOOLCHAIN") == "stable-x");
  CHECK(variable(command, "RUSTC") == "rustc");
  for (const char* name : {"RUSTC_WRAPPER", "RUSTC_WORKSPACE_WRAPPER", "RUSTFLAGS", "RUSTDOCFLAGS"})
    CHECK_MESSAGE(variable(command, name).empty(), name);
  CHECK(command.initialization_options.find(R"("buildScripts":{"enable":false})") != std::string::npos);
  CHECK(command.initialization_options.find(R"("procMacro":{"enable":false})") != std::string::npos);

  machine.options.rustup_toolchain = "nightly";  // the user's own, by RUSTUP_TOOLCHAIN
  CHECK(machine.find("rust-analyzer").has_error());
  machine.install("rustup/toolchains/nightly-x/bin/rust-analyzer");
  CHECK(variable(*machine.find("rust-analyzer"), "RUSTUP_TOOLCHAIN") == "(unset)");

  // One that is not rustup's comes next on the PATH.
  machine.options.rustup_toolchain = "missing";
  machine.install("usr/rust-analyzer");
  machine.options.path += ":" + machine.path("usr");
  CHECK(machine.find("rust-analyzer")->program == machine.path("usr/rust-analyzer"));
}

TEST_CASE("the first server found answers for a file") {
  Machine machine;
  const auto find = [&](const char* file, std::string_view first_line = {}) {
    return find_server_for_file(registry(), file, first_line, machine.options);
  };
  CHECK(find("a.py").error().message.starts_with("cannot find the server pyright: "));
  CHECK(find("notes.txt").error().text() ==
        "cannot answer for notes.txt: no language server is known for such files; name one with --server, or "
        "add it to symbols/servers.json in your configuration folder");

  // The error of a server that is here but not run is more useful than that of a missing preferred one.
  const std::string inside = write_program(machine, "project/bin/basedpyright-langserver");
  machine.options.path += ":" + machine.path("project/bin");
  CHECK(find("a.py").error().message.starts_with("cannot start the server basedpyright: " + inside));

  const std::string pylsp = write_program(machine, "bin/pylsp");
  CHECK(find("a.py")->command.program == pylsp);
  CHECK(find("a.py")->spec == registry().by_name("pylsp"));
  CHECK(find("script", "#!/usr/bin/env python3")->command.program == pylsp);
  CHECK(find("script", "#!/bin/sh").has_error());
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

}  // namespace server_lookup_test
}  // namespace symbols::servers
