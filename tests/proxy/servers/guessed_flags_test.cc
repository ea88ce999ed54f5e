// Flags for files of a project without a compilation database.
#include "proxy/servers/guessed_flags.h"

#include <doctest/doctest.h>

#include "proxy/servers/compile_flags.h"
#include "tests/proxy/temporary_folder.h"

namespace symbols::servers {
namespace {

using Words = std::vector<std::string>;

TEST_CASE("guessed flags: folders, standard, definitions and the language of a .h") {
  const TemporaryFolder folder;
  folder.write("cpp/CMakeLists.txt", "set(CMAKE_CXX_STANDARD 17)\nadd_definitions(-DON=1)\n");
  folder.write("cpp/src/a.cc", "#include \"net/a.h\"\n#include <lib/b.h>\n");
  folder.write("cpp/src/net/b.cc");
  folder.write("cpp/include/net/a.h");
  folder.write("cpp/include/lib/b.h");
  folder.write("cpp/old/a.c");
  folder.write("c/Makefile", "CFLAGS=-std=c99\nCXXFLAGS=-std=c++14\n");
  folder.write("c/a.c", "#include \"a.h\"\n");
  folder.write("c/a.h");
  folder.write("plain/a.cc", "#include \"a.h\"\n");
  folder.write("plain/a.h");
  folder.write("lone/a.h", "#include \"x/b.h\"\n");
  folder.write("lone/inc/x/b.h");
  const auto flags = [&](const std::string& root, const std::string& file) {
    return GuessedFlags(folder.path(root)).flags_for(folder.path(root + '/' + file));
  };
  CHECK(flags("cpp", "src/a.cc") == Words{"-std=gnu++17", "-DON=1", "-I" + folder.path("cpp/include")});
  CHECK(flags("cpp", "include/net/a.h") == Words{"-xc++-header", "-std=gnu++17", "-DON=1"});
  CHECK(flags("cpp", "old/a.c") == Words{"-DON=1"});
  CHECK(flags("c", "a.c") == Words{"-std=c99"});
  CHECK(flags("c", "a.h") == Words{"-xc-header", "-std=c99"});
  CHECK(flags("plain", "a.cc").empty());
  CHECK(flags("plain", "a.h").empty());
  CHECK(flags("lone", "a.h") == Words{"-xobjective-c++-header", "-iquote" + folder.path("lone/inc")});
  CHECK(GuessedFlags(folder.path("c")).flags_for(folder.path("cpp/src/a.cc")).empty());
  CHECK(GuessedFlags({}).flags_for(folder.path("cpp/src/a.cc")).empty());
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
  const Words flags = GuessedFlags(folder.path()).flags_for(folder.path("a.cc"));
  CHECK(flags == Words{"-std=c++17", "-DA", "-iquote" + folder.path("-fplugin=z"),
                       "-iquote" + folder.path("@in\nclude")});
  for (const std::string& flag : flags) CHECK(flag.starts_with('-'));
}

}  // namespace
}  // namespace symbols::servers
