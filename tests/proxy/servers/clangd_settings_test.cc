#include "proxy/servers/clangd_settings.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/proxy/temporary_folder.h"

namespace symbols::servers {
namespace clangd_settings_test {

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

TEST_CASE("an index outside the project") {
  const TemporaryFolder folder;
  const std::string database = folder.path("p");
  folder.write("p/compile_commands.json", "[]");
  const Variable cache_home("XDG_CACHE_HOME", folder.path("cache").c_str());
  const std::string cache = folder.path("cache/symbols/clangd");
  const std::vector<std::string> before = {"--background-index=false", "--log=error"};
  std::vector<std::string> arguments = before;
  REQUIRE(index_outside_project(arguments, database).has_value());
  REQUIRE(arguments.size() == 3);
  CHECK(arguments[0] == "--background-index");
  const std::string option = "--compile-commands-dir=";
  REQUIRE(arguments[1].starts_with(option + cache + '/'));
  CHECK(arguments[2] == "--log=error");
  const std::filesystem::path link = arguments[1].substr(option.size()) + "/compile_commands.json";
  CHECK(std::filesystem::read_symlink(link) == database + "/compile_commands.json");

  // The same folder again; a link that was changed is corrected.
  std::filesystem::remove(link);
  std::filesystem::create_symlink("/nonexistent", link);
  std::vector<std::string> again = before;
  REQUIRE(index_outside_project(again, database).has_value());
  CHECK(again == arguments);
  CHECK(std::filesystem::read_symlink(link) == database + "/compile_commands.json");

  std::vector<std::string> other = before;
  folder.write("q/compile_commands.json", "[]");
  REQUIRE(index_outside_project(other, folder.path("q")).has_value());
  CHECK(other[1] != arguments[1]);

  // Making an index removes those of databases that are gone, and no other folder.
  std::filesystem::create_directories(cache + "/other");
  std::filesystem::remove_all(database);
  folder.write("r/compile_commands.json", "[]");
  std::vector<std::string> third = before;
  REQUIRE(index_outside_project(third, folder.path("r")).has_value());
  CHECK(!std::filesystem::exists(link.parent_path()));
  CHECK(std::filesystem::exists(other[1].substr(option.size())));
  CHECK(std::filesystem::exists(cache + "/other"));
  folder.write("p/compile_commands.json", "[]");

  std::vector<std::string> unchanged = before;
  const Variable no_folder("XDG_CACHE_HOME", folder.write("file").c_str());
  const auto failed = index_outside_project(unchanged, database);
  REQUIRE(!failed.has_value());
  CHECK(failed.error().message.starts_with("cannot make "));
  CHECK(unchanged == before);
}

TEST_CASE("an index beside a copy of the database") {
  const TemporaryFolder folder;
  const std::string database = folder.write("p/compile_commands.json", "[]");
  const Variable cache_home("XDG_CACHE_HOME", folder.path("cache").c_str());
  std::vector<std::string> arguments = {"--background-index=false", "--log=error"};
  const Result<std::filesystem::path> copy = index_beside_copy(arguments, database);
  REQUIRE(copy.has_value());
  CHECK(arguments == std::vector<std::string>{"--background-index", "--log=error"});
  CHECK(!std::filesystem::exists(*copy / "compile_commands.json"));

  // It is not the folder with the whole database, and goes when that is gone.
  std::vector<std::string> whole;
  REQUIRE(index_outside_project(whole, folder.path("p")).has_value());
  CHECK(whole[1] != "--compile-commands-dir=" + copy->string());
  std::filesystem::remove(database);
  REQUIRE(index_beside_copy(arguments, folder.write("q/compile_commands.json", "[]")).has_value());
  CHECK(!std::filesystem::exists(*copy));
  const Variable no_folder("XDG_CACHE_HOME", folder.write("file").c_str());
  CHECK(!index_beside_copy(arguments, database).has_value());
}

TEST_CASE("a database of guesses, in a folder that goes with the project") {
  const TemporaryFolder folder;
  folder.write("p/a.cc");
  const Variable cache_home("XDG_CACHE_HOME", folder.path("cache").c_str());
  const auto written = write_guessed_database("[]", folder.path("p"));
  REQUIRE(written.has_value());
  CHECK(written->filename() == "compile_commands.json");
  CHECK(std::filesystem::file_size(*written) == 2);
  folder.write("q/a.cc");
  std::filesystem::remove_all(folder.path("p"));
  CHECK(write_guessed_database("[]", folder.path("q")).has_value());
  CHECK(!std::filesystem::exists(*written));
  const Variable no_folder("XDG_CACHE_HOME", folder.write("file").c_str());
  CHECK(!write_guessed_database("[]", folder.path("q")).has_value());
}

TEST_CASE("whether clangd knows references in files that are not open") {
  const TemporaryFolder folder;
  folder.write("p/compile_commands.json", "[]");
  struct Case {
    std::vector<std::string> arguments;
    const char* file;
    bool indexes;
  };
  const Case cases[] = {
      {{}, "p/a.cc", true},
      {{"--background-index=false"}, "p/a.cc", false},
      {{"-background-index=0"}, "p/a.cc", false},
      {{"--background-index=false", "--background-index"}, "p/a.cc", true},
      {{}, "q/a.cc", false},
      {{"--compile-commands-dir=/elsewhere"}, "q/a.cc", true},
  };
  for (const Case& c : cases) CHECK(knows_open_files_only(c.arguments, folder.path(c.file)) == !c.indexes);
}

}  // namespace clangd_settings_test
}  // namespace symbols::servers
