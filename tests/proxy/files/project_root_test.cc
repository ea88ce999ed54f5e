#include "proxy/files/project_root.h"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <string>
#include <utility>

#include "tests/proxy/temporary_folder.h"

namespace symbols::files {
namespace project_root_test {

namespace fs = std::filesystem;
using Markers = RootMarkers;

TEST_CASE("project root: the nearest folder with a marker, else with .git, else the file's own") {
  const Markers clangd{.project = {"compile_commands.json", "build/compile_commands.json", ".clangd"}};
  const Markers typescript{.project = {"tsconfig.json", "package.json"}};
  const Markers npm{.workspace = {"package-lock.json"}, .project = {"package.json"}};
  struct Case {
    const char* what;
    const char* files;  // TemporaryFolder::write_all()'s
    Markers markers;
    const char* file;
    const char* root;  // "." the temporary folder
    const char* home = "home";
  };
  const Case cases[] = {
      {"nothing", "", typescript, "p/s/x.ts", "p/s"},
      {"no markers", "p/package.json", {}, "p/s/x.ts", "p/s"},
      {"in the file's own folder", "p/s/package.json", typescript, "p/s/x.ts", "p/s"},
      {"above", "p/package.json", typescript, "p/s/t/x.ts", "p"},
      {"the nearest of two", "p/package.json|p/s/package.json", typescript, "p/s/t/x.ts", "p/s"},
      {"the nearest of any marker", "p/tsconfig.json|p/s/package.json", typescript, "p/s/t/x.ts", "p/s"},
      {"a marker wins over a nearer .git", "p/package.json|p/s/.git/HEAD", typescript, "p/s/x.ts", "p"},
      {".git", "p/.git/HEAD", typescript, "p/s/x.ts", "p"},
      {".git of a worktree is a file", "p/.git", typescript, "p/s/x.ts", "p"},
      {"the nearest .git", "p/.git/HEAD|p/s/.git", typescript, "p/s/t/x.ts", "p/s"},
      {"a folder as marker", "p/.clangd/x", clangd, "p/s/x.c", "p"},
      {"a marker in a subfolder", "p/build/compile_commands.json", clangd, "p/s/x.c", "p"},
      {"seen from that subfolder", "p/build/compile_commands.json", clangd, "p/build/x.c", "p/build"},
      {"an empty marker is none", "", {.project = {""}}, "p/s/x.c", "p/s"},
      {"a part of a name is no marker", "p/package.json5", typescript, "p/s/x.ts", "p/s"},
      {"a file that is not there yet", "p/package.json", typescript, "p/new.ts", "p"},
      {"never above home", "package.json", typescript, "home/p/x.ts", "home/p"},
      {"never above home for .git", ".git/HEAD", typescript, "home/p/x.ts", "home/p"},
      {"home may be a project", "home/package.json", typescript, "home/p/x.ts", "home"},
      {"but not for its .git alone", "home/.git/HEAD", typescript, "home/p/x.ts", "home/p"},
      {"a .git above a home with .git", ".git/HEAD|home/.git/HEAD", typescript, "home/p/x.ts", "home/p"},
      {"a file in home itself", "package.json", typescript, "home/x.ts", "home"},
      {"outside of home", "package.json", typescript, "homestead/x.ts", "."},
      {"beside home", "package.json", typescript, "p/x.ts", "."},
      {"above home", "package.json", typescript, "x.ts", "."},
      {"home unknown", "package.json", typescript, "home/p/x.ts", ".", ""},
      {"a space, é and a newline", "a b/é\n/package.json", typescript, "a b/é\n/s/x.ts", "a b/é\n"},
      {"a workspace wins", ".git/HEAD|p/package-lock.json|p/s/package.json", npm, "p/s/x.ts", "p"},
      {"the nearest workspace", ".git/HEAD|package-lock.json|p/package-lock.json|p/s/package.json", npm,
       "p/s/x.ts", "p"},
      {"a workspace outside of the repository", "package-lock.json|p/.git/HEAD|p/s/package.json", npm,
       "p/s/x.ts", "p/s"},
      {"a workspace without a repository", "p/package-lock.json|p/s/package.json", npm, "p/s/x.ts", "p/s"},
      {"no workspace", ".git/HEAD|p/s/package.json", npm, "p/s/x.ts", "p/s"},
      {"bytes that are not UTF-8", "\xFF/package.json", typescript, "\xFF/s/x.ts", "\xFF"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.what);
    const TemporaryFolder folder;
    folder.make_folder("home");
    folder.write_all(c.files);
    const fs::path file = folder.path(c.file);
    fs::create_directories(file.parent_path());
    const fs::path home = *c.home == '\0' ? "" : folder.path(c.home);
    const std::string root = std::string(c.root) == "." ? folder.path() : folder.path(c.root);
    CHECK(find_project_root(file, c.markers, home) == root);
  }
}

TEST_CASE("folder of package: the parent of the outermost folder with the marker, without a gap") {
  const TemporaryFolder folder;
  for (const char* const file : {"a/b/__init__.py", "a/b/c/__init__.py", "a/b/c/d/e/__init__.py"})
    folder.write(file);
  const auto found = [&](const char* file) { return folder_of_package(folder.path(file), "__init__.py"); };
  CHECK(found("a/b/c/x.py") == folder.path("a"));
  CHECK(found("a/b/x.py") == folder.path("a"));
  CHECK(found("a/b/c/d/e/x.py") == folder.path("a/b/c/d"));
  CHECK(found("a/x.py").empty());
  CHECK(folder_of_package(folder.path("a/b/x.py"), "").empty());
}

TEST_CASE("unmarked root: the folder asked about, unless it is one of unrelated things") {
  const TemporaryFolder folder;
  folder.make_folder("home");
  folder.make_folder("shared/p/s");
  REQUIRE(::chmod(folder.path("shared").c_str(), 01777) == 0);
  const std::string home = folder.path("home");
  struct Case {
    const char* what;
    std::string file;
    std::string asked;
    std::string root;
  };
  const Case cases[] = {
      {"asked about", folder.path("p/s/t/x.ts"), folder.path("p"), folder.path("p")},
      {"the file's own", folder.path("p/s/x.ts"), folder.path("p/s"), folder.path("p/s")},
      {"nothing asked about", folder.path("p/s/x.ts"), "", folder.path("p/s")},
      {"asked about another", folder.path("p/s/x.ts"), folder.path("q"), folder.path("p/s")},
      {"a name is no beginning of another", folder.path("pp/x.ts"), folder.path("p"), folder.path("pp")},
      {"home", home + "/p/s/x.ts", home, home + "/p"},
      {"in home itself", home + "/x.ts", home, home},
      {"above home", home + "/p/s/x.ts", folder.path(), home + "/p"},
      {"beside home", folder.path("p/s/x.ts"), folder.path(), folder.path("p")},
      {"in home", home + "/p/s/x.ts", home + "/p", home + "/p"},
      {"shared by strangers", folder.path("shared/p/s/x.ts"), folder.path("shared"), folder.path("shared/p")},
      {"in the shared one itself", folder.path("shared/x.ts"), folder.path("shared"), folder.path("shared")},
      {"all there is", "/usr/lib/x.c", "/", "/usr"},
      {"in it", "/x.c", "/", ""},
      {"in it, nothing asked about", "/x.c", "", ""},
  };
  for (const Case& c : cases) {
    CAPTURE(c.what);
    CHECK(unmarked_root(c.file, c.asked, home) == fs::path(c.root));
  }
}

TEST_CASE("project root: a marker in a folder that strangers share marks nothing") {
  const TemporaryFolder folder;
  folder.write("package.json");
  folder.write(".git/HEAD");
  folder.make_folder("p");
  const fs::path file = folder.path("p/x.ts");
  CHECK(find_project_root(file, {.project = {"package.json"}}, "") == folder.path());
  REQUIRE(::chmod(folder.path().c_str(), 01777) == 0);
  CHECK(find_project_root(file, {.project = {"package.json"}}, "") == folder.path("p"));
  CHECK(find_project_root(folder.path("x.ts"), {.project = {"package.json"}}, "") == folder.path());
}

TEST_CASE("project root: never the root of the file system") {
  // "usr" is in / on every system that has these tests.
  REQUIRE(fs::exists("/usr"));
  CHECK(find_project_root("/usr/x.c", {.project = {"usr"}}, "") == "/usr");
  CHECK(find_project_root("/x.c", {.project = {"usr"}}, "").empty());
  CHECK(find_project_root("/usr/x.c", {.project = {"usr"}}, "/") == "/usr");
}

TEST_CASE("absolute source path: the folder is canonical and the name stays") {
  const TemporaryFolder folder;
  folder.write("p/a.c");
  folder.write("file");
  folder.write("other/b.c");
  folder.link("link", "p");
  folder.link("p/b.c", "../other/b.c");
  struct Case {
    std::string given;
    std::string path;  // else the end of the error's message
  };
  const std::string nameless = "it does not end in the name of a file";
  const Case cases[] = {
      {folder.path("p/a.c"), folder.path("p/a.c")},
      {folder.path("link/a.c"), folder.path("p/a.c")},
      {folder.path("p/../link/./a.c"), folder.path("p/a.c")},
      {folder.path("p//a.c"), folder.path("p/a.c")},
      {folder.path("p/b.c"), folder.path("p/b.c")},
      {folder.path("p/not there.c"), folder.path("p/not there.c")},
      {"here.c", (fs::canonical(".") / "here.c").string()},
      {"/x.c", "/x.c"},
      {folder.path("none/x.c"), "No such file or directory"},
      {folder.path("file/x.c"), "Not a directory"},
      {folder.path() + "/", nameless},
      {folder.path(".."), nameless},
      {".", nameless},
      {"", nameless},
  };
  for (const Case& c : cases) {
    CAPTURE(c.given);
    const Result<fs::path> path = absolute_source_path(c.given);
    CHECK(path.has_value() == c.path.starts_with('/'));
    CHECK((path ? path->string() : path.error().message).ends_with(c.path));
  }
}

TEST_CASE("absolute path: by its names alone") {
  const fs::path here = fs::current_path();
  const std::pair<const char*, fs::path> cases[] = {
      {"x", here / "x"},        {"./x/", here / "x"},   {".", here}, {"-", here / "-"},
      {"/a/./b/../c/", "/a/c"}, {"/a/none", "/a/none"}, {"/", "/"},
  };
  for (const auto& [given, path] : cases) {
    CAPTURE(given);
    CHECK(absolute_path(given) == path);
  }
}

TEST_CASE("home folder: from the environment and canonical") {
  const TemporaryFolder folder;
  folder.make_folder("home");
  folder.link("link", "home");
  const std::string none = folder.path("none");
  for (const auto& [home, found] :
       {std::pair{folder.path("link"), folder.path("home")}, {none, ""}, {"", ""}}) {
    const Variable variable("HOME", home.c_str());
    CHECK(home_folder() == fs::path(found));
  }
  const Variable home("HOME", nullptr);
  CHECK(home_folder().empty());
}

}  // namespace project_root_test
}  // namespace symbols::files
