#include "proxy/servers/server_registry.h"

#include <doctest/doctest.h>

#include <set>

#include "base/text.h"
#include "lsp/json/json_document.h"
#include "tests/proxy/temporary_folder.h"

namespace symbols::servers {
namespace server_registry_test {

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
    std::vector<std::string> servers;
    const char* files;  // each with its language, behind `=`
    const char* first_line = "";
  };
  const std::vector<std::string> clangd{"clangd", "ccls"};
  const std::vector<std::string> typescript{"typescript", "typescript-language-server"};
  const std::vector<std::string> python{"pyright", "basedpyright", "pylsp"};
  const std::vector<std::string> bash{"bash-language-server"};
  const Case cases[] = {
      {clangd, "a.c=c a.h=cpp /x/y/a.cc=cpp a.C=cpp a.H=cpp A.CPP=cpp a.m=objective-c a.mm=objective-cpp"},
      {typescript, "a.ts=typescript a.d.ts=typescript a.mts=typescript a.tsx=typescriptreact"},
      {typescript, "a.js=javascript a.jsx=javascriptreact"},
      {python, "a.py=python a.pyi=python SConstruct=python"},
      {{"gopls"}, "a.go=go"},
      {{"rust-analyzer"}, "a.rs=rust"},
      {bash, "a.sh=shellscript .bashrc=shellscript"},
      {{"css"}, "a.css=css a.scss=scss a.less=less"},
      {{"html"}, "a.html=html"},
      {{"json"}, "package.json=json x/tsconfig.json=jsonc a.jsonc=jsonc"},
      {{"yaml-language-server"}, "a.yml=yaml"},
      {{"docker"}, "Dockerfile=dockerfile"},
      {{"cmake-language-server"}, "CMakeLists.txt=cmake"},
      {{"jdtls"}, "a.java=java"},
      {{"ruby-lsp", "solargraph"}, "Gemfile=ruby"},
      {{}, "notes.txt= .c= c= = script="},
      {python, "script=python", "#!/usr/bin/env python3"},
      {python, "script=python", "#!/usr/bin/python3.11 -I\nimport x"},
      {bash, "script=shellscript", "#!/bin/sh\n"},
      {typescript, "script=javascript", "#!/usr/bin/env -S node --flag\n"},
      {{}, "script=", "#!/usr/bin/env awk"},
      {{}, "script.txt=", "#!/bin/sh"},
      {python, "a.py=python", "#!/bin/sh"},
  };
  const ServerRegistry registry = ServerRegistry::built_in();
  for (const Case& c : cases) {
    for (std::string_view language : split(c.files, ' ')) {
      const std::string file(take_part(language, '='));
      CAPTURE(file);
      CAPTURE(c.first_line);
      CHECK(names_of(registry.candidates(file, c.first_line)) == c.servers);
      CHECK(registry.language_id(file, c.first_line) == language);
      const ServerSpec* preferred = registry.for_file(file, c.first_line);
      CHECK((preferred == nullptr ? "" : preferred->name) == (c.servers.empty() ? "" : c.servers.front()));
    }
  }
}

TEST_CASE("servers by name and by program") {
  const ServerRegistry registry = ServerRegistry::built_in();
  CHECK(registry.by_name("css")->commands.front().front() == "vscode-css-language-server");
  CHECK(registry.by_name("vscode-css-language-server") == nullptr);
  const std::pair<const char*, const char*> cases[] = {
      {"clangd", "clangd"}, {"clangd-19", "clangd"}, {"vscode-css-language-server", "css"},
      {"clangd-x", ""},     {"clangd-", ""},         {"", ""}};
  for (const auto& [program, server] : cases) {
    CAPTURE(program);
    const ServerSpec* spec = registry.by_program(program);
    CHECK((spec == nullptr ? "" : spec->name) == server);
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
  CHECK(ServerRegistry::load(folder.make_folder("d")).error().message ==
        "cannot read " + folder.path("d") + ": it is a folder, not a file");
}

}  // namespace server_registry_test
}  // namespace symbols::servers
