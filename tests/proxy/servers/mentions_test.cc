// The files that mention a name: what is opened for a server, and what it may not know.
#include "proxy/servers/mentions.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>

#include "tests/proxy/temporary_folder.h"

namespace symbols::servers {
namespace mentions_test {

using Paths = std::vector<std::string>;

// core <- middle <- far; apart depends on none of them.
void write_workspace(const TemporaryFolder& folder) {
  folder.write(".git/HEAD");
  folder.write("pnpm-workspace.yaml", "packages: ['packages/*']\n");
  folder.write("package.json", R"({"name": "all"})");
  folder.write("packages/core/package.json", R"({"name": "@x/core"})");
  folder.write("packages/core/tsconfig.json", "{}");
  folder.write("packages/core/src/a.ts", "export function used() {}\n");
  folder.write("packages/core/src/b.ts", "used();\n");
  folder.write("packages/core/src/c.ts", "unused(); used2(); $used; useds\n  // used\n");
  folder.write("packages/core/test/a.test.ts", "used();\n");
  folder.write("packages/core/test/b.test.ts", "used();\n");
  folder.write("packages/middle/package.json",
               R"({"name": "@x/middle", "dependencies": {"@x/core": "workspace:*"}})");
  folder.write("packages/middle/tsconfig.json", "{}");
  folder.write("packages/middle/src/b.ts", "export * from '@x/core';\n");
  folder.write("packages/middle/src/c.d.ts", "export { used } from '@x/core';\n");
  folder.write("packages/far/package.json", R"({"name": "@x/far", "devDependencies": {"@x/middle": "*"}})");
  folder.write("packages/far/index.jsx", "import { used } from './own';\nused();\n");
  folder.write("packages/far/page.vue", "<script>used()</script>\n");
  folder.write("packages/apart/package.json", R"({"name": "@x/apart", "dependencies": {"other": "1"}})");
  folder.write("packages/apart/src/a.ts", "used();\n");
  folder.write("packages/apart/src/b.ts", "import { used } from '@x/core';\n");
  folder.write("packages/apart/src/c.ts", "import { used } from '../../core/src/a';\n");
}

TEST_CASE(
    "mentions, TypeScript: files that may use the package and have the word, one of each project first") {
  const TemporaryFolder folder;
  write_workspace(folder);
  const auto at = [&folder](const char* path) { return folder.path(std::string("packages/") + path); };
  const Mentions found = typescript_mentions(at("core/src/a.ts"), "used", folder.path());
  CHECK(found.are_all);
  CHECK(found.to_open == Paths{at("core/test/a.test.ts"), at("far/index.jsx"), at("middle/src/c.d.ts"),
                               at("core/src/b.ts"), at("core/test/b.test.ts")});
  CHECK(found.to_find == Paths{at("core/src/b.ts"), at("core/test/a.test.ts"), at("core/test/b.test.ts"),
                               at("apart/src/a.ts"), at("far/index.jsx"), at("far/page.vue")});
  const Mentions two = typescript_mentions(at("core/src/a.ts"), "used", folder.path(), {.opened = 2});
  CHECK(two.are_all);
  CHECK(two.to_open == Paths{at("core/test/a.test.ts"), at("far/index.jsx")});
  CHECK(two.to_find == found.to_find);
  CHECK(typescript_mentions(at("far/index.jsx"), "used", folder.path()).to_open.empty());
}

TEST_CASE("mentions, TypeScript: beyond a limit there may be more") {
  const TemporaryFolder folder;
  write_workspace(folder);
  const std::string file = folder.path("packages/core/src/a.ts");
  for (const MentionLimits& limits :
       {MentionLimits{.files = 5}, MentionLimits{.entries = 5}, MentionLimits{.bytes = 5}}) {
    CHECK_FALSE(typescript_mentions(file, "used", folder.path(), limits).are_all);
  }
}

TEST_CASE("mentions, TypeScript: a name that may change on the way is not found everywhere") {
  const auto are_all = [](const std::string& text) {
    const TemporaryFolder folder;
    folder.write(".git/HEAD");
    folder.write("a.ts", text);
    return typescript_mentions(folder.path("a.ts"), "used", folder.path()).are_all;
  };
  CHECK(are_all("export function used() {}\nexport default { used };\nexports.f = [used];\n"));
  CHECK(are_all("import { unused as b, used, used2 as c } from './c';\nconst d = used as any;\n"));
  CHECK(are_all("export default function other() { used(); }\n"));
  for (const char* const text :
       {"export default used;", "export default async function used() {}", "export default class used {",
        "module.exports = used;", "exports.other = used;", "export = used;", "export { used as other };",
        "import {\n  a,\n  used as other,\n} from './b';", "export{used as other}from './b'",
        "import type { used as T } from './b'", "import Other = names.used;"}) {
    CAPTURE(text);
    CHECK_FALSE(are_all(text));
  }
}

TEST_CASE("mentions, TypeScript: the language of a file") {
  CHECK(language_of("a.d.ts") == "typescript");
  CHECK(language_of("a.mts") == "typescript");
  CHECK(language_of("a.tsx") == "typescriptreact");
  CHECK(language_of("a.pyi") == "python");
  CHECK(language_of("a.cjs") == "javascript");
  CHECK(language_of("a.jsx") == "javascriptreact");
}

TEST_CASE("mentions, C++: what the compilation database does not reach") {
  const TemporaryFolder folder;
  for (const char* const file : {"src/a.cc", "src/b.cc", "src/windows.cc", "test/b.cc", "src/open.cc"})
    folder.write(file, "#include \"dir/one.h\"\nused();\n");
  folder.write("src/windows.cc", "#include <windows.h>\nused();\n");
  folder.write("dir/one.h", "#include \"two.h\"\n");
  folder.write("dir/two.h", "void used();\n");
  folder.write("dir/windows.h", "used();\n");
  const std::string database = folder.write(
      "build/compile_commands.json", R"([{"file": ")" + folder.path("src/a.cc") + R"("}, {"directory": ")" +
                                         folder.path("src") + R"(", "file": "../src/b.cc"}])");
  const auto find = [&](const MentionLimits& limits = {}) {
    return cpp_mentions(folder.path("src/open.cc"), "used", folder.path(), database, limits);
  };
  CHECK(find().are_all);
  CHECK(find().to_open.empty());
  CHECK(find().to_find ==
        Paths{folder.path("src/windows.cc"), folder.path("test/b.cc"), folder.path("dir/windows.h")});
  CHECK_FALSE(find({.bytes = 100}).are_all);
}

