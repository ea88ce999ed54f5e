#include "proxy/servers/clangd_settings.h"

#include <doctest/doctest.h>

#include <string>

#include "tests/proxy/temporary_folder.h"

namespace symbols::servers {
namespace {

TEST_CASE("clangd is told how to read a file whose extension its compiler does not know") {
  struct Case {
    const char* what;
    const char* file;
    const char* language;
    const char* command;  // its words between "clang" and the file; empty: no settings
  };
  const Case cases[] = {
      {"C++", "p/a.ipp", "cpp", R"("-xc++-header")"},
      {"no extension", "p/a", "cpp", R"("-xc++-header")"},
      {"C", "p/a.inc", "c", R"("-xc-header")"},
      {"CUDA", "p/a.cuh", "cuda-cpp", R"("-xcuda")"},
      {"a module", "p/a.ixx", "cpp", R"("-xc++-module","-std=c++20")"},
      {"known", "p/a.hpp", "cpp", ""},
      {"another language", "p/a.ipp", "python", ""},
      {"a database", "d/s/a.ipp", "cpp", ""},
      {"flags", "f/s/a.ipp", "cpp", R"("-xc++-header","-std=c++20","-Iinclude")"},
  };
  const TemporaryFolder folder;
  folder.write("d/compile_commands.json", "[]");
  folder.write("f/compile_flags.txt", "-std=c++20\r\n\n  -Iinclude \n");
  for (const Case& c : cases) {
    CAPTURE(c.what);
    const std::string file = folder.path(c.file);
    const std::string where = *c.file == 'f' ? folder.path("f") : folder.path("p");
    const std::string told = R"({"compilationDatabaseChanges":{")" + file + R"(":{"workingDirectory":")" +
                             where + R"(","compilationCommand":["clang",)" + c.command + ",\"" + file +
                             "\"]}}}";
    CHECK(clangd_settings(file, c.language, {}, "") == (*c.command == '\0' ? "" : told));
    CHECK(clangd_settings(file, c.language, {"--compile-commands-dir=/x"}, "").empty());
  }
  const std::string settings =
      clangd_settings(folder.path("p/a.ipp"), "cpp", {}, R"({"fallbackFlags":["-DX",1]})");
  CHECK(settings.find(R"("-xc++-header","-DX",")") != std::string::npos);
}

}  // namespace
}  // namespace symbols::servers
