#include "proxy/files/project_watch.h"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include "tests/proxy/temporary_folder.h"

namespace symbols::files {
namespace project_watch_test {

namespace fs = std::filesystem;
using Paths = std::set<std::string>;

std::unique_ptr<ProjectWatch> watched(const std::string& root) {
  Result<std::unique_ptr<ProjectWatch>> watch = ProjectWatch::start(root);
  REQUIRE(watch.has_value());
  return std::move(*watch);
}

TEST_CASE("project watch: files that are written, made, renamed and removed are told by name, once") {
  TemporaryFolder folder;
  folder.write("a/b.txt", "1");
  const auto watch = watched(folder.path());
  CHECK_FALSE(watch->take().any());

  folder.write("a/b.txt", "2");
  CHECK(watch->take().paths == Paths{folder.path("a/b.txt")});
  CHECK_FALSE(watch->take().any());
  folder.write("c.txt", "");
  CHECK(watch->take().paths == Paths{folder.path("c.txt")});
  fs::rename(folder.path("c.txt"), folder.path("a/d.txt"));
  CHECK(watch->take().paths == Paths{folder.path("c.txt"), folder.path("a/d.txt")});
  fs::remove(folder.path("a/d.txt"));
  CHECK(watch->take().paths == Paths{folder.path("a/d.txt")});
  ::chmod(folder.path("a/b.txt").c_str(), 0600);
  CHECK(watch->take().any());
  std::ifstream(folder.path("a/b.txt")).get();
  CHECK_FALSE(watch->take().any());
}

TEST_CASE("project watch: a new folder is watched with all in it, and one that took the place of another") {
  TemporaryFolder folder;
  folder.write("a/x.txt", "");
  const auto watch = watched(folder.path());
  folder.write("new/deep/x.txt", "1");
  CHECK(watch->take().unknown);
  folder.write("new/deep/x.txt", "2");
  CHECK(watch->take().paths == Paths{folder.path("new/deep/x.txt")});

  fs::remove_all(folder.path("a"));
  CHECK(watch->take().unknown);
  folder.write("a/x.txt", "1");
  CHECK(watch->take().unknown);
  folder.write("a/x.txt", "2");
  CHECK(watch->take().paths == Paths{folder.path("a/x.txt")});

  fs::rename(folder.path("new"), folder.path("moved"));
  CHECK(watch->take().unknown);
  folder.write("moved/deep/x.txt", "3");
  CHECK(watch->take().paths == Paths{folder.path("moved/deep/x.txt")});
}

TEST_CASE("project watch: links are followed, version control is not, nor what lies beside the project") {
  TemporaryFolder elsewhere;
  elsewhere.write("lib/x.txt", "");
  elsewhere.write("file.txt", "");
  TemporaryFolder folder;
  folder.write("project/.git/index", "");
  folder.write("project/.hidden/x.txt", "");
  folder.link("project/lib", elsewhere.path("lib"));
  folder.link("project/file.txt", elsewhere.path("file.txt"));
  folder.link("project/loop", folder.path("project"));
  const auto watch = watched(folder.path("project"));

  folder.write("project/.git/index", "1");
  folder.write("project/.git/new/x", "1");
  folder.write("beside.txt", "1");
  CHECK_FALSE(watch->take().any());
  folder.write("project/.hidden/x.txt", "1");
  CHECK(watch->take().any());
  elsewhere.write("lib/x.txt", "1");
  CHECK(watch->take().any());
  elsewhere.write("file.txt", "1");
  CHECK(watch->take().any());
  folder.write("tsconfig.json", "{}");  // above the project, where servers look
  CHECK(watch->take().unknown);
}

TEST_CASE("project watch: a file is told under each of its names, its own and those by links") {
  TemporaryFolder elsewhere;
  elsewhere.write("lib/x.txt", "");
  elsewhere.write("file.txt", "");
  TemporaryFolder folder;
  folder.write("packages/b/x.txt", "");
  folder.write("packages/c/x.txt", "");
  fs::create_directory(folder.path("a_modules"));
  folder.link("a_modules/b", folder.path("packages/b"));
  folder.link("lib", elsewhere.path("lib"));
  folder.link("file.txt", elsewhere.path("file.txt"));
  const auto watch = watched(folder.path());

  folder.write("packages/b/x.txt", "1");
  CHECK(watch->take().paths == Paths{folder.path("a_modules/b/x.txt"), folder.path("packages/b/x.txt")});
  elsewhere.write("lib/x.txt", "1");
  CHECK(watch->take().paths == Paths{folder.path("lib/x.txt"), elsewhere.path("lib/x.txt")});
  for (int save = 0; save < 2; ++save) {  // as editors do: another file takes its place
    elsewhere.write("new.txt", "1");
    fs::rename(elsewhere.path("new.txt"), elsewhere.path("file.txt"));
    CHECK(watch->take().paths == Paths{folder.path("file.txt"), elsewhere.path("file.txt")});
  }

  fs::remove(folder.path("a_modules/b"));
  folder.link("a_modules/b", folder.path("packages/c"));
  CHECK(watch->take().unknown);
  folder.write("packages/b/x.txt", "2");
  CHECK(watch->take().paths == Paths{folder.path("packages/b/x.txt")});
  folder.write("packages/c/x.txt", "2");
  CHECK(watch->take().paths == Paths{folder.path("a_modules/b/x.txt"), folder.path("packages/c/x.txt")});
}

TEST_CASE("project watch: the repository around it, but for its installed packages, which may be links") {
  TemporaryFolder folder;
  folder.write("packages/a/x.txt", "");
  folder.write("packages/b/x.txt", "");
  folder.write("node_modules/installed/x.txt", "");
  fs::create_directory(folder.path("node_modules/@own"));
  folder.link("node_modules/@own/b", folder.path("packages/b"));
  folder.write("packages/a/node_modules/other/x.txt", "");
  Result<std::unique_ptr<ProjectWatch>> watch = ProjectWatch::start(folder.path("packages/a"), folder.path());
  REQUIRE(watch.has_value());

  folder.write("packages/b/x.txt", "1");
  CHECK((*watch)->take().paths ==
        Paths{folder.path("node_modules/@own/b/x.txt"), folder.path("packages/b/x.txt")});
  folder.write("node_modules/installed/x.txt", "1");
  CHECK_FALSE((*watch)->take().any());
  folder.write("packages/a/node_modules/other/x.txt", "1");
  CHECK((*watch)->take().any());
  folder.write("packages/package.json", "{}");
  CHECK((*watch)->take().unknown);
}

TEST_CASE("project watch: many changes are unknown ones, and none is lost") {
  TemporaryFolder folder;
  const auto watch = watched(folder.path());
  for (int i = 0; i < 20'000; ++i) folder.write("f" + std::to_string(i % 3000), "");
  const ProjectChanges changes = watch->take();
  CHECK(changes.unknown);
  CHECK(changes.paths.empty());
  CHECK_FALSE(watch->take().any());
}

TEST_CASE("project watch: what cannot be watched whole is refused") {
  TemporaryFolder folder;
  CHECK_FALSE(ProjectWatch::start(folder.path("none")).has_value());
  CHECK_FALSE(ProjectWatch::start("/proc").has_value());
  std::string deep = "d";
  for (int i = 0; i < 260; ++i) deep += "/d";
  folder.write(deep + "/x", "");
  const Result<std::unique_ptr<ProjectWatch>> watch = ProjectWatch::start(folder.path());
  REQUIRE_FALSE(watch.has_value());
  CHECK(watch.error().message.find("more than 256 folders deep") != std::string::npos);
}

}  // namespace project_watch_test
}  // namespace symbols::files
