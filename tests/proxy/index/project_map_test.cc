#include "proxy/index/project_map.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tests/proxy/index/source_rows.h"

namespace symbols::index {
namespace project_map_test {

// An indexed file whose text is `text`, with its symbols.
OutlinedFile outlined(std::string path, std::string_view text, const std::vector<SourceRow>& rows) {
  const lsp::SymbolTree tree = tree_of(text, rows);
  return {.path = path, .outline = outline_of(path, tree, row_forms(path, tree, text), text)};
}

std::string map_of(std::vector<OutlinedFile> files, std::size_t tokens = 10'000,
                   std::string_view folder = {}) {
  return project_map(ranked_files(files, folder), folder, tokens,
                     [](std::string_view path) { return path.empty() ? "./" : std::string(path); });
}

TEST_CASE("map: folders, files, names: types, functions, the rest, with their members") {
  CHECK(
      map_of(
          {outlined(
               "a.py",
               "def _f(): pass\nLIMIT = 1\ndef run(): pass\nclass Table:\n  def open(self): pass\n  _x = 1\n "
               " size = 1",
               {{"_f"}, {"LIMIT", 14}, {"run"}, {"Table", 5}, {"open", 6, 3}, {"_x", 8, 3}, {"size", 8, 3}}),
           outlined("src/b.py", "pass", {}),
           outlined("src/c.py", "def c(): pass", {{"c", 12, -1, "c()"}})}) ==
      "./\n a.py: Table{open size _x} run LIMIT _f\nsrc/\n c.py: c\n also: b.py\n");
}

TEST_CASE("map: names of C++ sources come after those of headers") {
  std::vector<OutlinedFile> files = {
      outlined("a.cc", "void f() {}\nvoid A::g() {}", {{"f", 12, -1, "f()"}, {"A::g", 6}}),
      outlined("a.h", "void f();\nclass A {}; void g();",
               {{"f", 12, -1, "f()"}, {"A", 23, -1, "class A {}"}, {"g", 6, 1, "g()"}}),
      outlined("b.cc", "f()", {})};
  const std::vector<MapItem> found = ranked_files(files, {});
  CHECK(found[1].members.at(1).name == "f");
  CHECK(found[1].members[1].order == 2);
  CHECK(found[0].order == 3);  // without its name
  CHECK(found[0].members.at(0).order == 6);
  CHECK(map_of(files) == "./\n a.cc: f\n a.h: A{g} f\n also: b.cc\n");
}

TEST_CASE("map: the weights of types, functions, the rest, names with an underscore, and places in a file") {
  struct Name {
    std::string name;
    std::int64_t kind;
    std::size_t mentions;
    std::size_t declared = 1;  // by so many files
  };
  // The first to be shown first; each lies between its neighbours by one mention.
  const std::vector<Name> names = {
      {"f11", 12, 11},        {"variable22", 13, 22}, {"Type7", 5, 7},       {"shared21", 12, 21, 4},
      {"variable21", 14, 21}, {"f10", 12, 10},        {"_hidden91", 12, 91}, {"Type6", 10, 6},
      {"f9", 6, 9},           {"_hidden90", 12, 90},  {"f5", 12, 5},         {"key99", 7, 99},
      {"key97", 18, 97},      {"f4", 12, 4},          {"Type0", 11, 0},      {"f0", 12, 0},
      {"variable0", 13, 0},
  };
  std::vector<OutlinedFile> files;
  for (std::size_t user = 0; user < 100; ++user) {
    std::string text;
    for (const Name& name : names) text += user < name.mentions ? name.name + '\n' : "";
    files.push_back(outlined("users/u" + std::to_string(user) + ".py", text, {}));
  }
  for (const Name& name : names) {
    for (std::size_t file = 0; file < name.declared; ++file)
      files.push_back(
          outlined("d/" + name.name + std::to_string(file) + ".py", name.name, {{name.name, name.kind}}));
  }
  std::vector<std::pair<std::size_t, std::string>> found;
  for (const MapItem& file : ranked_files(files, "d/")) {
    if (file.name.ends_with("0.py")) found.emplace_back(file.members[0].order, file.members[0].name);
  }
  std::ranges::sort(found);
  REQUIRE(found.size() == names.size());
  for (std::size_t name = 0; name < names.size(); ++name) CHECK(found[name].second == names[name].name);
}

TEST_CASE("map: a file's second name counts less, and members come after all names") {
  std::vector<OutlinedFile> files = {
      outlined("a.py", "class A:\n  def b(self): pass\ndef c(): pass\ndef d(): pass",
               {{"A", 5}, {"b", 6, 0, "b("}, {"c", 12, -1, "c()"}, {"d", 12, -1, "d()"}}),
      outlined("a2.py", "def e(): pass", {{"e", 12, -1, "e()"}}), outlined("u.py", "A b c d e", {}),
      outlined("v.py", "b c e", {}), outlined("w.py", "b d", {})};
  const std::vector<MapItem> found = ranked_files(files, "a");
  REQUIRE(found.size() == 2);
  REQUIRE(found[0].members.size() == 3);
  CHECK(found[0].members[0].name == "c");
  CHECK(found[0].members[0].order == 1);
  CHECK(found[1].members.at(0).order == 3);  // e: 2 files mention it, as c and d
  CHECK(found[0].members[1].name == "d");
  CHECK(found[0].members[1].rank.second == doctest::Approx(-2.01 / std::sqrt(2)));
  CHECK(found[0].members[1].order == 4);
  CHECK(found[0].members[2].rank.second == doctest::Approx(-1.515 / std::sqrt(3)));
  CHECK(found[0].members[2].members.at(0).order == 6);
}

TEST_CASE("map: tests, examples and the like come after all else") {
  std::vector<OutlinedFile> files = {outlined("a.py", "def rare(): pass", {{"rare"}}),
                                     outlined("tests/test_a.py", "def often(): pass", {{"often"}}),
                                     outlined("tests/test_b.py", "often()", {}),
                                     outlined("tests/test_c.py", "often()", {})};
  CHECK(map_of(files) == "./\n a.py: rare\ntests/\n test_a.py: often\n also: test_b.py test_c.py\n");
  CHECK(ranked_files(files, {})[1].order == 2);
}

TEST_CASE("map: headers of tests come before members, what a module does not export with these") {
  std::vector<OutlinedFile> files = {
      outlined("a.h", "class A {}; void m();", {{"A", 5, -1, "class A {}"}, {"m", 6, 0, "m()"}}),
      outlined("test/t.h", "void f();", {{"f", 12, -1, "f()"}})};
  const std::vector<MapItem> found = ranked_files(files, {});
  CHECK(found[1].members.at(0).order < found[0].members.at(0).members.at(0).order);
  CHECK(map_of({outlined("a.ts", "const mine = 1\nexport const b = 1\nconst d = 1\nexport { d }\n",
                         {{"mine", 13}, {"b", 13}, {"d", 13}, {"d", 13, -1, "d }"}})}) ==
        "./\n a.ts: b d mine\n");
}

TEST_CASE("map: what is made from a source, or restates it, is shown as that") {
  const std::vector<OutlinedFile> files = {
      outlined("dist/esm/a.js", "class Both {}\nvar helper = 1", {{"Both", 5}, {"helper", 13}}),
      outlined("src/a.ts", "class Both { b = 1 }", {{"Both", 5}, {"b", 7, 0, "b ="}}),
      outlined("types/a.d.ts", "class Both { b; c }\ntype More = 1",
               {{"Both", 5}, {"b", 7, 0, "b;"}, {"c", 7, 0}, {"More", 11}})};
  CHECK(map_of(files) == "src/\n a.ts: Both{b c} More\n");
  for (const char* const path : {"a.js", "a.cjs", "a.d.cts", "dist/esm/a.js", "lib/a.min.js", "a.pyi"})
    CHECK_MESSAGE(map_of({outlined(path, "", {}), files[1]}) == "src/\n a.ts: Both{b}\n", path);
  for (const char* const path : {"a.cc", "b.js", "q/a.js"})
    CHECK_MESSAGE(map_of({outlined(path, "", {}), files[1]}) != "src/\n a.ts: Both{b}\n", path);
  CHECK(map_of(files, 1000, "dist/") == "dist/esm/\n a.js: Both helper\n");
}

TEST_CASE("map: an extension that most files of a folder have stands in its heading") {
  CHECK(map_of({outlined("a.ts", "", {}), outlined("b.ts", "", {}), outlined("c.test.ts", "", {}),
                outlined("d.js", "", {}), outlined("e.ts", "", {})}) ==
        "./*.ts\n also: a b c.test.ts d.js e\n");
  CHECK(map_of({outlined("a.ts", "", {}), outlined("b.ts", "", {}), outlined("c.ts", "", {}),
                outlined("Makefile", "", {}), outlined("e.ts", "", {})}) ==
        "./\n also: a.ts b.ts c.ts Makefile e.ts\n");
}

// 20 folders of 30 files with 10 names.
std::vector<OutlinedFile> many() {
  std::vector<OutlinedFile> files;
  for (int file = 0; file < 600; ++file) {
    std::string text;
    lsp::SymbolTree tree;
    for (std::uint32_t line = 0; line < 10; ++line) {
      lsp::DocumentSymbol& symbol = tree.symbols.emplace_back();
      symbol.name = fmt::format("f{}{}", 100 + file, line);
      symbol.kind = 12;
      symbol.range = symbol.selection_range = {{line, 4}, {line, 9}};
      text += "def " + symbol.name + "(): pass\n";
    }
    const std::string path = fmt::format("d{}/f{}.py", 10 + file / 30, 10 + file % 30);
    files.push_back({.path = path, .outline = outline_of(path, tree, {}, text)});
  }
  return files;
}

TEST_CASE("map: the budget holds, every folder gets a share, and what is left out is counted") {
  const std::vector<OutlinedFile> files = many();
  std::size_t last = 0;
  for (const std::size_t tokens : {300, 1000, 4000, 16'000, 100'000}) {
    CAPTURE(tokens);
    const std::string text = map_of(files, tokens);
    const std::size_t used = table::estimate_tokens(text);
    CHECK(used <= tokens);
    CHECK(used > last);
    last = used;
    std::size_t folders = 0;
    for (int folder = 10; folder < 30; ++folder)
      folders += text.find(fmt::format("d{}/", folder)) != text.npos ? 1 : 0;
    if (tokens >= 1000) CHECK(folders == 20);
    const bool is_whole = text.find("# truncated: ") == text.npos;
    CHECK(is_whole == (tokens == 100'000));
    CHECK((text.find(" +") == text.npos) == is_whole);
  }
  // Files of folders that have no line are counted at the one above them.
  CHECK(map_of(files, 30).starts_with("./ +6000 names\n# truncated: 0 of 600 files, 0 of 6000 names; more"));
}

TEST_CASE("map: a folder of the project, ranked by all of it") {
  const std::vector<OutlinedFile> files = {
      outlined("a/x.py", "def one(): pass\ndef two(): pass", {{"one"}, {"two"}}),
      outlined("b/y.py", "two()", {})};
  CHECK(map_of(files, 1000, "a/") == "a/\n x.py: two one\n");
}

TEST_CASE("map: no path or name can look like another line") {
  CHECK(map_of({outlined("a\nb.py", "", {}), outlined("c d.py", "", {}), outlined("also", "", {})}) ==
        "./\n also: a\\nb.py \"c d.py\" \"also\"\n");
}

}  // namespace project_map_test
}  // namespace symbols::index
