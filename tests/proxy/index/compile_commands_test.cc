#include "proxy/index/compile_commands.h"

#include <doctest/doctest.h>

#include "tests/proxy/temporary_folder.h"

namespace symbols::index {
namespace {

using Words = std::vector<std::string>;

TEST_CASE("index: the folders that a compiler looks in") {
  const IncludeFolders found = include_folders({"c++", "-Iinc", "-I", "../up", "-isystem/usr/sys", "-iquote",
                                                "q", "-include", "f.h", "-include-pch", "x.pch", "-c", "-I"},
                                               "/p/build");
  CHECK(found.folders == Words{"/p/build/inc", "/p/up", "/usr/sys"});
  CHECK(found.quoted == Words{"/p/build/q"});
  CHECK(include_folders({"-idirafter", "a", "-isystem", "b", "-Ic"}, "/p").folders ==
        Words{"/p/c", "/p/b", "/p/a"});
  CHECK(found.forced == Words{"f.h"});
}

TEST_CASE("index: each file has its own command, a header that of them all") {
  TemporaryFolder folder;
  const auto write = [&](const std::string& flag) {
    return CompileCommands(
        folder.write("compile_commands.json",
                     R"([{"directory": ".", "file": "a.cc", "command": "c++ -Ia -c a.cc"},)"
                     R"( {"directory": "sub", "file": "../b.cc", "arguments": ["c++", ")" +
                         flag + R"(", "-Ib", "-c"]}])"),
        folder.path(""));
  };
  const CompileCommands one = write("-DX");
  const CompileCommands other = write("-DY");
  CHECK(one.of(folder.path("a.cc")).hash == other.of(folder.path("a.cc")).hash);
  CHECK(one.of(folder.path("b.cc")).hash != other.of(folder.path("b.cc")).hash);
  CHECK(one.of(folder.path("c.h")).hash != other.of(folder.path("c.h")).hash);
  CHECK(one.of(folder.path("b.cc")).includes.folders == Words{folder.path("sub/b")});
  CHECK(one.of(folder.path("c.h")).includes.folders == Words{folder.path("a"), folder.path("sub/b")});
}

TEST_CASE("index: a command is the same wherever the project lies") {
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

TEST_CASE("index: arguments that are no strings are none") {
  TemporaryFolder folder;
  const CompileCommands commands(
      folder.write("compile_commands.json",
                   R"([{"directory": ")" + folder.path("") +
                       R"(", "file": "a.cc", "arguments": ["c++", "-I", null, "a"]}])"),
      "");
  CHECK(commands.of(folder.path("a.cc")).includes.folders == Words{folder.path("a")});
}

TEST_CASE("index: one that is no database, or none, has no commands") {
  TemporaryFolder folder;
  const CompileCommands broken(folder.write("compile_commands.json", "[{"), "");
  const CompileCommands missing(folder.path("none.json"), "");
  CHECK(broken.of("/a.cc").includes.folders.empty());
  CHECK(broken.of("/a.cc").hash != missing.of("/a.cc").hash);
  CHECK(missing.of("/a.cc").hash == files::ContentHash{});
}

TEST_CASE("index: compile_flags.txt is for every file") {
  TemporaryFolder folder;
  const CompileCommands flags(folder.write("compile_flags.txt", "-Iinclude\n-DX\n"), "");
  CHECK(flags.of(folder.path("a.cc")).includes.folders == Words{folder.path("include")});
}

}  // namespace
}  // namespace symbols::index
