#include "proxy/index/row_form.h"

#include <doctest/doctest.h>

#include "tests/proxy/index/source_rows.h"

namespace symbols::index {
namespace {

// A letter for each row: d(efinition), (decla)r(ation), i(mport).
std::string forms(std::string_view path, std::string_view text, std::initializer_list<SourceRow> rows) {
  lsp::SymbolTree tree = tree_of(text, rows);
  std::string all;
  for (const RowForm form : row_forms(path, tree, text)) all += "dri"[static_cast<std::size_t>(form)];
  return all;
}

TEST_CASE("index: imports and lists of exports are no definitions") {
  CHECK(forms("a.ts",
              "import { a,\n  b as c,\n} from './x';import d from 'y'\nexport { e } from './z'\nexport type "
              "{\n  f\n};\n"
              "import g = require('g');\nimport('h').then((h) => h);\nconst { i } = require('i');\n"
              "const j = require('j').k;\nexport const k = 1;\n",
              {{"a"}, {"c"}, {"d"}, {"e"}, {"f"}, {"g"}, {"h"}, {"i", 13}, {"j", 13}, {"k", 13}}) ==
        "iiiiiididd");
  CHECK(forms("a.py",
              "import a, b as c  # (\nfrom x import (\n    d,\n)\ntry:\n    from y import \\\n      "
              "e\nexcept: e = 1\n"
              "def f(): pass\n",
              {{"a"}, {"c"}, {"d"}, {"e"}, {"e"}, {"f"}}) == "iiiidd");
}

TEST_CASE("index: files that are not a project's sources") {
  const auto roles = [](std::initializer_list<const char*> paths) {
    std::string all;
    for (const char* const path : paths) all += "s-b"[static_cast<std::size_t>(file_role(path))];
    return all;
  };
  CHECK(roles({"a.ts", "src/testing.cc", "src/latest.go", "build/a.cc", "tests.py", "contest_data/a.py"}) ==
        "ssssss");
  CHECK(roles({"tests/a.py", "src/Test/a.java", "pkg/a_test.go", "a.test.tsx", "test_a.py",
               "pip/_vendor/a.py", "examples/a/b.ts", "third_party/a.c", "src/conftest.py"}) == "---------");
  CHECK(roles({"a.d.ts", "lib/a.cjs", "dist/a.js", "build/lib/a.py", "a.pyi", "tests/a.d.ts"}) == "bbbbbb");
}

}  // namespace
}  // namespace symbols::index
