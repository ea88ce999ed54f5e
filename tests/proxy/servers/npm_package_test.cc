#include "proxy/servers/npm_package.h"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/utsname.h>

#include "proxy/servers/server_lookup.h"
#include "proxy/servers/server_registry.h"
#include "tests/proxy/program_files.h"

namespace symbols::servers {
namespace {

TEST_CASE("the package that a program belongs to") {
  const TemporaryFolder folder;
  folder.write("package.json", R"({"name":"outer","version":"1.0.0"})");
  folder.write("node_modules/tool/package.json", R"({"name":"tool","version":"2.3.4"})");
  folder.write("node_modules/tool/dist/package.json", R"({"type":"module"})");
  write_program(folder, "node_modules/tool/dist/bin/cli.js");
  folder.write("node_modules/@scope/tool/package.json",
               R"({"name":"@scope/tool","version":"10.0.0-beta.1"})");
  write_program(folder, "node_modules/@scope/tool/cli.js");
  folder.write("node_modules/broken/package.json", R"({"name":"broken")");
  write_program(folder, "node_modules/broken/cli.js");
  folder.write("node_modules/odd/package.json", R"({"name":1,"version":{}})");
  write_program(folder, "node_modules/odd/cli.js");
  folder.make_folder("node_modules/.bin");
  folder.link("node_modules/.bin/tool", "../tool/dist/bin/cli.js");
  write_program(folder, "node_modules/.bin/plain");
  write_program(folder, "a/b/c/d/e/f/g/deep");

  struct Case {
    const char* program;
    const char* name;  // null: none
    const char* version;
    int major;
  };
  const Case cases[] = {
      {"node_modules/tool/dist/bin/cli.js", "tool", "2.3.4", 2},
      {"node_modules/.bin/tool", "tool", "2.3.4", 2},
      {"node_modules/@scope/tool/cli.js", "@scope/tool", "10.0.0-beta.1", 10},
      {"node_modules/broken/cli.js", nullptr, "", 0},
      {"node_modules/odd/cli.js", nullptr, "", 0},
      {"node_modules/.bin/plain", nullptr, "",
       0},  // not the outer package's, though it is in its node_modules
      {"a/b/c/d/e/f/g/deep", nullptr, "", 0},
      {"missing", nullptr, "", 0},
  };
  for (const Case& c : cases) {
    CAPTURE(c.program);
    const std::optional<NpmPackage> package = npm_package_of(folder.path(c.program));
    REQUIRE(package.has_value() == (c.name != nullptr));
    if (!package) continue;
    CHECK(package->name == c.name);
    CHECK(package->version == c.version);
    CHECK(package->major_version() == c.major);
  }
}

TEST_CASE("packages above those of an install count only if no other user may write there") {
  const TemporaryFolder folder;
  const auto package = [&folder](const std::string& inside) {
    folder.write(inside + "/package.json", R"({"name":"tool","version":"1.0.0"})");
    return read_npm_package(folder.path(inside)).value();
  };
  const NpmPackage installed = package("srv/node_modules/tool");
  const NpmPackage source = package("srv/packages/source");
  const std::string beside = folder.make_folder("srv/node_modules/@scope/beside");
  const std::string above = folder.make_folder("node_modules/above");
  const std::string own = folder.make_folder("srv/node_modules/tool/node_modules/own");
  CHECK(resolve_npm_package(installed, "own") == own);
  CHECK(resolve_npm_package(installed, "@scope/beside") == beside);
  CHECK(resolve_npm_package(installed, "above") == above);
  CHECK(resolve_npm_package(source, "@scope/beside") == beside);
  REQUIRE(::chmod(folder.path("node_modules").c_str(), 0777) == 0);
  REQUIRE(::chmod(folder.path("srv/node_modules").c_str(), 0777) == 0);
  CHECK(resolve_npm_package(installed, "own") == own);
  CHECK(resolve_npm_package(installed, "@scope/beside") == beside);
  CHECK(resolve_npm_package(installed, "above").empty());
  CHECK(resolve_npm_package(source, "@scope/beside").empty());
}

constexpr std::string_view node_script = "#!/usr/bin/env node\n";

// "linux-x64", as Node calls the machine that this runs on.
std::string this_machine() {
  utsname name{};
  REQUIRE(::uname(&name) == 0);
  const std::string machine = name.machine;
  const std::string architecture = machine == "x86_64" ? "x64" : machine == "aarch64" ? "arm64" : machine;
  return (std::string(name.sysname) == "Darwin" ? "darwin-" : "linux-") + architecture;
}

class Machine : public TemporaryFolder {
 public:
  Machine() {
    make_folder("project");
    options.project_root = path("project");
    options.path = path("bin");
    write_program(*this, "bin/node",
                  "\x7f"
                  "ELF");
  }

