#include "proxy/servers/server_registry.h"

#include <doctest/doctest.h>

#include <set>

#include "lsp/json/json_document.h"
#include "tests/proxy/temporary_folder.h"

namespace symbols::servers {
namespace {

std::vector<std::string> names_of(const std::vector<const ServerSpec*>& specs) {
  std::vector<std::string> names;
  for (const ServerSpec* spec : specs) names.push_back(spec->name);
  return names;
}

TEST_CASE("the built-in list is sound") {
  std::set<std::string> names;
  for (const ServerSpec& spec : known_servers()) {
    CAPTURE(spec.name);
    CHECK(names.insert(spec.name).second);
    CHECK_FALSE(spec.install.empty());
    CHECK_FALSE(spec.version_arguments.empty());
    REQUIRE_FALSE(spec.commands.empty());
    for (const std::vector<std::string>& command : spec.commands) REQUIRE_FALSE(command.empty());
    REQUIRE_FALSE(spec.languages.empty());  // an id that the list of languages lacks would leave none
    for (const std::string& marker : spec.root_markers.project) CHECK(marker.front() != '/');
    if (!spec.untrusted_options.empty()) CHECK(lsp::parse_json(spec.untrusted_options)->IsObject());
    for (const std::string& variable : spec.untrusted_environment) CHECK(variable.find('=') != 0);
  }
}

TEST_CASE("which server answers for a file, and in which language") {
  struct Case {
    const char* file;
    std::vector<std::string> servers;
    const char* language;
    const char* first_line = "";
  };
  const std::vector<std::string> clangd{"clangd", "ccls"};
  const std::vector<std::string> typescript{"typescript", "typescript-language-server"};
  const std::vector<std::string> python{"pyright", "basedpyright", "pylsp"};
  const Case cases[] = {
      {"a.c", clangd, "c"},
      {"a.h", clangd, "cpp"},
      {"/x/y/a.cc", clangd, "cpp"},
      {"a.C", clangd, "cpp"},
      {"a.H", clangd, "cpp"},
      {"A.CPP", clangd, "cpp"},
      {"a.m", clangd, "objective-c"},
      {"a.mm", clangd, "objective-cpp"},
      {"a.ts", typescript, "typescript"},
      {"a.d.ts", typescript, "typescript"},
      {"a.mts", typescript, "typescript"},
      {"a.tsx", typescript, "typescriptreact"},
      {"a.js", typescript, "javascript"},
      {"a.jsx", typescript, "javascriptreact"},
      {"a.py", python, "python"},
      {"a.pyi", python, "python"},
      {"SConstruct", python, "python"},
      {"a.go", {"gopls"}, "go"},
      {"a.rs", {"rust-analyzer"}, "rust"},
      {"a.sh", {"bash-language-server"}, "shellscript"},
      {".bashrc", {"bash-language-server"}, "shellscript"},
      {"a.css", {"css"}, "css"},
      {"a.scss", {"css"}, "scss"},
      {"a.less", {"css"}, "less"},
      {"a.html", {"html"}, "html"},
      {"package.json", {"json"}, "json"},
      {"x/tsconfig.json", {"json"}, "jsonc"},
      {"a.jsonc", {"json"}, "jsonc"},
      {"a.yml", {"yaml-language-server"}, "yaml"},
      {"Dockerfile", {"docker"}, "dockerfile"},
      {"CMakeLists.txt", {"cmake-language-server"}, "cmake"},
      {"a.java", {"jdtls"}, "java"},
      {"Gemfile", {"ruby-lsp", "solargraph"}, "ruby"},
      {"notes.txt", {}, ""},
      {".c", {}, ""},
      {"c", {}, ""},
      {"", {}, ""},
      {"script", {}, ""},
      {"script", python, "python", "#!/usr/bin/env python3"},
      {"script", python, "python", "#!/usr/bin/python3.11 -I\nimport x"},
      {"script", {"bash-language-server"}, "shellscript", "#!/bin/sh\n"},
      {"script", typescript, "javascript", "#!/usr/bin/env -S node --flag\n"},
      {"script", {}, "", "#!/usr/bin/env awk"},
      {"script.txt", {}, "", "#!/bin/sh"},
      {"a.py", python, "python", "#!/bin/sh"},
  };
  const ServerRegistry registry = ServerRegistry::built_in();
  for (const Case& c : cases) {
    CAPTURE(c.file);
    CAPTURE(c.first_line);
    CHECK(names_of(registry.candidates(c.file, c.first_line)) == c.servers);
    CHECK(registry.language_id(c.file, c.first_line) == c.language);
    const ServerSpec* preferred = registry.for_file(c.file, c.first_line);
    CHECK((preferred == nullptr ? "" : preferred->name) == (c.servers.empty() ? "" : c.servers.front()));
  }
}

TEST_CASE("servers by name and by program") {
  const ServerRegistry registry = ServerRegistry::built_in();
  CHECK(registry.by_name("css")->commands.front().front() == "vscode-css-language-server");
  CHECK(registry.by_name("vscode-css-language-server") == nullptr);
  struct Case {
    const char* program;
    const char* server;
  };
  const Case cases[] = {{"clangd", "clangd"},
                        {"clangd-19", "clangd"},
                        {"vscode-css-language-server", "css"},
                        {"tsc", "typescript"},
                        {"rust-analyzer", "rust-analyzer"},
                        {"clangd-x", nullptr},
                        {"clangd-", nullptr},
                        {"bash", nullptr},
                        {"", nullptr}};
  for (const Case& c : cases) {
    CAPTURE(c.program);
    const ServerSpec* spec = registry.by_program(c.program);
    CHECK((spec == nullptr ? "" : spec->name) == (c.server == nullptr ? "" : c.server));
  }
}

TEST_CASE("a user's servers come before the built-in ones") {
  const TemporaryFolder folder;
  const std::string file = folder.write("servers.json", R"({"servers": [
    {"name": "mine", "command": ["my-server", "--stdio"],
     "languages": [{"id": "python", "extensions": [".py", ".json"]}, {"id": "mine", "file_names": ["Minefile"]}],
     "initialization_options": {"a": [1, 2.5, "x"]}},
    {"name": "pylsp", "install": "ask Anna", "wait_for_progress": true},
    {"name": "careful", "command": ["/opt/rust-analyzer"], "languages": [{"id": "rust", "extensions": [".rs"]}]}
  ]})");
  const Result<ServerRegistry> registry = ServerRegistry::load(file);
  REQUIRE(registry.has_value());
  CHECK(names_of(registry->candidates("a.py")) ==
        std::vector<std::string>{"mine", "pylsp", "pyright", "basedpyright"});
  CHECK(names_of(registry->candidates("tsconfig.json")) == std::vector<std::string>{"mine", "json"});
  CHECK(names_of(registry->candidates("Minefile")) == std::vector<std::string>{"mine"});
  CHECK(registry->language_id("Minefile") == "mine");
  CHECK(registry->by_name("mine")->initialization_options == R"({"a":[1,2.5,"x"]})");
  CHECK(registry->by_name("mine")->command_from_user);

