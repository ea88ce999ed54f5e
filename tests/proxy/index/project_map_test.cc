#include "proxy/index/project_map.h"

#include <doctest/doctest.h>

#include "tests/proxy/index/source_rows.h"

namespace symbols::index {
namespace {

// An indexed file whose text is `text`, with its symbols.
OutlinedFile outlined(std::string path, std::string_view text, std::initializer_list<SourceRow> rows) {
  OutlinedFile file{.path = path, .content = {}, .outline = outline_of(path, tree_of(text, rows), text)};
  return file;
}

std::string map_of(const std::vector<OutlinedFile>& files, std::size_t tokens = 10'000,
                   std::string_view folder = {}) {
  const std::vector<MapFile> ranked = ranked_files(files, folder);
  return project_map(
      ranked, folder, tokens, [](std::string_view path) { return path.empty() ? "./" : std::string(path); },
      [&] {
        std::map<std::string, std::string> signatures;
        for (const OutlinedFile& file : files) signatures[file.path] = file.outline.signatures;
        return signatures;
      });
}

TEST_CASE(
    "map: folders, files, names: exported first, types before the rest, members, then what is private") {
  CHECK(
      map_of(
          {outlined(
               "a.py",
               "def _f(): pass\nLIMIT = 1\ndef run(): pass\nclass Table:\n  def open(self): pass\n  _x = 1\n "
               " size = 1",
               {{"_f"}, {"LIMIT", 14}, {"run"}, {"Table", 5}, {"open", 6, 3}, {"_x", 8, 3}, {"size", 8, 3}}),
           outlined("src/b.py", "pass", {}),
           outlined("src/c.py", "def c(): pass", {{"c", 12, -1, "c()"}})}) ==
      "./\n a.py: Table{open(); size} run(); LIMIT - _f\nsrc/\n c.py: c()\n also: b.py\n");
}

TEST_CASE("map: names that other files mention come first, by how many do") {
  CHECK(map_of({outlined("a.py", "def one(): pass\ndef two(): pass\ndef three(): pass",
                         {{"one"}, {"two"}, {"three"}}),
                outlined("b.py", "three() two()", {}), outlined("c.py", "three()", {}),
                outlined("d.py", "# two\nthree()", {})}) ==
        "./*.py\n a: three(); two(); one()\n also: b c d\n");
}

TEST_CASE("map: what a header declares is shown there, and definitions of members come late") {
  CHECK(map_of({outlined("a.cc", "void f() {}\nvoid A::g() {}\nvoid h() {}\nstatic void i() {}",
                         {{"f", 12, -1, "f()"}, {"A::g", 6}, {"h", 12, -1, "h()"}, {"i", 12, -1, "i()"}}),
                outlined("a.h", "void f();\nclass A { public: void g(); };",
                         {{"f", 12, -1, "f()"}, {"A", 23}, {"g", 6, 1, "g()"}})}) ==
        "./\n a.cc: f A::g h - i\n a.h: A{g()} f()\n");
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
  for (int folder = 10; folder < 30; ++folder) {
    for (int file = 10; file < 40; ++file) {
      std::string text;
      for (int name = 0; name < 10; ++name)
        text += "def f" + std::to_string(folder * 1000 + file * 10 + name) + "(): pass\n";
      lsp::SymbolTree tree;
      for (std::uint32_t line = 0; line < 10; ++line) {
        lsp::DocumentSymbol& symbol = tree.symbols.emplace_back();
        symbol.name = "f" + std::to_string(folder * 1000 + file * 10 + static_cast<int>(line));
        symbol.kind = 12;
        symbol.range = symbol.selection_range = {{line, 4}, {line, 10}};
      }
      const std::string path = "d" + std::to_string(folder) + "/f" + std::to_string(file) + ".py";
      files.push_back({.path = path, .content = {}, .outline = outline_of(path, tree, text)});
    }
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
      folders += text.find("d" + std::to_string(folder) + "/") != text.npos ? 1 : 0;
    if (tokens >= 1000) CHECK(folders == 20);
    const bool is_whole = text.find("# truncated: ") == text.npos;
    CHECK(is_whole == (tokens == 100'000));
    CHECK((text.find(" +") == text.npos) == is_whole);
  }
}

TEST_CASE("map: files of folders that have no line are counted at the one above them") {
  const std::string text = map_of(many(), 30);
  CHECK(text.starts_with(
      "./ +20 folders +600 files +6000 names\n# truncated: 0 of 600 files, 0 of 6000 exported names; more"));
}

TEST_CASE("map: a folder of the project, ranked by all of it") {
  const std::vector<OutlinedFile> files = {
      outlined("a/x.py", "def one(): pass\ndef two(): pass", {{"one"}, {"two"}}),
      outlined("b/y.py", "two()", {})};
  CHECK(map_of(files, 1000, "a/") == "a/\n x.py: two(); one()\n");
}

TEST_CASE("map: no path or name can look like another line") {
  CHECK(map_of({outlined("a\nb.py", "", {}), outlined("c d.py", "", {}), outlined("also", "", {})}) ==
        "./\n also: a\\nb.py \"c d.py\" \"also\"\n");
}

}  // namespace
}  // namespace symbols::index