  void package(const std::string& folder, const std::string& name, const std::string& version) const {
    write(folder + "/package.json", fmt::format(R"({{"name":"{}","version":"{}"}})", name, version));
  }

  // npm install typescript@7 in `folder`, with its program linked at `link` (may be empty). The native
  // program's path.
  std::string install_native(const std::string& folder, const std::string& name,
                             const std::string& link) const {
    package(folder + "/node_modules/" + name, "typescript", "7.0.2");
    const std::string script =
        write_program(*this, folder + "/node_modules/" + name + "/bin/tsc", node_script);
    const std::string native = folder + "/node_modules/@typescript/typescript-" + this_machine();
    package(native, "@typescript/x", "7.0.2");
    if (!link.empty()) {
      make_folder(std::filesystem::path(link).parent_path().string());
      TemporaryFolder::link(link, script);
    }
    return write_program(*this, native + "/lib/tsc");
  }

  // npm install typescript@5. The path of its tsserver.js.
  std::string install_classic(const std::string& folder, const std::string& link) const {
    package(folder + "/node_modules/typescript", "typescript", "5.9.3");
    const std::string script = write_program(*this, folder + "/node_modules/typescript/bin/tsc", node_script);
    if (!link.empty()) TemporaryFolder::link(link, script);
    return write(folder + "/node_modules/typescript/lib/tsserver.js");
  }

  // npm install typescript-language-server. Its program, on the PATH.
  std::string install_language_server(const std::string& folder) const {
    package(folder + "/node_modules/typescript-language-server", "typescript-language-server", "4.4.1");
    const std::string script =
        write_program(*this, folder + "/node_modules/typescript-language-server/lib/cli.mjs", node_script);
    return TemporaryFolder::link("bin/typescript-language-server", script);
  }

  Result<ServerCommand> find(const std::string& name) const {
    return find_server(*ServerRegistry::built_in().by_name(name), options).command;
  }

