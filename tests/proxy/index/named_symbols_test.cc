#include "proxy/index/named_symbols.h"

#include <doctest/doctest.h>

#include "proxy/index/index_store.h"
#include "tests/proxy/temporary_folder.h"

namespace symbols::index {
namespace named_symbols_test {

using enum RowForm;
constexpr std::int64_t name_space = 3, type = 5, method = 6, property = 7, constructor = 9, interface = 11,
                       function = 12, variable = 13;

struct Row {
  std::string name;
  std::int64_t kind;
  std::int32_t parent = -1;
  RowForm form = definition;
  std::string detail{};
  std::uint32_t lines = 0;
};

// An index, one file after the other, each row on a line of its own.
class Project {
 public:
  void add(const std::string& path, std::initializer_list<Row> rows) {
    folder_.write("pkg/" + path, "text");
    AnsweredFile answer{.path = path, .content = files::hash_of("text")};
    for (const Row& row : rows) {
      const auto line = static_cast<std::uint32_t>(answer.forms.size());
      lsp::DocumentSymbol& symbol = answer.tree.symbols.emplace_back();
      symbol.name = row.name;
      symbol.kind = row.kind;
      symbol.parent = row.parent;
      symbol.detail = row.detail;
      symbol.range = {{line, 0}, {line + row.lines, 1}};
      symbol.selection_range = {{line, 4}, {line, 5}};
      answer.forms.push_back(row.form);
    }
    Result<IndexStore> store = IndexStore::open(index_.file, IndexStore::Missing::create);
    REQUIRE(store.has_value());
    REQUIRE(store->put({&answer, 1}).has_value());
  }

  // `path:line` of each that may be meant, its overloads behind `+`, and how many were passed over.
  std::string find(const std::string& name, const std::string& in = {}) const {
    const Result<NamedSymbols> named = find_named_symbols(index_, name, in, nullptr);
    REQUIRE(named.has_value());
    std::string text;
    const auto append = [&](const std::string& place) {
      const std::size_t start = place.rfind("/pkg/", place.find("  ")) + 5;
      text += place.substr(start, place.find("  ") - start);
    };
    for (const NamedSymbol& symbol : named->found) {
      if (!text.empty()) text += ' ';
      append(symbol.place);
      for (const std::string& overload : symbol.overloads) {
        text += '+';
        append(overload);
      }
    }
    if (named->passed_over > 0) text += " -" + std::to_string(named->passed_over);
    return text;
  }

 private:
  TemporaryFolder folder_;
  FoundIndex index_{folder_.path("pkg"), folder_.path("a.db")};
};

TEST_CASE("named symbols: overloads in a scope of a file, or of a header and its source, are one") {
  Project project;
  project.add("a.h", {{"Map", type},
                      {"erase", method, 0, declaration, "(int)"},
                      {"erase", method, 0, declaration, "(char)"},
                      {"erase", method, 0, definition, "(long)"},
                      {"Set", type},
                      {"erase", method, 4}});
  project.add("a.cc", {{"Map::erase", method, -1, definition, "(int)", 5}});
  CHECK(project.find("Map.erase") == "a.cc:1+a.h:4+a.h:3");  // the last one is declared only
  CHECK(project.find("erase") == "a.cc:1+a.h:4+a.h:3 a.h:6");
  CHECK(project.find("Map") == "a.h:1");
  project.add("b.h", {{"Map", type, -1, declaration}, {"run", function, -1, declaration, "()"}});
  project.add("src/b.cc",
              {{"run", function, -1, definition, "()"}, {"run", function, -1, definition, "(int)", 3}});
  CHECK(project.find("Map") == "a.h:1");
  CHECK(project.find("run") == "src/b.cc:2+src/b.cc:1");
  project.add("c.h", {{"run", function, -1, declaration, "(char)"}});
  CHECK(project.find("run") == "src/b.cc:2+src/b.cc:1 -1");
  project.add("d.c", {{"twice", function, -1, declaration, "(int)"},
                      {"twice", function, -1, definition, "(long)"},
                      {"twice", function, -1, definition, "(int)"}});
  CHECK(project.find("twice") == "d.c:2+d.c:3");
}

TEST_CASE("named symbols: what is defined goes before what is only declared, in C++ or an interface") {
  Project project;
  project.add(
      "a.h",
      {{"Runner", type}, {"Run", method, 0, declaration, "()"}, {"Stop", method, 0, declaration, "()"}});
  project.add("posix.cc", {{"Set::Run", method}, {"Set::Stop", method}});
  project.add("win32.cc", {{"Set::Run", method}, {"Other::Stop", method}});
  CHECK(project.find("Run") == "posix.cc:1 win32.cc:1 -1");
  CHECK(project.find("Stop") == "posix.cc:2 win32.cc:2 -1");
  CHECK(project.find("Runner.Run") == "a.h:2");
  project.add("jar.go", {{"Jar", interface}, {"Cookies", method, 0}});
  CHECK(project.find("Cookies") == "jar.go:2");
  project.add("own/jar.go", {{"(*Jar).Cookies", method}});
  CHECK(project.find("Cookies") == "own/jar.go:1 -1");
}

TEST_CASE("named symbols: sources first, types, what is at top level or in a namespace, no locals") {
  Project project;
  project.add("src/a.ts", {{"ns", name_space},
                           {"Node", type, 0},
                           {"open", method, 1},
                           {"Node", constructor, 1},
                           {"size", variable, 2}});
  project.add("src/b.ts", {{"open", function}, {"size", function}, {"open", variable, 1}});
  project.add("tests/a.ts", {{"Node", type}, {"open", function}, {"only", function}, {"only", variable, 2}});
  CHECK(project.find("Node") == "src/a.ts:2 -2");
  CHECK(project.find("open") == "src/b.ts:1 -3");
  CHECK(project.find("size") == "src/b.ts:2 -1");
  CHECK(project.find("only") == "tests/a.ts:3 -1");
  project.add("src/d.ts", {{"main", function}, {"only", variable, 0}, {"only", property, 1}});
  CHECK(project.find("only") == "tests/a.ts:3 -3");  // what is local comes last, also in a source
  project.add("src/c.ts", {{"Node", type}});
  CHECK(project.find("Node") == "src/a.ts:2 src/c.ts:1 -2");  // a namespace does not make it another thing
}

TEST_CASE("named symbols: a folder or a file before the name") {
  Project project;
  project.add("http/server.go", {{"Serve", function}, {"Server", type}, {"(*Server).Close", method}});
  project.add("rpc/server.go", {{"Serve", function}, {"Server", type}, {"(*Server).Close", method}});
  project.add("rpc/json/client.go", {{"Dial", function}});
  CHECK(project.find("Serve") == "http/server.go:1 rpc/server.go:1");
  for (const char* const name : {"http.Serve", "server.Serve", "pkg.http.Serve"})
    CHECK_MESSAGE(project.find(name).starts_with("http/server.go:1"), name);
  CHECK(project.find("http.Serve") == "http/server.go:1");
  CHECK(project.find("json.Serve").empty());
  CHECK(project.find("rpc.Dial") == "rpc/json/client.go:1");
  CHECK(project.find("Serve", "http/server.go") == "http/server.go:1");
  CHECK(project.find("Serve", "./rpc") == "rpc/server.go:1");
  CHECK(project.find("Server.Close", "rpc/server") == "rpc/server.go:3");
  CHECK(project.find("Serve", "erver.go").empty());
}

}  // namespace named_symbols_test
}  // namespace symbols::index
