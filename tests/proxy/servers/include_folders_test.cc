// The folders that the includes of a project need, found from its files.
#include "proxy/servers/include_folders.h"

#include <doctest/doctest.h>

#include "tests/proxy/temporary_folder.h"

namespace symbols::servers {
namespace {

using Files = std::map<std::string, std::string>;  // texts, by path
using Folders = std::vector<IncludeFolder>;

TEST_CASE("include folders: a file of the project whose path ends in the name gives the folder before it") {
  struct Case {
    const char* what;
    Files files;
    Folders expected;  // for src/a.cc
  };
  const Case cases[] = {
      {"beside", {{"src/a.cc", "#include \"a.h\"\n#include \"../b.h\""}, {"src/a.h", ""}, {"b.h", ""}}, {}},
      {"not there", {{"src/a.cc", "#include \"a.h\"\n#include <lib/b.h>"}}, {}},
      {"the root", {{"src/a.cc", "#include \"src/a.h\""}, {"src/a.h", ""}}, {{"", false}}},
      {"in <>", {{"src/a.cc", "#include <lib/a.h>"}, {"include/lib/a.h", ""}}, {{"include", true}}},
      {"in <> of one header, in quotes of another",
       {{"src/a.cc", "#include \"lib/a.h\"\n#include <lib/b.h>"},
        {"include/lib/a.h", ""},
        {"include/lib/b.h", ""}},
       {{"include", true}}},
      {"<> is not looked for beside", {{"src/a.cc", "#include <a.h>"}, {"src/a.h", ""}}, {{"src", true}}},
      {"through headers",
       {{"src/a.cc", "#include \"a.h\""},
        {"src/a.h", "#include \"deep/b.h\""},
        {"lib/deep/b.h", "#include <c.h>\n#include \"a.h\""},
        {"inc/c.h", ""}},
       {{"lib", false}, {"src", false}, {"inc", true}}},
      {"the end of a name is no name", {{"src/a.cc", "#include \"a.h\""}, {"lib/ba.h", ""}}, {}},
      {"headers of the system",
       {{"src/a.cc", "#include <stddef.h>\n#include <vector>\n#include <sys/types.h>"},
        {"lib/stddef.h", ""},
        {"lib/vector", ""},
        {"lib/sys/types.h", ""}},
       {}},
      {"in quotes they are the project's",
       {{"src/a.cc", "#include \"stddef.h\""}, {"lib/stddef.h", ""}},
       {{"lib", false}}},
      {"out of the root",
       {{"src/a.cc", "#include \"../../x.h\"\n#include <../lib/a.h>\n#include \"/etc/passwd\""},
        {"lib/a.h", ""}},
       {}},
      {"hidden folders do not count", {{"src/a.cc", "#include \"a/b.h\""}, {".old/a/b.h", ""}}, {}},
  };
  for (const Case& c : cases) {
    CAPTURE(c.what);
    const TemporaryFolder folder;
    for (const auto& [path, text] : c.files) folder.write(path, text);
    CHECK(ProjectHeaders(folder.path()).folders_for("src/a.cc") == c.expected);
  }
}

TEST_CASE("include folders: of several files that end in the name the nearest is taken") {
  struct Case {
    const char* what;
    std::vector<std::string> candidates;
    const char* expected;
  };
  const Case cases[] = {
      {"most folders in common", {"deps/lib/include/u.h", "src/core/parts/u.h"}, "src/core/parts"},
      {"include before another", {"lib/u.h", "zzz/include/u.h"}, "zzz/include"},
      {"the shortest", {"a/b/c/u.h", "x/y/u.h"}, "x/y"},
      {"the first by name", {"y/u.h", "x/u.h"}, "x"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.what);
    const TemporaryFolder folder;
    folder.write("src/core/a.cc", "#include \"u.h\"\n");
    for (const std::string& path : c.candidates) folder.write(path);
    CHECK(ProjectHeaders(folder.path()).folders_for("src/core/a.cc") == Folders{{c.expected, false}});
  }
}

TEST_CASE("include folders: a folder that was found is searched before others, as the compiler does") {
  const TemporaryFolder folder;
  folder.write("src/a.cc", "#include \"a1.h\"\n#include \"b.h\"\n");
  folder.write("lib/a1.h");
  folder.write("lib/b.h");
  folder.write("include/b.h");
  CHECK(ProjectHeaders(folder.path()).folders_for("src/a.cc") == Folders{{"lib", false}});
}

TEST_CASE("include folders: links are not followed") {
  const TemporaryFolder folder;
  const TemporaryFolder elsewhere;
  elsewhere.write("lib/a.h");
  folder.write("a.cc", "#include \"lib/a.h\"\n");
  folder.link("link", elsewhere.path());
  CHECK(ProjectHeaders(folder.path()).folders_for("a.cc") == Folders{});
}

TEST_CASE("include folders: beyond a limit nothing is guessed") {
  const TemporaryFolder folder;
  folder.write("a.cc", "#include \"x/a.h\"\n#include \"y/b.h\"\n");
  folder.write("1/x/a.h");
  folder.write("2/y/b.h");
  const auto guess = [&](ProjectHeaders::Limits limits) {
    return ProjectHeaders(folder.path(), limits).folders_for("a.cc").has_value();
  };
  CHECK(guess({}));
  CHECK(!guess({.files = 2}));
  CHECK(!guess({.entries = 3}));
  CHECK(!guess({.max_read = 2}));
  CHECK(!guess({.max_folders = 1}));
  CHECK(!guess({.max_lookups = 3}));
  CHECK(!guess({.max_bytes = 10}));
  CHECK(guess({.max_read = 3, .max_folders = 2}));
  // One that is too long is passed over.
  CHECK(ProjectHeaders(folder.path(), {.max_header = 10}).folders_for("a.cc") == Folders{});
}

TEST_CASE("include folders: what a .h is written in") {
  struct Case {
    const char* what;
    std::vector<std::string> sources;
    ProjectHeaders::Dialect expected;  // of src/a.h
  };
  using Dialect = ProjectHeaders::Dialect;
  const Case cases[] = {
      {"nothing beside it", {}, Dialect::unknown},
      {"C beside it", {"src/a.c", "other/1.cc", "other/2.cc"}, Dialect::c},
      {"C++ below the root", {"lib/a.cc", "test/b.c"}, Dialect::cpp},
      {"mostly C", {"src/a.c", "src/b.c", "src/c.cc"}, Dialect::c},
      {"Objective-C too", {"src/a.c", "src/b.m"}, Dialect::unknown},
  };
  for (const Case& c : cases) {
    CAPTURE(c.what);
    const TemporaryFolder folder;
    folder.write("src/a.h");
    for (const std::string& path : c.sources) folder.write(path);
    CHECK(ProjectHeaders(folder.path()).dialect_of_header("src/a.h") == c.expected);
  }
}

}  // namespace
}  // namespace symbols::servers
