// The files of a workspace that are opened so that references from other packages are found.
#include "proxy/servers/workspace_dependents.h"

#include <doctest/doctest.h>

#include "tests/proxy/temporary_folder.h"

namespace symbols::servers {
namespace {

using Paths = std::vector<std::string>;

// core <- middle <- far; apart depends on none of them.
void write_workspace(const TemporaryFolder& folder) {
  folder.write(".git/HEAD");
  folder.write("pnpm-workspace.yaml", "packages: ['packages/*']\n");
  folder.write("package.json", R"({"name": "all"})");
  folder.write("packages/core/package.json", R"({"name": "@x/core"})");
  folder.write("packages/core/tsconfig.json", "{}");
  folder.write("packages/core/src/a.ts");
  folder.write("packages/core/src/b.ts");
  folder.write("packages/core/test/a.test.ts");
  folder.write("packages/core/test/b.test.ts");
  folder.write("packages/middle/package.json",
               R"({"name": "@x/middle", "dependencies": {"@x/core": "workspace:*"}})");
  folder.write("packages/middle/tsconfig.json", "{}");
  folder.write("packages/middle/src/a.ts", "export const a = 1;\n");
  folder.write("packages/middle/src/b.ts", "export * from '@x/core';\n");
  folder.write("packages/middle/src/c.d.ts", "export * from '@x/core';\n");
  folder.write("packages/far/package.json", R"({"name": "@x/far", "devDependencies": {"@x/middle": "*"}})");
  folder.write("packages/far/jsconfig.json", "{}");
  folder.write("packages/far/index.jsx", "import { a } from '@x/middle';\n");
  folder.write("packages/apart/package.json", R"({"name": "@x/apart", "dependencies": {"other": "1"}})");
  folder.write("packages/apart/src/a.ts", "// like @x/core\n");
}

TEST_CASE("workspace dependents: a file of each project that may use the package") {
  const TemporaryFolder folder;
  write_workspace(folder);
  const WorkspaceDependents found = workspace_dependents(folder.path("packages/core/src/a.ts"), {});
  CHECK(found.are_all);
  CHECK(found.files == Paths{folder.path("packages/core/test/a.test.ts"),
                             folder.path("packages/far/index.jsx"), folder.path("packages/middle/src/b.ts")});
  CHECK(workspace_dependents(folder.path("packages/far/index.jsx"), {}).files.empty());
}

TEST_CASE("workspace dependents: beyond a limit it is told that there are more") {
  const TemporaryFolder folder;
  write_workspace(folder);
  const std::string file = folder.path("packages/core/src/a.ts");
  for (const WorkspaceLimits& limits :
       {WorkspaceLimits{.files = 5}, WorkspaceLimits{.entries = 5}, WorkspaceLimits{.bytes = 5},
        WorkspaceLimits{.names = 2}, WorkspaceLimits{.opened = 2}}) {
    CHECK_FALSE(workspace_dependents(file, {}, limits).are_all);
  }
  CHECK(workspace_dependents(file, {}, {.opened = 3}).are_all);
}

TEST_CASE("workspace dependents: none without a workspace, a package, or one that can be read") {
  const TemporaryFolder folder;
  folder.write("plain/a.ts");
  folder.write("plain/test/b.ts");
  folder.write("odd/.git/HEAD");
  folder.write("yarn.lock");
  folder.write("package.json", R"({"name": "x", "dependencies": {"y": "1"}})");
  folder.write("b.ts");
  folder.write("odd/package.json", "[{");
  folder.write("odd/a.ts");
  folder.write("odd/test/b.ts");
  CHECK(workspace_dependents(folder.path("plain/a.ts"), {}).files.empty());
  CHECK(workspace_dependents(folder.path("odd/a.ts"), {}).files == Paths{folder.path("odd/test/b.ts")});
}

}  // namespace
}  // namespace symbols::servers
