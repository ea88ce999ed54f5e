// What build files name of the flags.
#include <doctest/doctest.h>

#include <utility>

#include "proxy/servers/guessed_flags.h"
#include "tests/proxy/temporary_folder.h"

namespace symbols::servers {
namespace build_settings_test {

TEST_CASE("build settings: the standard and definitions that are named plainly") {
  struct Case {
    const char* file;
    const char* text;
    BuildSettings expected;  // of src/a.cc
  };
  const Case cases[] = {
      {"CMakeLists.txt", "set(CMAKE_CXX_STANDARD 17)\nset(CMAKE_C_STANDARD 11)", {"gnu11", "gnu++17", {}}},
      {"CMakeLists.txt", "set(CMAKE_CXX_STANDARD 11)\nset(CMAKE_CXX_EXTENSIONS OFF)", {"", "c++11", {}}},
      {"CMakeLists.txt", "set(CMAKE_C_STANDARD 99)\nset(CMAKE_C_EXTENSIONS off)", {"c99", "", {}}},
      {"CMakeLists.txt",
       "if(NOT CMAKE_CXX_STANDARD)\nset(CMAKE_CXX_STANDARD 14)\nendif()",
       {"", "gnu++14", {}}},
      {"CMakeLists.txt",
       "set_target_properties(a PROPERTIES CXX_STANDARD 20 CXX_EXTENSIONS ON)",
       {"", "gnu++20", {}}},
      {"CMakeLists.txt", "set_target_properties(a PROPERTIES CXX_STANDARD 11)", {}},
      {"CMakeLists.txt", "target_compile_features(a PUBLIC cxx_std_20)", {"", "gnu++20", {}}},
      {"CMakeLists.txt", "target_compile_features(a PUBLIC cxx_std_11)", {}},
      {"CMakeLists.txt", "set(CMAKE_CXX_FLAGS \"-Wall -std=c++14\")", {"", "c++14", {}}},
      {"CMakeLists.txt", "set(CMAKE_CXX_STANDARD ${V})", {}},
      {"CMakeLists.txt",
       "set(CMAKE_CXX_STANDARD 20)\nset(CMAKE_CXX_STANDARD ${V} CACHE STRING \"\")",
       {"", "gnu++20", {}}},
      {"CMakeLists.txt",
       "add_definitions(-DA -DB=1)\nadd_compile_definitions(C)\ntarget_compile_definitions(t PRIVATE D=x "
       "INTERFACE N PUBLIC E)",
       {"", "", {"A", "B=1", "C", "D=x", "E"}}},
      {"CMakeLists.txt",
       "add_definitions(-DA=\\\"x\\\" -D1 -Iinclude -fplugin=x.so)\nadd_compile_definitions($<$<X:Y>:Z> "
       "\"P=a b\")",
       {}},
      {"CMakeLists.txt",
       "if(WIN32)\nadd_definitions(-DW)\nelse()\nset(P POSIX)\nendif()\nadd_definitions(-D${P}=1)",
       {"", "", {"POSIX=1"}}},
      {"CMakeLists.txt", "if(UNKNOWN)\nadd_definitions(-DMAYBE)\nendif()", {}},
      {"src/CMakeLists.txt", "add_definitions(-DA)", {"", "", {"A"}}},
      {"other/CMakeLists.txt", "add_definitions(-DA)", {}},
      {"meson.build",
       "project('a', 'cpp', default_options: ['cpp_std=c++20', 'c_std=c99'])",
       {"c99", "c++20", {}}},
      {"src/Makefile", "STD=-pedantic\nSTD+=-std=gnu11\nOLD=-std=c99\nDEF=-DA", {"gnu11", "", {}}},
      {"configure.ac", "CXXFLAGS=\"$CXXFLAGS -std=c++0x\"", {"", "c++0x", {}}},
      {"Makefile", "-std=$(STD) xstd=c++11 -std=iso9899", {}},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    const TemporaryFolder folder;
    folder.write(c.file, c.text);
    CHECK(build_settings_for(folder.path(), folder.path("src/a.cc")) == c.expected);
  }
}

// The definitions of a.cc by a CMakeLists.txt, each behind a blank. `x(A)` in it stands for
// add_definitions(-DA).
std::string defined(std::string text) {
  for (std::size_t at = 0; (at = text.find("x(", at)) != text.npos; at += 2)
    text.replace(at, 2, "add_definitions(");
  const TemporaryFolder folder;
  folder.write("CMakeLists.txt", text);
  std::string all;
  for (const std::string& one : build_settings_for(folder.path(), folder.path("a.cc")).definitions)
    all += ' ' + one;
  return all;
}

TEST_CASE("build settings: commands of CMake, and those that plainly run on this system") {
  const std::pair<const char*, const char*> cases[] = {
      {"", ""},
      {"Add_Definitions(A)", " A"},
      {"add_definitions (A\n  \"B\"  -DC;D) # x(E)\n#[[ a\n x(F) ]]\nx([[G]])", " A B C D G"},
      {"x(A)\nx(", " A"},
      {"x(A)\n] x(B)", " A"},
      {"x(\"A)", ""},
      {"if(NOT (UNIX AND UNIX))\nx(A)\nendif()\nx(B)", " B"},
      {"if(WIN32)\nx(A)\nelse()\nx(B)\nendif()\nx(C)", " B C"},
      {"if(NOT WIN32)\nx(A)\nendif()", " A"},
      {"if(MSVC AND UNKNOWN)\nx(A)\nelseif(UNIX)\nx(B)\nelse()\nx(C)\nendif()", " B"},
      {"if(UNKNOWN)\nx(A)\nelse()\nx(B)\nendif()\nx(C)", " C"},
      {"if(WIN32 OR UNIX)\nx(A)\nendif()", ""},
      {"if(CMAKE_SYSTEM_NAME STREQUAL Windows)\nx(A)\nendif()", ""},
      {"option(BUILD \"what\" OFF)\nif(BUILD)\nx(A)\nelse()\nx(B)\nendif()", " B"},
      {"if(WIN32)\nif(UNIX)\nx(A)\nendif()\nendif()", ""},
      {"function(f)\nx(A)\nendfunction()\nx(B)", " B"},
      {"set(V 1)\nx(P${V}Q)\nx(${UNKNOWN})\nx(R)", " P1Q R"},
      {"if(WIN32)\nset(V W)\nelse()\nset(V U)\nendif()\nx(${V})", " U"},
      {"endif()\nx(A)", " A"},
  };
  for (const auto& [text, expected] : cases) {
    CAPTURE(text);
    CHECK(defined(text) == expected);
  }
  // A variable that grows, and blocks in blocks, cost no more than their text.
  std::string doubling = "set(V 0123456789)\n";
  for (int i = 0; i < 100; ++i) doubling += "set(V ${V}${V})\n";
  CHECK(defined(doubling + "x(A)") == " A");
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "if(UNIX)\n";
  CHECK(defined(deep + "x(A)") == " A");
}

TEST_CASE("build settings: the file nearest to the source counts, and none outside of the root") {
  const TemporaryFolder folder;
  folder.write("CMakeLists.txt", "set(CMAKE_CXX_STANDARD 11)\nset(V X)");
  folder.write("p/CMakeLists.txt", "set(CMAKE_CXX_STANDARD 17)\nset(V X)");
  folder.write("p/src/CMakeLists.txt", "set(CMAKE_CXX_STANDARD 20)\nadd_definitions(-D${V})");
  const auto standard = [&](const char* root, const char* file) {
    return build_settings_for(folder.path(root), folder.path(file)).cpp_standard;
  };
  CHECK(standard("p", "p/src/a.cc") == "gnu++20");
  CHECK(standard("p", "p/a.cc") == "gnu++17");
  CHECK(standard("p", "a.cc") == "");
  CHECK(build_settings_for(folder.path("p"), folder.path("p/src/a.cc")).definitions ==
        std::vector<std::string>{"X"});
}

}  // namespace build_settings_test
}  // namespace symbols::servers
