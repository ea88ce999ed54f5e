// Which files may depend on others.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "proxy/servers/mentions.h"
#include "tests/proxy/temporary_folder.h"

namespace symbols::servers {
namespace dependents_test {

TEST_CASE("files depend on those that they name, and on those that these name") {
  TemporaryFolder folder;
  for (const auto& [path, text] : std::vector<std::pair<std::string, std::string>>{
           {".git/HEAD", ""},
           {"c/a.h", ""},
           {"c/b.h", "#include \"a.h\"\n"},
           {"c/b.cc", "#include <c/b.h>\n// a.cc\n"},
           {"c/c.cc", "const char* b = \"b.h\";\n"},
           {"ts/package.json", R"({"name": "@x/shapes"})"},
           {"ts/src/a.ts", "export const a = 1;\n"},
           {"ts/src/index.ts", "export * from './a.js';\n"},
           {"ts/src/near.ts", "import { a } from '.';\n"},
           {"ts/src/word.ts", "export const index = 'a b';\n"},
           {"app/main.ts", "import {\n  a,\n} from '@x/shapes';\n"},
           {"app/old.js", "const a = require('../ts/src/a');\n"},
           {"app/global.ts", "declare const everywhere: number;\n"},
           {"py/shapes/__init__.py", "from .area import (\n    area,\n    more,\n)\n"},
           {"py/shapes/area.py", ""},
           {"py/shapes/more.py", "from . import area\n"},
           {"py/use.py", "import os, shapes\n"},
           {"py/apart.py", "area = 'shapes'\n"},
           {"go/go.mod", "module example.com/shapes/v2\n"},
           {"go/a.go", "package shapes\n"},
           {"go/b.go", "package shapes\n"},
           {"go/use/use.go", "package use\n\nimport (\n\t\"example.com/shapes/v2\"\n)\n"},
           {"rs/a.rs", ""},
           {"rs/b.rs", ""},
           {"rs/far/c.rs", "fn f() { crate::a::g() }\n"},
           {"rs/far/d/e.rs", ""}})
    folder.write(path, text);
  const std::string root = folder.path() + '/';
  const auto dependents_of = [&](const std::string& path) {
    // Of the same language.
    const auto is_source = [&path](const std::filesystem::path& other) {
      const auto is_script = [](const std::filesystem::path& one) {
        return one.extension() == ".ts" || one.extension() == ".js";
      };
      const auto is_c = [](const std::filesystem::path& one) {
        return one.extension() == ".h" || one.extension() == ".cc";
      };
      return std::filesystem::path(path).extension() == other.extension() ||
             (is_script(path) && is_script(other)) || (is_c(path) && is_c(other));
    };
    const Mentions found = dependents({root + path}, root, is_source);
    CHECK(found.are_all);
    std::vector<std::string> names;
    for (const std::string& one : found.to_find) names.push_back(one.substr(root.size()));
    return fmt::format("{}", fmt::join(names, " "));
  };
  const std::pair<std::string, std::string> cases[] = {
      {"c/a.h", "c/b.h c/b.cc"},
      {"c/b.cc", ""},
      {"ts/src/a.ts", "app/old.js ts/src/index.ts ts/src/near.ts app/main.ts"},
      {"ts/src/word.ts", ""},
      {"app/global.ts", "app/main.ts app/old.js ts/src/a.ts ts/src/index.ts ts/src/near.ts ts/src/word.ts"},
      {"py/shapes/area.py", "py/shapes/__init__.py py/shapes/more.py py/use.py"},
      {"py/apart.py", ""},
      {"go/a.go", "go/b.go go/use/use.go"},
      {"rs/a.rs", "rs/b.rs rs/far/c.rs"},
      {"py/shapes/gone.py", ""},
  };
  for (const auto& [path, expected] : cases) CHECK_MESSAGE(dependents_of(path) == expected, path);
}

}  // namespace dependents_test
}  // namespace symbols::servers
