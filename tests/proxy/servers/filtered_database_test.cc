#include "proxy/servers/filtered_database.h"

#include <doctest/doctest.h>

#include <sstream>

#include "tests/proxy/temporary_folder.h"

namespace symbols::servers {
namespace {

std::string content(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
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

}  // namespace
}  // namespace symbols::servers