TEST_CASE("clangd's kept index: what one clangd may still write is removed again once it has ended") {
  const TemporaryFolder project;
  const TemporaryFolder kept;
  const std::string shard = ".cache/clangd/index/a.cc.0123456789ABCDEF.idx";
  const auto is_kept = [&] { return std::filesystem::exists(kept.path(shard)); };
  const auto start = [&] { return forget_outdated_index(kept.path(), project.path()); };
  project.write("a.cc", "#include \"a.h\"\n");
  Descriptor earlier = start();
  kept.write(shard);
  project.write("a.h");
  Descriptor later = start();
  CHECK_FALSE(is_kept());
  kept.write(shard);  // by the earlier one, which did not find the header
  later = Descriptor();
  earlier = Descriptor();
  earlier = start();
  CHECK_FALSE(is_kept());
  kept.write(shard);
  later = start();
  CHECK(is_kept());
}

TEST_CASE("mentions, Python and PHP: every file that has the word outside of comments") {
  const TemporaryFolder folder;
  const std::string file = folder.write("src/a.py", "def used(): pass\n");
  folder.write("src/b.py", "# used\n");
  folder.write("tests/b.py", "from a import used\n");
  folder.write("tests/c.py", "unused()\n");
  const Mentions found = python_mentions(file, "used", folder.path());
  CHECK(found.are_all);
  CHECK(found.to_find == Paths{folder.path("tests/b.py")});
  CHECK(found.to_open == found.to_find);
  CHECK(python_mentions(file, "used", folder.path(), {.opened = 0}).to_open.empty());
  folder.write("tests/c.py", "from a import used as other\n");
  CHECK_FALSE(python_mentions(file, "used", folder.path()).are_all);
  CHECK_FALSE(python_mentions(file, std::string(300, 'a'), folder.path()).are_all);
  folder.write("x/a.php", "<?php used();\n");
  const Mentions php = php_mentions(folder.path("x/b.php"), "used", folder.path());
  CHECK(php.to_find == Paths{folder.path("x/a.php")});
  CHECK(php.to_open.empty());
}

TEST_CASE("mentions, Go: files that are not always built, and those of other modules") {
  const TemporaryFolder folder;
  folder.write("go.mod", "module a\n");
  folder.write("a.go", "package a\nfunc Used() {}\n");
  folder.write("a_test.go", "package a\nvar _ = Used\n");
  folder.write("a_windows.go", "package a\nvar _ = Used\n");
  folder.write("b_arm64_test.go", "package a\nvar _ = Used\n");
  folder.write("c_linux.go", "package a\nvar _ = Unused\n");
  folder.write("cgo.go", "package a\nimport \"C\"\nvar _ = Used\n");
  folder.write("old.go", "//+build tools\npackage a\nvar _ = Used\n");
  folder.write("tagged.go", "//go:build tools\npackage a\nvar _ = Used\n");
  folder.write("inner/go.mod", "module b\n");
  folder.write("inner/b.go", "package b\nvar _ = a.Used\n");
  folder.write("testdata/d.go", "package d\nvar _ = a.Used\n");
  folder.write("windows/e.go", "package e\nvar _ = a.Used\n");
  const Mentions found = go_mentions(folder.path("a.go"), "Used", folder.path());
  CHECK(found.are_all);
  CHECK(found.to_open.empty());
  Paths expected;
  for (const char* const name :
       {"a_windows.go", "b_arm64_test.go", "cgo.go", "inner/b.go", "old.go", "tagged.go", "testdata/d.go"})
    expected.push_back(folder.path(name));
  CHECK(found.to_find == expected);
  CHECK_FALSE(go_mentions(folder.path("a.go"), "Used", folder.path(), {.bytes = 5}).are_all);
}

}  // namespace mentions_test
}  // namespace symbols::servers