  const ServerSpec& pylsp = *registry->by_name("pylsp");
  CHECK(pylsp.commands == ServerRegistry::built_in().by_name("pylsp")->commands);
  CHECK_FALSE(pylsp.command_from_user);
  CHECK(pylsp.install == "ask Anna");
  CHECK(pylsp.wait_for_progress);

  // Under any name: a program that runs what is in the project gets the settings against it.
  const ServerSpec& careful = *registry->by_name("careful");
  CHECK(careful.kind == ServerKind::rust_analyzer);
  CHECK(careful.untrusted_options == registry->by_name("rust-analyzer")->untrusted_options);
  CHECK_FALSE(careful.untrusted_environment.empty());

  CHECK(registry->servers().size() == known_servers().size() + 2);
  CHECK(ServerRegistry::load({})->servers() == known_servers());
  CHECK(ServerRegistry::load(folder.path("missing.json"))->servers() == known_servers());
}

TEST_CASE("a new server needs a command and languages") {
  const TemporaryFolder folder;
  const std::string file =
      folder.write("servers.json", R"({"servers": [{"name": "zls2", "command": ["zls"]}]})");
  const Result<ServerRegistry> registry = ServerRegistry::load(file);
  REQUIRE(registry.has_error());
  CHECK(registry.error().message ==
        file + ": server \"zls2\": must have command and languages, as no built-in server has that name");
}

}  // namespace
}  // namespace symbols::servers
