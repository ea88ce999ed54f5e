#include "proxy/index/index_store.h"

#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <thread>

#include "proxy/index/symbol_search.h"
#include "tests/proxy/temporary_folder.h"

namespace symbols::index {
namespace index_store_test {

using Missing = IndexStore::Missing;

lsp::DocumentSymbol symbol(const std::string& name, std::int64_t kind, std::uint32_t line,
                           std::int32_t parent = -1) {
  lsp::DocumentSymbol made;
  made.name = name;
  made.kind = kind;
  made.range = {{line, 0}, {line + 3, 1}};
  made.selection_range = {{line, 6}, {line, 9}};
  made.parent = parent;
  return made;
}

lsp::SymbolTree example() {
  lsp::SymbolTree tree{{symbol("Table", 5, 1), symbol("open", 6, 2, 0), symbol("Straße\n|", 13, 9)}};
  tree.symbols[1].detail = "void ()";
  tree.symbols[1].tags = {1, 7};
  tree.symbols[2].container_name = "elsewhere";
  tree.symbols[2].deprecated = true;
  return tree;
}

bool put(auto&& store, const AnsweredFile& answer) {
  return store.put({&answer, 1}).has_value();
}

// An index of its own.
struct Made {
  TemporaryFolder folder;
  std::string file = folder.path("new/a.db");
  IndexStore store = *IndexStore::open(file, Missing::create);
};

TEST_CASE("index: rows, outlines and states of sources come back as they were put, and go with their file") {
  Made made;
  const FileOutline outline{.names = std::string("a\0b", 3), .words = "words"};
  const std::array<AnsweredFile, 2> answers{
      {{"b.cc", {1, 2}, {3, 4}, example(), outline}, {"a.cc", {5, 6}, {7, 8}}}};
  REQUIRE(made.store.put(answers).has_value());
  REQUIRE(made.store.put({}).has_value());
  const files::FileStamp stamp{1, 2, 3, 4, 5};
  std::map<std::string, SourceState> states{
      {"b.cc", {.stamp = stamp, .content = {1, 2}, .includes = {"\"a.h", "<b.h"}}},
      {"c.ts", {.content = {8, 9}}}};
  REQUIRE(made.store.keep_sources(states).has_value());
  REQUIRE(made.store.keep_sources(states).has_value());
  Result<IndexStore> store = IndexStore::open(made.file, Missing::is_error);
  REQUIRE(store.has_value());
  CHECK(*store->rows_of("b.cc") == example());
  CHECK(*store->rows_of("a.cc") == lsp::SymbolTree{});
  CHECK(*store->rows_of("none.cc") == std::nullopt);
  const IndexContents contents = *store->contents();
  CHECK(contents.sources == states);
  REQUIRE(contents.files.size() == 2);
  CHECK(contents.files.at("b.cc").content == files::ContentHash{1, 2});
  CHECK(contents.files.at("b.cc").fingerprint == files::ContentHash{3, 4});
  CHECK(contents.files.at("b.cc").rows == 3);
  std::vector<OutlinedFile> outlined = *store->outlines();
  REQUIRE(outlined.size() == 2);
  CHECK(outlined[0].path == "a.cc");
  CHECK(outlined[1].outline == outline);
  CHECK(outlined[1].content.content == files::ContentHash{1, 2});
  CHECK(outlined[1].content.stamp == stamp);
  // A stamp of another content tells nothing of this one.
  states["b.cc"].content = {7, 8};
  REQUIRE(store->keep_sources(states).has_value());
  CHECK((*store->outlines())[1].content.stamp == std::nullopt);
  // In place of the old ones.
  REQUIRE(put(*store, {"b.cc", {9, 9}, {9, 9}, {{symbol("one", 12, 0)}}}));
  CHECK((*store->rows_of("b.cc"))->symbols.size() == 1);
  REQUIRE(store->remove({"b.cc", "none.cc"}).has_value());
  CHECK(*store->rows_of("b.cc") == std::nullopt);
  CHECK(store->outlines()->size() == 1);
  std::size_t names = 0;
  REQUIRE(store->each_name([&](std::string_view) { ++names; }).has_value());
  CHECK(names == 0);
}

TEST_CASE("index: of several indexes the newest rows of each file are taken, once") {
  TemporaryFolder folder;
  const std::string one = folder.path("one.db");
  const std::string two = folder.path("two.db");
  const auto put = [](const std::string& file, const std::string& path, const std::string& name) {
    Result<IndexStore> store = IndexStore::open(file, Missing::create, IndexStore::Owner::user);
    REQUIRE(store.has_value());
    REQUIRE(
        index_store_test::put(*store, {path, {1, 1}, {2, 2}, {{symbol(name, 5, 1)}}, {"names", "words"}}));
    REQUIRE(store->keep_sources({{path, {.stamp = files::FileStamp{1, 2, 3, 4, 5}, .content = {1, 1}}}})
                .has_value());
  };
  put(one, "both.cc", "Old");
  put(one, "one.cc", "Same");
  put(two, "both.cc", "New");
  put(two, "two.cc", "Same");
  CHECK(IndexStore::check(one).has_value());
  Result<IndexStore> merged = IndexStore::open(folder.path("new/all.db"), Missing::create);
  REQUIRE(merged.has_value());
  CHECK(*merged->take_newer(two) == 2);
  CHECK(*merged->take_newer(one) == 1);
  CHECK(*merged->take_newer(one) == 0);
  CHECK((*merged->rows_of("both.cc"))->symbols[0].name == "New");
  CHECK((*merged->rows_of("one.cc"))->symbols[0].name == "Same");
  CHECK(merged->outlines()->size() == 3);
  CHECK(merged->outlines()->at(0).outline == FileOutline{"names", "words"});
  CHECK(merged->contents()->files.at("two.cc").fingerprint == files::ContentHash{2, 2});
  // Another machine's stamps say nothing here.
  CHECK(merged->contents()->sources.at("one.cc") == SourceState{.stamp = {}, .content = {1, 1}});
}

TEST_CASE("index: no index, or a user's file that is none, is an error, and is not made or replaced") {
  TemporaryFolder folder;
  const std::string text = folder.write("text", std::string(10'000, 'x'));
  CHECK_FALSE(IndexStore::open(text, Missing::create, IndexStore::Owner::user).has_value());
  CHECK_FALSE(IndexStore::check(text).has_value());
  CHECK_FALSE(IndexStore::check(folder.path("none")).has_value());
  CHECK_FALSE(IndexStore::open(folder.path("none"), Missing::is_error).has_value());
  CHECK(files::hash_of_file(text) == files::hash_of(std::string(10'000, 'x')));
  CHECK_FALSE(std::filesystem::exists(folder.path("none")));
}

TEST_CASE("index: one of another version is emptied, or an error") {
  TemporaryFolder folder;
  const std::string file = folder.path("a.db");
  REQUIRE(put(*IndexStore::open(file, Missing::create), {"a.cc", {}, {}, example()}));
  Database(file, false).execute("PRAGMA user_version = 99");
  const Result<IndexStore> reader = IndexStore::open(file, Missing::is_error);
  REQUIRE_FALSE(reader.has_value());
  CHECK(reader.error().text().ends_with("was made by another version of symbols; run symbols index"));
  Result<IndexStore> store = IndexStore::open(file, Missing::create);
  REQUIRE(store.has_value());
  CHECK(store->contents()->files.empty());
}

TEST_CASE("index: many open it for the first time at once, and write") {
  TemporaryFolder folder;
  std::vector<std::thread> runs;
  std::atomic<int> failures = 0;
  for (int run = 0; run < 4; ++run) {
    runs.emplace_back([&, run] {
      Result<IndexStore> store = IndexStore::open(folder.path("a.db"), Missing::create);
      if (!store) ++failures;
      for (int i = 0; store && i < 25; ++i) {
        if (!put(*store, {"f" + std::to_string(i) + "-" + std::to_string(run % 2), {}, {}, example()}))
          ++failures;
      }
    });
  }
  for (std::thread& run : runs) run.join();
  CHECK(failures == 0);
  CHECK(IndexStore::open(folder.path("a.db"), Missing::is_error)->contents()->files.size() == 50);
}

TEST_CASE("index: symbols are found by words in any order, with a slip, and before what only declares them") {
  Made made;
  const auto keep = [&](const std::string& path, const lsp::SymbolTree& tree, std::vector<RowForm> forms) {
    made.folder.write(path, "text");
    REQUIRE(put(made.store, {path, files::hash_of("text"), {}, tree, {}, std::move(forms)}));
  };
  using enum RowForm;
  keep("a.h",
       {{symbol("Graph", 5, 1), symbol("Node", 5, 2), symbol("LoadFile", 6, 3, 1), symbol("vector", 13, 4)}},
       {declaration, definition, declaration, import});
  keep("b.cc", {{symbol("Graph", 5, 1), symbol("Node::LoadFile", 6, 2), symbol("Node", 13, 3)}},
       {definition, definition, import});
  keep("dist/c.js", {{symbol("Graph", 5, 1)}}, {});
  const auto found = [&](const SymbolQuery& query) {
    return *find_symbols(made.store, made.folder.path(), query);
  };
  const auto places = [&](const std::string& query) {
    std::string all;
    for (const FoundSymbol& row : found({.name = query, .limit = 9}).rows)
      all += row.path + ":" + row.name + ' ';
    return all;
  };
  struct Case {
    const char* query;
    const char* places;
  };
  const char* const load_file = "b.cc:Node::LoadFile a.h:LoadFile ";
  for (const Case& c : {Case{"Graph", "b.cc:Graph a.h:Graph dist/c.js:Graph "}, Case{"loadfile", load_file},
                        Case{"file load", load_file}, Case{"load node", load_file}, Case{"load graph", ""},
                        Case{"LodFile", load_file}, Case{"LoadFlie", load_file},
                        Case{"Node::LodFile", load_file}, Case{"Graph::LodFile", ""},
                        Case{"vector", "a.h:vector "}, Case{"Node", "a.h:Node b.cc:Node::LoadFile "}})
    CHECK_MESSAGE(places(c.query) == c.places, c.query);
  CHECK(found({.name = "Node", .limit = 9}).imports == 1);
  CHECK(found({.name = "LoadIfels", .limit = 9}).near_names == std::vector<std::string>{"LoadFile"});
  CHECK(found({.name = "LoadIfels", .limit = 9, .left_out = [](const std::string&) { return true; }})
            .near_names.empty());
  CHECK(found({.name = "LoadIfels", .kinds = {5}, .limit = 9}).near_names.empty());
  CHECK(found({.name = "xyz", .limit = 9}).near_names.empty());
  CHECK(found({.name = "LodFile", .limit = 9}).rows[0].fit == NameFit::one_letter);
  CHECK(found({.name = "graph", .limit = 9, .worst = NameFit::exact_case}).near_names ==
        std::vector<std::string>{"Graph"});
  keep("tests/d.cc", {{symbol("LoadFileTwice", 12, 1), symbol("LoadFile", 12, 2)}}, {});
  CHECK(places("file load") ==
        "b.cc:Node::LoadFile tests/d.cc:LoadFileTwice a.h:LoadFile tests/d.cc:LoadFile ");
  CHECK(places("loadfile") ==
        "b.cc:Node::LoadFile a.h:LoadFile tests/d.cc:LoadFile tests/d.cc:LoadFileTwice ");
}

}  // namespace index_store_test
}  // namespace symbols::index
