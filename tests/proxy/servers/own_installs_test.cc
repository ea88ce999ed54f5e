#include "proxy/servers/own_installs.h"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include "tests/proxy/temporary_folder.h"

namespace symbols::servers {
namespace {

using Paths = std::vector<std::filesystem::path>;

const ProjectBoundary no_project({}, false);

TEST_CASE("our own installs: where they are, in order") {
  const TemporaryFolder folder;
  for (const char* install :
       {"named", "home/.local/lib/symbols/servers", "prefix/lib/symbols/servers", "prefix/scripts/servers"})
    folder.make_folder(std::string(install) + "/node_modules");
  const OwnInstalls all = find_own_installs(folder.path("named"), folder.path("home"),
                                            folder.path("prefix/bin/symbols"), no_project);
  CHECK(all.folders == Paths{folder.path("named"), folder.path("home/.local/lib/symbols/servers"),
                             folder.path("prefix/lib/symbols/servers"),
                             folder.path("prefix/scripts/servers")});
  CHECK(all.refused.empty());

  // Relative paths would lead into the project.
  std::filesystem::create_directories("named/node_modules");
  CHECK(find_own_installs("named", "home", "", no_project).folders.empty());
  std::filesystem::remove_all("named");
  CHECK(find_own_installs("", "", "", no_project).folders.empty());
  CHECK(find_own_installs(folder.path("none"), folder.path("none"), folder.path("none/x"), no_project)
            .folders.empty());
}

TEST_CASE("our own installs: those that others can write to are refused, but for the one that is named") {
  const TemporaryFolder folder;
  const std::string install = "prefix/lib/symbols/servers";
  folder.make_folder(install + "/node_modules");
  REQUIRE(::chmod(folder.path("prefix/lib").c_str(), 0777) == 0);
  const OwnInstalls beside = find_own_installs("", "", folder.path("prefix/bin/symbols"), no_project);
  CHECK(beside.folders.empty());
  CHECK(beside.refused == std::vector<std::string>{"the servers in " + folder.path(install) +
                                                   " are not used: " + folder.path("prefix/lib") +
                                                   " may be changed by other users"});
  const OwnInstalls named = find_own_installs(folder.path(install), "", "", no_project);
  CHECK(named.folders == Paths{folder.path(install)});
  CHECK(named.refused.empty());
}

TEST_CASE(
    "our own installs: that of the home folder is refused in the project, the others are ours there too") {
  const TemporaryFolder folder;
  const std::string home = folder.path(".local/lib/symbols/servers");
  for (const char* install : {".local/lib/symbols/servers", "named", "scripts/servers"})
    folder.make_folder(std::string(install) + "/node_modules");
  const auto find = [&](const ProjectBoundary& boundary) {
    return find_own_installs(folder.path("named"), folder.path(), folder.path("build/symbols"), boundary);
  };
  const OwnInstalls inside = find(ProjectBoundary(folder.path(), false));
  CHECK(inside.folders == Paths{folder.path("named"), folder.path("scripts/servers")});
  CHECK(inside.refused == std::vector<std::string>{"the servers in " + home +
                                                   " are not used: they are in the project, which is not "
                                                   "trusted"});
  CHECK(find(ProjectBoundary(folder.path(), true)).folders.size() == 3);
}

}  // namespace
}  // namespace symbols::servers
