#include "proxy/index/index_store.h"

#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <thread>

#include "proxy/index/symbol_search.h"
#include "tests/proxy/temporary_folder.h"

namespace symbols::index {
namespace {

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

bool put(IndexStore& store, const AnsweredFile& answer) {
  return store.put({&answer, 1}).has_value();
}

TEST_CASE("index: rows come back as they were put") {
  TemporaryFolder folder;
  const std::string file = folder.path("new/a.db");
  {
    Result<IndexStore> store = IndexStore::open(file, Missing::create);
    REQUIRE(store.has_value());
    const std::array<AnsweredFile, 2> answers{
        {{"a.cc", {1, 2}, {3, 4}, example(), {}}, {"empty.cc", {5, 6}, {7, 8}, {}, {}}}};
    REQUIRE(store->put(answers).has_value());
    REQUIRE(store->put({}).has_value());
  }
  Result<IndexStore> store = IndexStore::open(file, Missing::is_error);
  REQUIRE(store.has_value());
  CHECK(*store->rows_of("a.cc") == example());
  CHECK(*store->rows_of("empty.cc") == lsp::SymbolTree{});
  CHECK(*store->rows_of("none.cc") == std::nullopt);
  const auto files = store->contents()->files;
  REQUIRE(files.size() == 2);
  CHECK(files.at("a.cc").content == files::ContentHash{1, 2});
  CHECK(files.at("a.cc").fingerprint == files::ContentHash{3, 4});
  CHECK(files.at("a.cc").rows == 3);
  // In place of the old ones.
  REQUIRE(put(*store, {"a.cc", {9, 9}, {9, 9}, {{symbol("one", 12, 0)}}, {}}));
  CHECK((*store->rows_of("a.cc"))->symbols.size() == 1);
  REQUIRE(store->remove({"a.cc", "none.cc"}).has_value());
  CHECK(*store->rows_of("a.cc") == std::nullopt);
  std::size_t names = 0;
  REQUIRE(store->each_name([&](std::int64_t, std::string_view) { ++names; }).has_value());
  CHECK(names == 0);
}

TEST_CASE("index: outlines come back as they were put, and go with their file") {
  TemporaryFolder folder;
  Result<IndexStore> store = IndexStore::open(folder.path("a.db"), Missing::create);
  REQUIRE(store.has_value());
  const FileOutline outline{.names = std::string("a\0b", 3), .words = "words"};
  REQUIRE(put(*store, {"b.cc", {1, 2}, {}, example(), outline}));
  REQUIRE(put(*store, {"a.cc", {3, 4}, {}, example(), {}}));
  const files::FileStamp stamp{1, 2, 3, 4, 5};
  REQUIRE(store->keep_sources({{"b.cc", {.stamp = stamp, .content = {1, 2}}}}).has_value());
  std::vector<OutlinedFile> outlined = *store->outlines();
  REQUIRE(outlined.size() == 2);
  CHECK(outlined[0].path == "a.cc");
  CHECK(outlined[1].outline.names == outline.names);
  CHECK(outlined[1].outline.words == outline.words);
  CHECK(outlined[1].content.content == files::ContentHash{1, 2});
  CHECK(outlined[1].content.stamp == stamp);
  // A stamp of another content tells nothing of this one.
  REQUIRE(store->keep_sources({{"b.cc", {.stamp = stamp, .content = {7, 8}}}}).has_value());
  CHECK((*store->outlines())[1].content.stamp == std::nullopt);
  REQUIRE(store->remove({"b.cc"}).has_value());
  CHECK(store->outlines()->size() == 1);
}

TEST_CASE("index: of several indexes the newest rows of each file are taken, once") {
  TemporaryFolder folder;
  const std::string one = folder.path("one.db");
  const std::string two = folder.path("two.db");
  const auto put = [](const std::string& file, const std::string& path, const std::string& name) {
    Result<IndexStore> store = IndexStore::open(file, Missing::create, IndexStore::Owner::user);
    REQUIRE(store.has_value());
    REQUIRE(symbols::index::put(*store, {path, {1, 1}, {2, 2}, {{symbol(name, 5, 1)}}, {"names", "words"}}));
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

TEST_CASE("index: a user's file that is no index is an error, and stays") {
  TemporaryFolder folder;
  const std::string text = folder.write("text", std::string(10'000, 'x'));
  CHECK_FALSE(IndexStore::open(text, Missing::create, IndexStore::Owner::user).has_value());
  CHECK_FALSE(IndexStore::check(text).has_value());
  CHECK_FALSE(IndexStore::check(folder.path("none")).has_value());
  CHECK(files::hash_of_file(text) == files::hash_of(std::string(10'000, 'x')));
  CHECK_FALSE(std::filesystem::exists(folder.path("none")));
}

TEST_CASE("index: states of sources come back as they were kept") {
  TemporaryFolder folder;
  Result<IndexStore> store = IndexStore::open(folder.path("a.db"), Missing::create);
  REQUIRE(store.has_value());
  const std::map<std::string, SourceState> states{
      {"a.cc",
       {.stamp = files::FileStamp{1, 2, 3, 4, 5}, .content = {6, 7}, .includes = {{"\"a.h", "<b.h"}}}},
      {"b.ts", {.stamp = {}, .content = {8, 9}}},
      {"c.cc", {.stamp = {}, .content = {8, 9}, .includes = {{}}}}};
  REQUIRE(store->keep_sources(states).has_value());
  REQUIRE(store->keep_sources(states).has_value());
  CHECK(store->contents()->sources == states);
}

TEST_CASE("index: no index is an error, and makes none") {
  TemporaryFolder folder;
  CHECK_FALSE(IndexStore::open(folder.path("a.db"), Missing::is_error).has_value());
  CHECK_FALSE(std::filesystem::exists(folder.path("a.db")));
}

TEST_CASE("index: one of another version is emptied, or an error") {
  TemporaryFolder folder;
  const std::string file = folder.path("a.db");
  {
    Result<IndexStore> store = IndexStore::open(file, Missing::create);
    REQUIRE(put(*store, {"a.cc", {}, {}, example(), {}}));
    Database(file, false).execute("PRAGMA user_version = 99");
  }
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
        if (!put(*store, {"f" + std::to_string(i) + "-" + std::to_string(run % 2), {}, {}, example(), {}}))
          ++failures;
      }
    });
  }
  for (std::thread& run : runs) run.join();
  CHECK(failures == 0);
  CHECK(IndexStore::open(folder.path("a.db"), Missing::is_error)->contents()->files.size() == 50);
}

TEST_CASE("index: found symbols are of their file's present content") {
  TemporaryFolder folder;
  Result<IndexStore> store = IndexStore::open(folder.path("a.db"), Missing::create);
  REQUIRE(store.has_value());
  folder.write("a.cc", "text");
  folder.write("b.cc", "text");
  for (const std::string path : {"a.cc", "b.cc", "gone.cc"})
    REQUIRE(put(*store, {path, files::hash_of("text"), {}, example(), {}}));
  const auto found = [&](const SymbolQuery& query) { return *find_symbols(*store, folder.path(), query); };
  const SymbolsFound all = found({.name = "open", .limit = 10});
  REQUIRE(all.rows.size() == 2);
  CHECK(all.rows[0].path == "a.cc");
  CHECK(all.rows[0].container == "Table");
  CHECK(all.rows[0].line == 2);
  CHECK(all.changed_files == 1);
  CHECK_FALSE(all.more);
  CHECK(found({.name = "open", .limit = 1}).more);
  CHECK(found({.name = "t", .kinds = {6}, .limit = 10}).rows.empty());
  CHECK(found({.name = "Table.open", .limit = 10}).rows.size() == 2);
  CHECK(found({.name = "Chair.open", .limit = 10}).rows.empty());
  folder.write("a.cc", "other text");
  CHECK(found({.name = "open", .limit = 10}).rows.size() == 1);
}

TEST_CASE("index: symbols are found by words in any order, with a slip, and before what only declares them") {
  TemporaryFolder folder;
  Result<IndexStore> store = IndexStore::open(folder.path("a.db"), Missing::create);
  REQUIRE(store.has_value());
  for (const std::string path : {"a.h", "b.cc", "dist/c.js", "tests/d.cc"}) {
    std::filesystem::create_directories(std::filesystem::path(folder.path(path)).parent_path());
    folder.write(path, "text");
  }
  const auto keep = [&](const std::string& path, const lsp::SymbolTree& tree, std::vector<RowForm> forms) {
    REQUIRE(put(*store, {path, files::hash_of("text"), {}, tree, {}, std::move(forms)}));
  };
  using enum RowForm;
  keep("a.h",
       {{symbol("Graph", 5, 1), symbol("Node", 5, 2), symbol("LoadFile", 6, 3, 1), symbol("vector", 13, 4)}},
       {declaration, definition, declaration, import});
  keep("b.cc", {{symbol("Graph", 5, 1), symbol("Node::LoadFile", 6, 2), symbol("Node", 13, 3)}},
       {definition, definition, import});
  keep("dist/c.js", {{symbol("Graph", 5, 1)}}, {});
  const auto found = [&](const SymbolQuery& query) { return *find_symbols(*store, folder.path(), query); };
  const auto places = [&](const std::string& query) {
    std::string all;
    for (const FoundSymbol& row : found({.name = query, .limit = 9}).rows)
      all += row.path + ":" + row.name + ' ';
    return all;
  };
  CHECK(places("Graph") == "b.cc:Graph a.h:Graph dist/c.js:Graph ");
  CHECK(places("loadfile") == "b.cc:Node::LoadFile a.h:LoadFile ");
  CHECK(places("file load") == places("loadfile"));
  CHECK(places("load node") == places("loadfile"));
  keep("tests/d.cc", {{symbol("LoadFileTwice", 12, 1), symbol("LoadFile", 12, 2)}}, {});
  CHECK(places("file load") ==
        "b.cc:Node::LoadFile tests/d.cc:LoadFileTwice a.h:LoadFile tests/d.cc:LoadFile ");
  CHECK(places("loadfile") ==
        "b.cc:Node::LoadFile a.h:LoadFile tests/d.cc:LoadFile tests/d.cc:LoadFileTwice ");
  REQUIRE(store->remove({"tests/d.cc"}).has_value());
  CHECK(places("load graph").empty());
  CHECK(places("LodFile") == places("loadfile"));
  CHECK(places("LoadFlie") == places("loadfile"));
  CHECK(places("Node::LodFile") == places("loadfile"));
  CHECK(places("Graph::LodFile").empty());
  CHECK(places("vector") == "a.h:vector ");
  CHECK(places("Node") == "a.h:Node b.cc:Node::LoadFile ");
  CHECK(found({.name = "Node", .limit = 9}).imports == 1);
  CHECK(found({.name = "LoadIfels", .limit = 9}).near_names == std::vector<std::string>{"LoadFile"});
  CHECK(found({.name = "LoadIfels", .limit = 9, .left_out = [](const std::string&) { return true; }})
            .near_names.empty());
  CHECK(found({.name = "LoadIfels", .kinds = {5}, .limit = 9}).near_names.empty());
  CHECK(found({.name = "xyz", .limit = 9}).near_names.empty());
  CHECK(found({.name = "LodFile", .limit = 9}).rows[0].fit == NameFit::one_letter);
  CHECK(found({.name = "graph", .limit = 9, .worst = NameFit::exact_case}).near_names ==
        std::vector<std::string>{"Graph"});
}

}  // namespace
}  // namespace symbols::index
