#include "proxy/servers/compilation_database.h"

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/proxy/temporary_folder.h"

namespace compilation_database_test {
using namespace symbols;
using namespace symbols::servers;

TEST_CASE("the compilation database that clangd takes for a file") {
  struct Case {
    const char* files;  // TemporaryFolder::write_all()'s
    const char* file;
    const char* database;  // empty: none
  };
  const Case cases[] = {
      {"p/compile_commands.json", "p/src/a.cc", "p"},
      {"p/build/compile_commands.json", "p/src/a.cc", "p/build"},
      {"p/compile_commands.json|p/build/compile_commands.json", "p/a.cc", "p"},
      {"p/compile_commands.json|p/src/compile_commands.json", "p/src/a.cc", "p/src"},
      {"p/compile_commands.json|p/src/compile_flags.txt", "p/src/a.cc", ""},
      {"p/compile_commands.json|p/compile_flags.txt", "p/src/a.cc", "p"},
      {"p/out/compile_commands.json", "p/src/a.cc", ""},
      {"p/out/x/compile_commands.json|p/compile_commands.json|"
       "p/.clangd=CompileFlags:\n  CompilationDatabase: 'out/x'  # of today\n",
       "p/src/a.cc", "p/out/x"},
      {"p/compile_commands.json|p/.clangd=CompileFlags:\n  CompilationDatabase: gone\n", "p/a.cc", ""},
      {"p/compile_commands.json|p/.clangd=CompileFlags:\n  CompilationDatabase: None\n", "p/a.cc", ""},
      {"p/compile_commands.json|p/.clangd=CompileFlags: {Add: -DX}\n", "p/a.cc", "p"},
      {"p/compile_commands.json|p/.clangd=# CompilationDatabase: gone\n", "p/a.cc", "p"},
      {"p/out/compile_commands.json|p/compile_commands.json|"
       "p/.clangd=CompileFlags:\n  CompilationDatabase: gone\n---\nCompileFlags:\n  CompilationDatabase: "
       "out\n",
       "p/a.cc", "p/out"},
      // Settings that are not understood: whichever database they mean, no other replaces it.
      {"p/compile_commands.json|p/.clangd=CompileFlags: {CompilationDatabase: out}\n", "p/a.cc", "?"},
      {"p/compile_commands.json|p/.clangd=If:\n  PathMatch: x/.*\nCompileFlags:\n  CompilationDatabase: "
       "out\n",
       "p/a.cc", "?"},
      {"p/compile_commands.json|clangd/config.yaml=CompileFlags:\n  CompilationDatabase: /out\n", "p/a.cc",
       "?"},
  };
  for (const Case& c : cases) {
    const TemporaryFolder folder;
    folder.write_all(c.files);
    const Variable settings("XDG_CONFIG_HOME", folder.path().c_str());
    const CompilationDatabase found = compilation_database_of(folder.path(c.file));
    const std::string database = c.database;
    CHECK(found.is_unclear == (database == "?"));
    CHECK((found.names_files() ? found.file.parent_path().string() : "") ==
          (database.empty() || found.is_unclear ? "" : folder.path(database)));
  }
  const TemporaryFolder folder;
  folder.make_folder("compile_commands.json");
  CHECK(!compilation_database_of(folder.path("a.cc")).names_files());
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

TEST_CASE("the database in a build folder") {
  struct Case {
    std::vector<const char*> there;  // each newer than the one before
    const char* expected;            // empty: none
  };
  const Case cases[] = {
      {{}, ""},
      {{"src/compile_commands.json"}, ""},
      {{"out/compile_commands.json"}, "out/compile_commands.json"},
      {{"out/b/compile_commands.json"}, "out/b/compile_commands.json"},
      {{"out/b/c/compile_commands.json"}, ""},
      {{"cmake-build-debug/compile_commands.json", "build-x/compile_commands.json"},
       "build-x/compile_commands.json"},
      {{"build-x/compile_commands.json", "cmake-build-debug/compile_commands.json"},
       "cmake-build-debug/compile_commands.json"},
      {{"out/compile_commands.json", "build/b/compile_commands.json"}, "out/compile_commands.json"},
  };
  for (const Case& c : cases) {
    const TemporaryFolder folder;
    std::filesystem::file_time_type time{};
    for (const char* const name : c.there) {
      CAPTURE(name);
      std::filesystem::last_write_time(folder.write(name, "[]"), time += std::chrono::hours(1));
    }
    CHECK(database_below(folder.path()) == (*c.expected == '\0' ? std::string() : folder.path(c.expected)));
  }
  const TemporaryFolder folder;
  const TemporaryFolder elsewhere;
  elsewhere.write("compile_commands.json", "[]");
  folder.link("build", elsewhere.path());
  CHECK(database_below(folder.path()).empty());
}

TEST_CASE("settings of clangd over a megabyte, and those that cannot be read, may mean any database") {
  const TemporaryFolder folder;
  folder.write("p/compile_commands.json");
  const std::string settings = folder.write("p/.clangd", "CompileFlags: {Add: -DX}\n");
  for (const std::size_t size : {std::size_t{1} << 20, (std::size_t{1} << 20) + 1, std::size_t{1} << 40}) {
    std::filesystem::resize_file(settings, size);  // with a line that takes no room on the disk
    CHECK(compilation_database_of(folder.path("p/a.cc")).is_unclear == (size > (std::size_t{1} << 20)));
  }
}

}  // namespace compilation_database_test
