// When a file has to be asked about again: what its fingerprint depends on, and what not; what it includes.
#include "proxy/index/index_plan.h"

#include <doctest/doctest.h>

#include <cstdlib>

#include "tests/proxy/temporary_folder.h"

namespace symbols::index {
namespace index_plan_test {

struct Project {
  TemporaryFolder folder;
  servers::ServerRegistry registry = servers::ServerRegistry::built_in();
  std::string version = "1";
  engine::DocumentJob cpp = job("p/a.cc", "clangd");
  engine::DocumentJob script = job("p/a.ts", "typescript");

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

  engine::DocumentJob job(const std::string& file, const std::string& server) const {
    engine::DocumentJob made;
    made.path = folder.path(file);
    made.root = std::filesystem::path(made.path).parent_path().string();
    made.server.name = server;
    made.server.command.program = folder.write("bin/" + server, server);
    return made;
  }

  files::ContentHash fingerprint(const engine::DocumentJob& asked) const {
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

using Words = std::set<std::string>;

TEST_CASE("compile commands: the folders that a compiler looks in") {
  const IncludeFolders found =
      include_folders({"c++", "-Iinc", "-I", "../up", "-isystem/usr/sys", "-iquote", "q", "-idirafter", "a",
                       "-include", "f.h", "-include-pch", "x.pch", "-c", "-I"},
                      "/p/build");
  CHECK(found.folders == Words{"/p/build", "/p/build/a", "/p/build/inc", "/p/build/q", "/p/up", "/usr/sys"});
  CHECK(found.forced == Words{"f.h"});
}

TEST_CASE("compile commands: each file has its own, a header that of them all") {
  TemporaryFolder folder;
  const auto write = [&](const std::string& words) {
    return CompileCommands(
        folder.write("compile_commands.json",
                     R"([{"directory": ".", "file": "a.cc", "command": "c++ -Ia -c a.cc"},)"
                     R"( {"directory": "sub", "file": "../b.cc", "arguments": ["c++", )" +
                         words + R"(, "-Ib", "-c"]}])"),
        folder.path(""));
  };
  const CompileCommands one = write("\"-DX\"");
  const CompileCommands other = write("\"-I\", null");  // what is no string is no argument
  CHECK(one.of(folder.path("a.cc")).hash == other.of(folder.path("a.cc")).hash);
  CHECK(one.of(folder.path("b.cc")).hash != other.of(folder.path("b.cc")).hash);
  CHECK(one.of(folder.path("c.h")).hash != other.of(folder.path("c.h")).hash);
  const auto folders_of = [&](const CompileCommands& commands, const char* file) {
    return commands.of(folder.path(file)).includes.folders;
  };
  const std::string sub = folder.path("sub");
  CHECK(folders_of(one, "b.cc") == Words{sub, sub + "/b"});
  CHECK(folders_of(other, "b.cc") == Words{sub, sub + "/-Ib"});
  CHECK(folders_of(one, "c.h") == Words{folder.path("."), folder.path("a"), sub, sub + "/b"});
  const CompileCommands flags(folder.write("compile_flags.txt", "-Iinclude\n-DX\n"), "");
  CHECK(folders_of(flags, "a.cc") == Words{folder.path(), folder.path("include")});
  const CompileCommands broken(folder.write("compile_commands.json", "[{"), "");
  const CompileCommands missing(folder.path("none.json"), "");
  CHECK(broken.of("/a.cc").includes.folders.empty());
  CHECK(broken.of("/a.cc").hash != missing.of("/a.cc").hash);
  CHECK(missing.of("/a.cc").hash == files::ContentHash{});
}

TEST_CASE("compile commands: a command is the same wherever the project lies") {
  const auto hash_in = [](const std::string& flag, const TemporaryFolder& folder) {
    const std::string root = folder.path("project");
    const std::string include = flag + (flag.ends_with('I') ? root : std::string()) + "/include";
    return CompileCommands(
               folder.write("project/compile_commands.json",
                            R"([{"directory": ")" + root + R"(", "file": "a.cc", "arguments": ["c++", ")" +
                                include + R"(", "-c"]}])"),
               root)
        .of(root + "/a.cc")
        .hash;
  };
  TemporaryFolder one;
  TemporaryFolder other;
  CHECK(hash_in("-I", one) == hash_in("-I", other));
  CHECK(hash_in("-I", one) != hash_in("-I/elsewhere", other));
}

TEST_CASE("source states: what a file includes, through others too, in the project") {
  TemporaryFolder folder;
  for (const auto& [path, text] : {std::pair{"src/main.cc", "#include \"near.h\"\n#include <lib/far.h>\n"},
                                   {"src/near.h", "#include \"../deep.h\"\n"},
                                   {"deep.h", "#include \"src/near.h\"\n"},  // a circle
                                   {"inc/lib/far.h", "#include \"beside.h\"\n"},
                                   {"inc/lib/beside.h", ""},
                                   {"forced.h", ""},
                                   {"src/angled.cc", "#include <near.h>\n#include <deep.h>\n#include <no>\n"},
                                   {"one/a.h", ""},
                                   {"two/a.h", ""},
                                   {"src/a.h", ""},
                                   {"src/h.h", "#include \"a.h\"\n"}})
    folder.write(path, text);
  struct Case {
    const char* file;
    IncludeFolders folders;
    std::vector<std::string> included;
  };
  const Case cases[] = {
      {"src/main.cc",
       {.folders = {folder.path("inc"), "/usr/include"}, .forced = {"forced.h"}},
       {"deep.h", "forced.h", "inc/lib/beside.h", "inc/lib/far.h", "src/near.h"}},
      {"src/main.cc", {}, {"deep.h", "src/near.h"}},
      {"deep.h", {}, {"src/near.h"}},
      {"missing.cc", {}, {}},
      {"src/angled.cc", {}, {"deep.h", "src/near.h"}},
      // Whichever comes first is not known.
      {"src/h.h", {.folders = {folder.path("one"), folder.path("two")}}, {"one/a.h", "src/a.h", "two/a.h"}},
  };
  SourceStates sources(folder.path(), {});
  for (const Case& c : cases) {
    CAPTURE(c.file);
    CHECK(sources.included_by(c.file, c.folders) == c.included);
  }
}

TEST_CASE("source states: a file is read only where its stamp is another one") {
  TemporaryFolder folder;
  folder.write("a.cc", "#include \"b.h\"\n");
  std::filesystem::last_write_time(folder.path("a.cc"),
                                   std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
  SourceStates first(folder.path(), {});
  const SourceState* state = first.find("a.cc");
  REQUIRE(state != nullptr);
  // It was changed a moment ago, so its stamp proves nothing yet.
  CHECK_FALSE(state->stamp);
  CHECK(first.changed().size() == 1);
  CHECK(first.is_unchanged("a.cc"));
  SourceState wrong = *state;
  wrong.stamp = files::FileStamp::of(folder.path("a.cc"));
  wrong.content = files::hash_of("something else");
  SourceStates trusting(folder.path(), {{"a.cc", wrong}});
  CHECK(trusting.find("a.cc")->content == wrong.content);
  CHECK(trusting.changed().empty());
  folder.write("a.cc", "other");
  CHECK_FALSE(first.is_unchanged("a.cc"));
  CHECK(trusting.find("missing") == nullptr);
}

}  // namespace index_plan_test
}  // namespace symbols::index
