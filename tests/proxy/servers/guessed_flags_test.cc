// Flags for files of a project without a compilation database.
#include "proxy/servers/guessed_flags.h"

#include <doctest/doctest.h>

#include "tests/proxy/temporary_folder.h"

namespace symbols::servers {
namespace guessed_flags_test {

using Words = std::vector<std::string>;

// What is guessed for `file` of the project in `folder`, which is written `~`.
Words flags(const TemporaryFolder& folder, const std::string& file, GuessLimits limits = {}) {
  Words words = GuessedFlags(folder.path(), limits).flags_for(folder.path(file));
  for (std::string& word : words) {
    if (const std::size_t at = word.find(folder.path()); at != word.npos)
      word.replace(at, folder.path().size(), "~");
  }
  return words;
}

TEST_CASE("guessed flags: a file of the project whose path ends in the name gives the folder before it") {
  struct Case {
    const char* what;
    const char* files;  // TemporaryFolder::write_all()'s
    Words expected;     // for src/a.cc
  };
  const Case cases[] = {
      {"beside", "src/a.cc=#include \"a.h\"\n#include \"../b.h\"|src/a.h|b.h", {}},
      {"not there", "src/a.cc=#include \"a.h\"\n#include <lib/b.h>", {}},
      {"the root", "src/a.cc=#include \"src/a.h\"|src/a.h", {"-iquote~"}},
      {"in <>", "src/a.cc=#include <lib/a.h>|include/lib/a.h", {"-I~/include"}},
      {"in <> of one header, in quotes of another",
       "src/a.cc=#include \"lib/a.h\"\n#include <lib/b.h>|include/lib/a.h|include/lib/b.h",
       {"-I~/include"}},
      {"<> is not looked for beside", "src/a.cc=#include <a.h>|src/a.h", {"-I~/src"}},
      {"through headers",
       "src/a.cc=#include \"a.h\"|src/a.h=#include \"deep/b.h\"|lib/deep/b.h=#include <c.h>\n#include "
       "\"a.h\"|inc/c.h",
       {"-iquote~/lib", "-iquote~/src", "-I~/inc"}},
      {"the end of a name is no name", "src/a.cc=#include \"a.h\"|lib/ba.h", {}},
      {"headers of the system",
       "src/a.cc=#include <stddef.h>\n#include <vector>\n#include "
       "<sys/types.h>|lib/stddef.h|lib/vector|lib/sys/types.h",
       {}},
      {"in quotes they are the project's", "src/a.cc=#include \"stddef.h\"|lib/stddef.h", {"-iquote~/lib"}},
      {"out of the root",
       "src/a.cc=#include \"../../x.h\"\n#include <../lib/a.h>\n#include \"/etc/passwd\"|lib/a.h",
       {}},
      {"hidden folders do not count", "src/a.cc=#include \"a/b.h\"|.old/a/b.h", {}},
      // Of several files that end in the name the nearest is taken.
      {"most folders in common",
       "src/a.cc=#include \"u.h\"|deps/lib/include/u.h|src/core/parts/u.h",
       {"-iquote~/src/core/parts"}},
      {"include before another",
       "src/a.cc=#include \"u.h\"|lib/u.h|zzz/include/u.h",
       {"-iquote~/zzz/include"}},
      {"the shortest", "src/a.cc=#include \"u.h\"|a/b/c/u.h|x/y/u.h", {"-iquote~/x/y"}},
      {"the first by name", "src/a.cc=#include \"u.h\"|y/u.h|x/u.h", {"-iquote~/x"}},
      {"a folder that was found before others, as the compiler does",
       "src/a.cc=#include \"a1.h\"\n#include \"b.h\"\n|lib/a1.h|lib/b.h|include/b.h",
       {"-iquote~/lib"}},
      {"standard and definitions",
       "src/a.cc|CMakeLists.txt=set(CMAKE_CXX_STANDARD 17)\nadd_definitions(-DON=1)\n",
       {"-std=gnu++17", "-DON=1"}},
  };
  for (const Case& c : cases) {
    CAPTURE(c.what);
    const TemporaryFolder folder;
    folder.write_all(c.files);
    CHECK(flags(folder, "src/a.cc") == c.expected);
  }
}

TEST_CASE("guessed flags: what a file is written in") {
  struct Case {
    const char* what;
    Words sources;
    const char* file;
    Words expected;
  };
  const Words c{"-xc-header", "-std=c99", "-DA"}, cpp{"-xc++-header", "-std=c++17", "-DA"};
  const Words unknown{"-xobjective-c++-header", "-DA"};
  const Case cases[] = {
      {"a source in C", {"other/b.cc"}, "src/a.c", {"-std=c99", "-DA"}},
      {"a source in C++", {}, "src/a.cpp", {"-std=c++17", "-DA"}},
      {"a source in another", {}, "src/a.mm", {"-DA"}},
      {"a header with nothing beside it", {}, "src/a.h", unknown},
      {"C beside it", {"src/a.c", "other/1.cc", "other/2.cc"}, "src/a.h", c},
      {"C++ below the root", {"lib/a.cc", "test/b.c"}, "src/a.h", cpp},
      {"mostly C", {"src/a.c", "src/b.c", "src/c.cc"}, "src/a.h", c},
      {"Objective-C too", {"src/a.c", "src/b.m"}, "src/a.h", unknown},
  };
  for (const Case& each : cases) {
    CAPTURE(each.what);
    const TemporaryFolder folder;
    folder.write("Makefile", "CFLAGS=-std=c99\nCXXFLAGS=-std=c++17\n");
    folder.write("CMakeLists.txt", "add_definitions(-DA)\n");
    folder.write(each.file);
    for (const std::string& path : each.sources) folder.write(path);
    CHECK(flags(folder, each.file) == each.expected);
  }
  // One that needs nothing is clangd's to guess, unless it is in C.
  const TemporaryFolder folder;
  folder.write("cpp/a.cc");
  folder.write("c/a.c");
  CHECK(flags(folder, "cpp/a.h").empty());
  CHECK(flags(folder, "c/a.h") == Words{"-xc-header"});
  CHECK(GuessedFlags(folder.path("c")).flags_for(folder.path("cpp/a.h")).empty());
  CHECK(GuessedFlags({}).flags_for(folder.path("c/a.h")).empty());
}

TEST_CASE("guessed flags: links are not followed") {
  const TemporaryFolder folder;
  const TemporaryFolder elsewhere;
  elsewhere.write("lib/a.h");
  folder.write("a.cc", "#include \"lib/a.h\"\n");
  folder.link("link", elsewhere.path());
  CHECK(flags(folder, "a.cc").empty());
}

TEST_CASE("guessed flags: beyond a limit nothing is guessed") {
  const TemporaryFolder folder;
  folder.write("Makefile", "CXXFLAGS=-std=c++17\n");
  folder.write("a.cc", "#include \"x/a.h\"\n#include \"y/b.h\"\n");
  folder.write("1/x/a.h");
  folder.write("2/y/b.h");
  struct Case {
    GuessLimits limits;
    std::size_t flags;
  };
  const Case cases[] = {
      {{}, 3},
      {{.max_read = 3, .max_folders = 2}, 3},
      {{.files = 2}, 0},
      {{.entries = 3}, 0},
      {{.max_read = 2}, 0},
      {{.max_folders = 1}, 0},
      {{.max_lookups = 3}, 0},
      {{.max_bytes = 10}, 0},
      {{.max_header = 10}, 1},  // one that is too long is passed over
  };
  for (const Case& c : cases) CHECK(flags(folder, "a.cc", c.limits).size() == c.flags);
}

TEST_CASE("guessed flags: a database of the project's sources") {
  const TemporaryFolder folder;
  folder.write("src/b.c", "#include \"x/a.h\"\n");
  folder.write("a.cc");
  folder.write("lib/x/a.h");
  const auto entry = [&](const char* file, const std::string& flags) {
    const std::string path = folder.path(file);
    return R"({"directory":")" + folder.path() + R"(","file":")" + path + R"(","arguments":["clang",)" +
           flags + '"' + path + "\"]}";
  };
  CHECK(GuessedFlags(folder.path()).database() ==
        "[" + entry("a.cc", "") + ",\n" + entry("src/b.c", "\"-iquote" + folder.path("lib") + "\",") + "]");
  CHECK(GuessedFlags(folder.path(), {.max_sources = 1}).database().empty());
  CHECK(GuessedFlags(folder.path("lib")).database().empty());
  CHECK(GuessedFlags(std::filesystem::path()).database().empty());
}

TEST_CASE("guessed flags: a text that has changed is read anew") {
  const TemporaryFolder folder;
  folder.write("CMakeLists.txt", "set(CMAKE_CXX_STANDARD 17)\n");
  folder.write("a.cc", "#include \"x/b.h\"\n");
  folder.write("one/x/b.h");
  folder.write("two/x/c.h");
  GuessedFlags guessed(folder.path());
  const auto flags = [&] { return guessed.flags_for(folder.path("a.cc")); };
  CHECK(flags() == Words{"-std=gnu++17", "-iquote" + folder.path("one")});
  folder.write("CMakeLists.txt", "set(CMAKE_CXX_STANDARD 20)\n");
  guessed.changed(folder.path("CMakeLists.txt"));
  folder.write("one/x/b.h", "#include \"x/c.h\"\n");
  guessed.changed(folder.path("one/x/b.h"));
  CHECK(flags() == Words{"-std=gnu++20", "-iquote" + folder.path("one"), "-iquote" + folder.path("two")});
}

TEST_CASE("guessed flags: what a hostile project names becomes no other flag") {
  const TemporaryFolder folder;
  folder.write(
      "CMakeLists.txt",
      "set(CMAKE_CXX_STANDARD \"17 -fplugin=/tmp/x.so\")\nadd_definitions(-DA -serialize-diagnostics /tmp/x "
      "@/tmp/flags -DB=1,-fplugin=x -Xclang)\nset(CMAKE_CXX_FLAGS \"-std=c++17,-load -include "
      "/etc/passwd\")\n");
  folder.write("a.cc",
               "#include \"x/a.h\"\n#include \"y/b.h\"\n#include \"/etc/hosts\"\n#include \"../../up.h\"\n");
  folder.write("-fplugin=z/x/a.h");
  folder.write("@in\nclude/y/b.h");
  CHECK(flags(folder, "a.cc") == Words{"-std=c++17", "-DA", "-iquote~/-fplugin=z", "-iquote~/@in\nclude"});
}

}  // namespace guessed_flags_test
}  // namespace symbols::servers