  LookupOptions options;
};

TEST_CASE("TypeScript 7's native program is started without its Node script") {
  Machine machine;
  std::filesystem::remove(machine.path("bin/node"));
  const std::string native = machine.install_native("lib", "typescript", "bin/tsc");
  const ServerCommand command = machine.find("typescript").value();
  CHECK(command.program == native);
  CHECK(command.arguments == std::vector<std::string>{"--lsp", "--stdio"});
}

TEST_CASE("npm install -g and pnpm put the native package inside or beside the other") {
  for (const std::string place :
       {"lib/node_modules/typescript/node_modules", "lib/node_modules", "node_modules"}) {
    const Machine machine;
    machine.package("lib/node_modules/typescript", "typescript", "7.1.0");
    write_program(machine, "lib/node_modules/typescript/bin/tsc", node_script);
    machine.link("bin/tsc", "../lib/node_modules/typescript/bin/tsc");
    const std::string native =
        write_program(machine, place + "/@typescript/typescript-" + this_machine() + "/lib/tsc");
    CAPTURE(place);
    CHECK(machine.find("typescript")->program == native);
  }
}

TEST_CASE("which TypeScript 7 is taken") {
  Machine machine;
  machine.options.own_installs = {machine.path("own")};
  // A tsc of TypeScript 5 does not count.
  machine.install_classic("classic", "bin/tsc");
  CHECK(machine.find("typescript").has_error());
  CHECK(find_server(*ServerRegistry::built_in().by_name("typescript"), machine.options).is_missing);

  const std::string own = machine.install_native("own", "typescript7", "");
  CHECK(machine.find("typescript")->program == own);

  const std::string later = machine.install_native("later", "typescript", "later/bin/tsc");
  machine.options.path += ":" + machine.path("later/bin");
  CHECK(machine.find("typescript")->program == later);
}

TEST_CASE("an install without the native package is reported") {
  const Machine machine;
  const std::string native = machine.install_native("lib", "typescript", "bin/tsc");
  std::filesystem::remove(native);
  CHECK(machine.find("typescript").error().text() ==
        "cannot start the server typescript: TypeScript 7.0.2 in " +
            machine.path("lib/node_modules/typescript") + " lacks its package @typescript/typescript-" +
            this_machine() + "; install it again: npm install -g typescript@7");
}

TEST_CASE("the project's own TypeScript 7 is not run") {
  Machine machine;
  machine.options.own_installs = {machine.path("own")};
  const std::string inside = machine.install_native("project", "typescript", "project/node_modules/.bin/tsc");
  machine.options.path = machine.path("project/node_modules/.bin");
  CHECK(machine.find("typescript").error().text() ==
        "cannot start the server typescript: " + machine.path("project/node_modules/.bin/tsc") +
            " is in the project " + machine.path("project") +
            ", and nothing in it is run unless it is trusted; pass --trust-project to run it, or install it "
            "elsewhere: npm install -g typescript@7");

  // The same for a link outside of it, and for a native package that leads into it.
  machine.link("bin/tsc", machine.path("project/node_modules/typescript/bin/tsc"));
  machine.options.path = machine.path("bin");
  CHECK(machine.find("typescript").has_error());
  std::filesystem::remove(machine.path("bin/tsc"));
  const std::string half = machine.install_native("half", "typescript", "bin/tsc");
  std::filesystem::remove(half);
  machine.link("half/node_modules/@typescript/typescript-" + this_machine() + "/lib/tsc", inside);
  CHECK(machine.find("typescript").has_error());

  const std::string own = machine.install_native("own", "typescript7", "");
  CHECK(machine.find("typescript")->program == own);
  machine.options.trust_project = true;
  machine.options.path = machine.path("project/node_modules/.bin");
  CHECK(machine.find("typescript")->program == inside);
}

TEST_CASE("typescript-language-server is given a TypeScript, lest it take the project's") {
  Machine machine;
  machine.options.own_installs = {machine.path("own")};
  const std::string server = machine.install_language_server("beside");
  machine.install_classic("project", "");

  const std::string without =
      "cannot start " + server +
      ": it needs a TypeScript before 7 (lib/tsserver.js), none is on the PATH, and that of "
      "the project is not run unless the project is trusted; install one: npm install --prefix "
      "~/.local/lib/symbols/servers typescript@5, or pass --trust-project";
  CHECK(machine.find("typescript-language-server").error().text() == without);
  // Version 7 has no tsserver.js.
  machine.install_native("seven", "typescript", "bin/tsc");
  CHECK(machine.find("typescript-language-server").error().text() == without);
  std::filesystem::remove(machine.path("bin/tsc"));
  // The project's is not taken even if it is on the PATH.
  machine.make_folder("project/node_modules/.bin");
  machine.link("project/node_modules/.bin/tsc", "../typescript/bin/tsc");
  machine.options.path = machine.path("project/node_modules/.bin") + ":" + machine.path("bin");
  CHECK(machine.find("typescript-language-server").error().text() == without);

  const auto options_with = [](const std::string& key, const std::string& tsserver) {
    return fmt::format(
        R"({{"disableAutomaticTypingAcquisition":true,"tsserver":{{"{}":"{}","useSyntaxServer":"never"}}}})",
        key, tsserver);
  };
  const auto options_now = [&] { return machine.find("typescript-language-server")->initialization_options; };
  const std::string beside = machine.install_classic("beside", "");
  CHECK(options_now() == options_with("path", beside));
  const std::string on_path = machine.install_classic("global", "bin/tsc");
  CHECK(options_now() == options_with("path", on_path));
  const std::string own = machine.install_classic("own", "");
  CHECK(options_now() == options_with("path", own));

  // Trusted: the project's own, and ours only if it has none.
  machine.options.trust_project = true;
  CHECK(options_now() == options_with("fallbackPath", own));
  CHECK(machine.find("typescript-language-server")->environment.empty());
}

TEST_CASE("a TypeScript that is a link into the project is the project's") {
  Machine machine;
  machine.install_language_server("beside");
  machine.install_classic("project", "");
  machine.link("beside/node_modules/typescript", machine.path("project/node_modules/typescript"));
  CHECK(machine.find("typescript-language-server").has_error());
  machine.install_classic("global", "bin/tsc");
  std::filesystem::remove(machine.path("global/node_modules/typescript/lib/tsserver.js"));
  machine.link("global/node_modules/typescript/lib/tsserver.js",
               machine.path("project/node_modules/typescript/lib/tsserver.js"));
  CHECK(machine.find("typescript-language-server").has_error());
  machine.options.project_root = machine.make_folder("other");
  CHECK(machine.find("typescript-language-server").has_value());
}

TEST_CASE("a user's options for typescript-language-server join ours") {
  Machine machine;
  machine.install_language_server("lib");
  const std::string tsserver = machine.install_classic("lib", "bin/tsc");
  ServerSpec spec = *ServerRegistry::built_in().by_name("typescript-language-server");
  spec.initialization_options = R"({"hostInfo":"x","tsserver":{"useSyntaxServer":"auto"}})";
  CHECK(find_server(spec, machine.options).command->initialization_options ==
        R"({"disableAutomaticTypingAcquisition":true,"tsserver":{"path":")" + tsserver +
            R"(","useSyntaxServer":"auto"},"hostInfo":"x"})");
}

}  // namespace
}  // namespace symbols::servers
