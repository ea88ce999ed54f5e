#include "proxy/servers/compilation_database.h"

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/proxy/temporary_folder.h"

using namespace symbols;
using namespace symbols::servers;

TEST_CASE("the compilation database that clangd takes for a file") {
  struct Case {
    std::vector<std::pair<const char*, const char*>> files;
    const char* file;
    const char* database;  // empty: none
  };
  const char* const commands = "compile_commands.json";
  const Case cases[] = {
      {{{"p/compile_commands.json", ""}}, "p/src/a.cc", "p"},
      {{{"p/build/compile_commands.json", ""}}, "p/src/a.cc", "p/build"},
      {{{"p/compile_commands.json", ""}, {"p/build/compile_commands.json", ""}}, "p/a.cc", "p"},
      {{{"p/compile_commands.json", ""}, {"p/src/compile_commands.json", ""}}, "p/src/a.cc", "p/src"},
      {{{"p/compile_commands.json", ""}, {"p/src/compile_flags.txt", ""}}, "p/src/a.cc", ""},
      {{{"p/compile_commands.json", ""}, {"p/compile_flags.txt", ""}}, "p/src/a.cc", "p"},
      {{{"p/out/compile_commands.json", ""}}, "p/src/a.cc", ""},
      {{{"p/out/x/compile_commands.json", ""},
        {"p/compile_commands.json", ""},
        {"p/.clangd", "CompileFlags:\n  CompilationDatabase: 'out/x'  # of today\n"}},
       "p/src/a.cc",
       "p/out/x"},
      {{{"p/compile_commands.json", ""}, {"p/.clangd", "CompileFlags:\n  CompilationDatabase: gone\n"}},
       "p/a.cc",
       ""},
      {{{"p/compile_commands.json", ""}, {"p/.clangd", "CompileFlags:\n  CompilationDatabase: None\n"}},
       "p/a.cc",
       ""},
      {{{"p/compile_commands.json", ""}, {"p/.clangd", "CompileFlags: {Add: -DX}\n"}}, "p/a.cc", "p"},
      {{{"p/compile_commands.json", ""}, {"p/.clangd", "# CompilationDatabase: gone\n"}}, "p/a.cc", "p"},
      {{{"p/out/compile_commands.json", ""},
        {"p/compile_commands.json", ""},
        {"p/.clangd",
         "CompileFlags:\n  CompilationDatabase: gone\n---\nCompileFlags:\n  CompilationDatabase: out\n"}},
       "p/a.cc",
       "p/out"},
      // Settings that are not understood: whichever database they mean, no other replaces it.
      {{{"p/compile_commands.json", ""}, {"p/.clangd", "CompileFlags: {CompilationDatabase: out}\n"}},
       "p/a.cc",
       "?"},
      {{{"p/compile_commands.json", ""},
        {"p/.clangd", "If:\n  PathMatch: x/.*\nCompileFlags:\n  CompilationDatabase: out\n"}},
       "p/a.cc",
       "?"},
      {{{"p/compile_commands.json", ""}, {"config.yaml", "CompileFlags:\n  CompilationDatabase: /out\n"}},
       "p/a.cc",
       "?"},
  };
  for (const Case& c : cases) {
    const TemporaryFolder folder;
    for (const auto& [name, content] : c.files) folder.write(name, content);
    const CompilationDatabase found =
        compilation_database_of(folder.path(c.file), folder.path("config.yaml"));
    const std::string database = c.database;
    CHECK(found.is_unclear == (database == "?"));
    CHECK((found.folder() ? found.folder()->string() : "") ==
          (database.empty() || found.is_unclear ? "" : folder.path(database)));
  }
  const TemporaryFolder folder;
  folder.make_folder(commands);
  CHECK(!compilation_database_of(folder.path("a.cc")).folder());
}

TEST_CASE("the database of a file is that of the nearest folder that has one") {
  TemporaryFolder project;
  const std::string file = project.write("a/b/c/x.cpp");
  const std::string flags = project.write("compile_flags.txt");
  CHECK(nearest_database(file) == flags);
  const std::string built = project.write("a/build/compile_commands.json");
  CHECK(nearest_database(file) == built);
  const std::string own = project.write("a/compile_commands.json");
  CHECK(nearest_database(file) == own);
  const std::string nearer = project.write("a/b/compile_flags.txt");
  CHECK(nearest_database(file) == nearer);
}
