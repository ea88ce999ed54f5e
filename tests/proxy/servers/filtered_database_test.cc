// What is allowed of a database, which are of another checkout, and what becomes of their paths.
#include "proxy/servers/filtered_database.h"

#include <doctest/doctest.h>

#include "proxy/files/regular_file.h"
#include "tests/proxy/temporary_folder.h"

namespace symbols::servers {
namespace filtered_database_test {

std::string content(const std::string& path) {
  return files::read_regular_file(path, 10'000).value();
}

TEST_CASE("what is allowed of commands, in either form") {
  TemporaryFolder place;
  place.make_folder("made");
  const std::string database = place.write("p/compile_commands.json", R"([
    {"directory": "/src", "file": "a.cpp", "output": "/home/u/.profile",
     "arguments": ["/p/clang++", "-Iinc", "-serialize-diagnostics", "/home/u/.profile", "@more", "-c", "a.cpp"]},
    {"directory": "build", "file": "-o/x", "command": "g++ -D 'A=\"b c\"' -fplugin=/x.so -- -o/x"},
    {"directory": "/src", "file": "none.cpp"}, 7])");
  const Result<std::size_t> left_out = write_filtered_database(database, place.path("made"), "");
  REQUIRE(left_out.has_value());
  CHECK(*left_out == 3);
  CHECK(write_filtered_database(database, place.path("made"), "").value() == 3);  // over the same
  CHECK(content(place.path("made/compile_commands.json")) ==
        R"([{"directory":"/src","file":"/src/a.cpp","arguments":["clang++","-Iinc","/src/a.cpp"]},)"
        "\n"
        R"({"directory":")" +
            place.path("p/build") + R"(","file":")" + place.path("p/build/-o/x") +
            R"(","arguments":["g++","-DA=\"b c\"",")" + place.path("p/build/-o/x") + R"("]}])");
}

TEST_CASE("what is allowed of flags keeps its folder") {
  TemporaryFolder place;
  place.make_folder("made");
  const std::string database =
      place.write("p/compile_flags.txt", "-Iinc\r\n  -isystem\n/x y\n\n-fmodules\n-working-directory=/etc\n");
  CHECK(write_filtered_database(database, place.path("made"), "").value() == 2);
  CHECK(content(place.path("made/compile_flags.txt")) ==
        "-working-directory=" + place.path("p") + "\n-Iinc\n-isystem/x y\n");
}

TEST_CASE("no database, and none that can be read") {
  TemporaryFolder place;
  place.make_folder("made");
  CHECK(write_filtered_database("", place.path("made"), "").value() == 0);
  CHECK(std::filesystem::is_empty(place.path("made")));
  const std::string database = place.write("p/compile_commands.json", "[{]");
  const Result<std::size_t> broken = write_filtered_database(database, place.path("made"), "");
  REQUIRE_FALSE(broken.has_value());
  CHECK(broken.error().message.starts_with("cannot read \"" + database + "\": not JSON at byte "));
}

// One entry, as CMake writes it.
std::string entry(const std::string& directory, const std::string& file, const std::string& more = {}) {
  return R"({"directory":")" + directory + R"(","command":"c++ -I)" + directory + R"(/../inc -c )" + file +
         R"(","file":")" + file + R"(")" + more + "}";
}

TEST_CASE("a database is of another checkout where the project has its files and nothing else does") {
  const TemporaryFolder folder;
  const std::filesystem::path root = folder.path("p");
  folder.write("p/db/a.cc");
  folder.write("q/db/a.cc");
  struct Case {
    const char* what;
    std::string json;
    bool is_moved;
  };
  const Case cases[] = {
      {"moved", "[" + entry("/no/p/build", "/no/p/db/a.cc") + "]", true},
      {"a file that only the build made comes first",
       "[" + entry("/no/p/build", "/no/p/build/made.cc") + "," + entry("/no/p/build", "/no/p/db/a.cc") + "]",
       true},
      {"cut within its second entry", "[" + entry("/no/p/build", "/no/p/db/a.cc") + R"(,{"dir)", true},
      {"relative to its folder", "[" + entry("/no/p/build", "../db/a.cc") + "]", true},
      {"of this checkout", "[" + entry((root / "build").string(), (root / "db/a.cc").string()) + "]", false},
      {"of one that is there, too", "[" + entry("/no/q/build", folder.path("q/db/a.cc")) + "]", false},
      {"a folder that is there", "[" + entry(folder.path("q"), "/no/p/db/a.cc") + "]", false},
      {"a file of this checkout that is gone", "[" + entry("/no/p", (root / "x/db/a.cc").string()) + "]",
       false},
      {"of something else", "[" + entry("/no/p/build", "/no/p/db/b.cc") + "]", false},
      {"relative folders", "[" + entry("build", "../db/a.cc") + "]", false},
      {"no database", "{}", false},
  };
  for (const Case& c : cases) {
    CAPTURE(c.what);
    CHECK(is_of_another_checkout(folder.write("p/compile_commands.json", c.json), root) == c.is_moved);
    if (!c.is_moved) CHECK(in_this_checkout(c.json, root) == c.json);
  }
  CHECK(!is_of_another_checkout(root / "none.json", root));
  // Its name would have to be quoted in a command.
  folder.write("p q/db/a.cc");
  CHECK(
      !is_of_another_checkout(folder.write("p q/compile_commands.json", cases[0].json), folder.path("p q")));
}

TEST_CASE("all paths of the other checkout become the project's") {
  const TemporaryFolder folder;
  folder.write("p/db/a.cc");
  const std::string root = folder.path("p");
  const std::string more = R"(,"arguments":["-I/no/p","-I/no/p-other/inc","-DX=/no/p.h"])";
  CHECK(in_this_checkout("[" + entry("/no/p/build", "/no/p/db/a.cc", more) + "]", root) ==
        "[" +
            entry(root + "/build", root + "/db/a.cc",
                  R"(,"arguments":["-I)" + root + R"(","-I/no/p-other/inc","-DX=/no/p.h"])") +
            "]");
}

}  // namespace filtered_database_test
}  // namespace symbols::servers
