#include "proxy/files/folder_walk.h"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <climits>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "tests/proxy/temporary_folder.h"

namespace symbols::files {
namespace folder_walk_test {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;
using namespace std::string_view_literals;

bool is_c(const fs::path& path) {
  return path.extension() == ".c";
}

FoundFiles find(const std::string& folder) {
  Result<FoundFiles> found = find_source_files(folder, is_c);
  REQUIRE(found.has_value());
  return *std::move(found);
}

// The files found in `inside` of `folder`, without the part of their paths that is `folder`'s own.
Names names_in(const TemporaryFolder& folder, const std::string& inside = "") {
  const FoundFiles found = find(folder.path(inside));
  CHECK(found.errors.empty());
  Names names;
  for (const std::string& file : found.files) {
    REQUIRE(file.starts_with(folder.path() + "/"));
    names.push_back(file.substr(folder.path().size() + 1));
  }
  return names;
}

TEST_CASE("source files: which files a folder gives") {
  struct Case {
    const char* what;
    const char* files;  // TemporaryFolder::write_all()'s, with spaces between them
    const char* found;
    const char* folder = "";
  };
  const Case cases[] = {
      {"none", "a.txt", ""},
      {"known ones in the order of their bytes, a subfolder's in its place",
       "b.c B.c a/z.c a.c a/b/c.c é.c c.txt", "B.c a/b/c.c a/z.c a.c b.c é.c"},
      {"hidden ones and node_modules are left out",
       ".cache/x.c .x.c node_modules/x.c a/node_modules/x.c a/x.c", "a/x.c"},
      {"unless they are named", ".cache/x.c", ".cache/x.c", ".cache"},
      {"unless they are named: node_modules", "node_modules/a/x.c node_modules/a/node_modules/y.c",
       "node_modules/a/x.c", "node_modules"},
      {"build is a name like others", "build/x.c", "build/x.c"},
      {"rules without a repository", ".gitignore=out\n out/x.c x.c", "x.c"},
      {"rules of a folder above count in a repository",
       ".git/HEAD .gitignore=a.c\n/s/t/b.c\n s/.gitignore=c.c\n s/t/a.c s/t/b.c s/t/c.c s/t/d.c", "s/t/d.c",
       "s/t"},
      {"rules of a folder above do not count without one", ".gitignore=a.c\n s/a.c", "s/a.c", "s"},
      {"an ignored folder that is named is walked", ".git/HEAD .gitignore=out/\n out/x.c", "out/x.c", "out"},
      {"info/exclude", ".git/info/exclude=a.c\n a.c s/a.c b.c", "b.c"},
      {"info/exclude from a folder below", ".git/info/exclude=/s/a.c\n s/a.c s/b.c", "s/b.c", "s"},
      {"info/exclude gives way to .gitignore", ".git/info/exclude=*.c\n .gitignore=!b.c\n a.c b.c", "b.c"},
      {"a nested file takes back a file", ".gitignore=*.c\n s/.gitignore=!a.c\n s/a.c a.c", "s/a.c"},
      {"a nested file takes back a folder",
       ".gitignore=**/vendor/\n a/.gitignore=!vendor\n a/vendor/x.c b/vendor/x.c", "a/vendor/x.c"},
      {"nothing is taken back out of an ignored folder",
       ".gitignore=out\n!out/x.c\n out/.gitignore=!*\n out/x.c y.c", "y.c"},
      {"all but", ".gitignore=/*\n!/src/\n/src/*\n!/src/a.c\n src/a.c src/b.c c.c", "src/a.c"},
      {"a nested file's rules end with its folder", "a/.gitignore=x.c\n a/b/x.c a/y.c b/x.c", "a/y.c b/x.c"},
      {"a repository in a repository has its own rules",
       ".git/HEAD .gitignore=a.c\n m/.git=gitdir:../.git/modules/m\n m/.gitignore=b.c\n m/a.c m/b.c n/a.c "
       "n/b.c",
       "m/a.c n/b.c"},
      {"names of any bytes", "new\nline.c 漢/字.c \xFF/\xFE.c [x]/*.c -r.c",
       "-r.c [x]/*.c new\nline.c 漢/字.c \xFF/\xFE.c"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.what);
    const TemporaryFolder folder;
    folder.write_all(c.files, ' ');
    CHECK(fmt::format("{}", fmt::join(names_in(folder, c.folder), " ")) == c.found);
  }
}

TEST_CASE("source files: paths begin as the folder was given") {
  const TemporaryFolder folder;
  folder.write("s/a.c");
  folder.write("s/t/b.c");
  folder.link("link", "s");
  const std::string s = folder.path("s");
  for (const auto& [given, start] : {std::pair{s, s},
                                     {s + "/", s},
                                     {s + "/./t/..", s + "/./t/.."},
                                     {folder.path("link"), folder.path("link")}})
    CHECK(find(given).files == Names{start + "/a.c", start + "/t/b.c"});
}

TEST_CASE("source files: symbolic links inside and what is no file are passed over") {
  const TemporaryFolder outside;
  outside.write("secret.c");
  const TemporaryFolder folder;
  folder.write("s/a.c");
  folder.link("s/up", "..");
  folder.link("s/self", ".");
  folder.link("b.c", "s/a.c");
  folder.link("c.c", outside.path("secret.c"));
  folder.link("out", outside.path());
  folder.link("loop.c", "loop.c");
  folder.make_fifo("fifo.c");
  folder.make_folder("folder.c");
  CHECK(names_in(folder) == Names{"s/a.c"});
}

TEST_CASE("source files: known files that are ignored are counted") {
  const TemporaryFolder folder;
  folder.write(".gitignore", "a*\n");
  for (const char* const name : {"a.c", "ab.c", "a.txt", "b.c"}) folder.write(name);
  const FoundFiles found = find(folder.path());
  CHECK(found.files == Names{folder.path("b.c")});
  CHECK(found.ignored == 2);
}

TEST_CASE("source files: rules that cannot be read are noted and nothing waits for them") {
  const TemporaryFolder folder;
  folder.make_folder("a");
  folder.make_fifo("a/.gitignore");
  folder.make_folder("b/.gitignore");
  folder.write("rules", "x.c\n");
  folder.make_folder("c");
  folder.link("c/.gitignore", "../rules");
  for (const char* const name : {"a/x.c", "b/x.c", "c/x.c"}) folder.write(name);
  const FoundFiles found = find(folder.path());
  CHECK(found.files.size() == 3);
  CHECK(found.errors.empty());
  const auto note = [&](const std::string& name, const std::string& kind) {
    return "cannot read " + folder.path(name) + ": it is " + kind + ", not a file; its rules are ignored";
  };
  CHECK(found.notes == std::vector<std::string>{note("a/.gitignore", "a named pipe"),
                                                note("b/.gitignore", "a folder"),
                                                note("c/.gitignore", "a symbolic link")});
}

TEST_CASE("source files: a folder that cannot be walked is an error") {
  const TemporaryFolder folder;
  folder.write("file.c");
  folder.link("loop", "loop");
  const std::pair<std::string, const char*> cases[] = {
      {folder.path("none"), ": No such file or directory"},
      {"", "'': No such file or directory"},
      {folder.path("file.c"), ": it is not a folder"},
      {folder.path("file.c/x"), ": Not a directory"},
      {folder.path("loop"), ": Too many levels of symbolic links"},
  };
  for (const auto& [path, reason] : cases) {
    CAPTURE(path);
    const Result<FoundFiles> found = find_source_files(path, is_c);
    REQUIRE_FALSE(found.has_value());
    CHECK(found.error().message == "cannot look into " + path + reason);
    CHECK_FALSE(found.error().advice.empty());
  }
}

TEST_CASE("source files: a folder that is reached by a link is walked where it is, or refused") {
  const TemporaryFolder folder;
  folder.write("a/b/c.c");
  folder.link("link", "a");
  for (const char* const name : {"link", "link/b", "a"}) {
    CAPTURE(name);
    const std::string path = folder.path(name);
    const Result<FoundFiles> found = find_source_files(path, is_c);
    REQUIRE(found.has_value());
    CHECK(found->root == fs::canonical(path));
    CHECK(found->files.size() == 1);
    const Result<FoundFiles> refused = find_source_files(path, is_c, {}, {}, Symlinks::refuse);
    CHECK(refused.has_value() == (path == folder.path("a")));
    if (!refused) CHECK(refused.error().message.starts_with("cannot look into " + path + ": "));
  }
}

TEST_CASE("source files: what is below a limit is taken and what is above is an error") {
  const TemporaryFolder folder;
  for (const char* const name : {"a.c", "b/c.c", "b/d/e.c", "f.txt"}) folder.write(name);  // 6 entries
  struct Case {
    FolderLimits limits;
    const char* error;  // its end; empty: none
  };
  const Case cases[] = {
      {{.files = 3, .depth = 2, .entries = 6}, ""},
      {{.files = 2, .depth = 2, .entries = 6}, "it has more than 2 source files"},
      {{.files = 3, .depth = 2, .entries = 5}, "it has more than 5 entries"},
      {{.files = 3, .depth = 2, .entries = 2}, "it has more than 2 entries"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.error);
    const Result<FoundFiles> found = find_source_files(folder.path(), is_c, c.limits);
    CHECK((found ? found->files.size() : 0) == (*c.error == '\0' ? 3 : 0));
    CHECK((found ? std::string() : found.error().message).ends_with(c.error));
  }
  const Result<FoundFiles> shallow = find_source_files(folder.path(), is_c, {.depth = 1});
  REQUIRE(shallow.has_value());
  CHECK(shallow->files == Names{folder.path("a.c"), folder.path("b/c.c")});
  REQUIRE(shallow->errors.size() == 1);
  CHECK(shallow->errors[0].message ==
        "cannot look into " + folder.path("b/d") + ": it is more than 1 folders deep");
}

TEST_CASE("lists of paths: by line or by NUL, empty ones skipped, and errors that have the line") {
  constexpr auto newline = PathSeparator::newline;
  constexpr auto nul = PathSeparator::nul;
  const std::string too_long(PATH_MAX, 'x');
  const std::string longest = too_long.substr(1);
  struct Case {
    std::string_view text;
    PathSeparator separator;
    Names paths;
    const char* error = "";
  };
  const std::string long_second = "a\n" + too_long;
  const Case cases[] = {
      {"", newline, {}},
      {"\n\r\n", newline, {}},
      {"a.ts\n\n b c.ts \r\n-x", newline, {"a.ts", " b c.ts ", "-x"}},
      {"a\nb\0\0c\r\0"sv, nul, {"a\nb", "c\r"}},
      {longest, newline, {longest}},
      {"a\n\n-\n", newline, {}, "list: line 3 is -, which cannot be standard input here"},
      {"a\0-"sv, nul, {}, "list: path 2 is -, which cannot be standard input here"},
      {"a\nb\0c"sv, newline, {}, "list: line 2 has a NUL byte"},
      {long_second, newline, {}, "list: line 2 is longer than a path can be, 4095 bytes"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    const Result<Names> paths = parse_path_list(c.text, c.separator, "list");
    CHECK((paths ? *paths : Names()) == c.paths);
    CHECK((paths ? "" : paths.error().message) == c.error);
  }
}

}  // namespace folder_walk_test
}  // namespace symbols::files
