// When a file has to be asked about again: what its fingerprint depends on, and what not.
#include "proxy/index/index_plan.h"

#include <doctest/doctest.h>

#include <cstdlib>

#include "tests/proxy/temporary_folder.h"

namespace symbols::index {
namespace {

struct Project {
  TemporaryFolder folder;
  servers::ServerRegistry registry = servers::ServerRegistry::built_in();
  std::string version = "1";
  batch::DocumentJob cpp = job("p/a.cc", "clangd");
  batch::DocumentJob script = job("p/a.ts", "typescript");

  Project() {
    ::setenv("XDG_CONFIG_HOME", folder.path("config").c_str(), 1);
    for (const char* const root : {"p/", "q/"}) {
      folder.write(root + std::string("a.cc"), "#include \"a.h\"\n");
      folder.write(root + std::string("a.h"));
      folder.write(root + std::string("a.ts"));
    }
  }
  ~Project() { ::unsetenv("XDG_CONFIG_HOME"); }
  Project(const Project&) = delete;
  Project& operator=(const Project&) = delete;

  batch::DocumentJob job(const std::string& file, const std::string& server) const {
    batch::DocumentJob made;
    made.path = folder.path(file);
    made.root = std::filesystem::path(made.path).parent_path().string();
    made.server.name = server;
    made.server.command.program = folder.write("bin/" + server, server);
    return made;
  }

  files::ContentHash fingerprint(const batch::DocumentJob& asked) const {
    IndexPlan plan(asked.root, registry, version, {});
    const Result<FileState> state = plan.state_of(asked);
    REQUIRE(state.has_value());
    return state->fingerprint;
  }
};

TEST_CASE("index plan: what a file is asked about again for") {
  struct Case {
    const char* what;
    void (*change)(Project&);
    bool of_cpp;     // a.cc is asked about again
    bool of_script;  // a.ts is
  };
  const Case cases[] = {
      {"nothing", [](Project&) {}, false, false},
      {"this program", [](Project& p) { p.version = "2"; }, true, true},
      {"the file", [](Project& p) { p.folder.write("p/a.cc", "#include \"a.h\"\nint a;\n"); }, true, false},
      {"an included file", [](Project& p) { p.folder.write("p/a.h", "int a;"); }, true, false},
      {"another file", [](Project& p) { p.folder.write("p/b.h", "int a;"); }, false, false},
      {"the server's program", [](Project& p) { p.folder.write("bin/clangd", "new"); }, true, false},
      {"its arguments", [](Project& p) { p.script.server.command.arguments = {"--x"}; }, false, true},
      {"its options", [](Project& p) { p.script.server.command.initialization_options = "{}"; }, false, true},
      {"its environment", [](Project& p) { p.script.server.command.environment = {"A=b"}; }, false, true},
      {"its settings", [](Project& p) { p.cpp.settings = "{}"; }, true, false},
      {"the user's settings of clangd",
       [](Project& p) { p.folder.write("config/clangd/config.yaml", "A: b"); }, true, false},
      {"the project's", [](Project& p) { p.folder.write("p/.clangd", "A: b"); }, true, false},
      {"compile flags", [](Project& p) { p.folder.write("p/compile_flags.txt", "-DA"); }, true, false},
      {"a marker of the server's projects", [](Project& p) { p.folder.write("p/tsconfig.json", "{}"); },
       false, true},
  };
  for (const Case& c : cases) {
    CAPTURE(c.what);
    Project project;
    const files::ContentHash cpp = project.fingerprint(project.cpp);
    const files::ContentHash script = project.fingerprint(project.script);
    c.change(project);
    CHECK((project.fingerprint(project.cpp) != cpp) == c.of_cpp);
    CHECK((project.fingerprint(project.script) != script) == c.of_script);
  }
}

TEST_CASE("index plan: where the project lies does not count") {
  const Project project;
  CHECK(project.fingerprint(project.job("q/a.cc", "clangd")) == project.fingerprint(project.cpp));
  CHECK(project.fingerprint(project.job("q/a.ts", "typescript")) == project.fingerprint(project.script));
}

}  // namespace
}  // namespace symbols::index
