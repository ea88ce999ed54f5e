#include "proxy/index/index_store.h"

#include <doctest/doctest.h>

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

TEST_CASE("index: rows come back as they were put") {
  TemporaryFolder folder;
  const std::string file = folder.path("new/a.db");
  {
    Result<IndexStore> store = IndexStore::open(file, Missing::create);
    REQUIRE(store.has_value());
    REQUIRE(store->put("a.cc", {{1, 2}, {3, 4}, 0}, example()).has_value());
    REQUIRE(store->put("empty.cc", {{5, 6}, {7, 8}, 0}, {}).has_value());
  }
  Result<IndexStore> store = IndexStore::open(file, Missing::is_error);
  REQUIRE(store.has_value());
  CHECK(*store->rows_of("a.cc") == example());
  CHECK(*store->rows_of("empty.cc") == lsp::SymbolTree{});
  CHECK(*store->rows_of("none.cc") == std::nullopt);
  const auto files = *store->files();
  REQUIRE(files.size() == 2);
  CHECK(files.at("a.cc").content == ContentHash{1, 2});
  CHECK(files.at("a.cc").fingerprint == ContentHash{3, 4});
  CHECK(files.at("a.cc").rows == 3);
  // In place of the old ones.
  REQUIRE(store->put("a.cc", {{9, 9}, {9, 9}, 0}, {{symbol("one", 12, 0)}}).has_value());
  CHECK((*store->rows_of("a.cc"))->symbols.size() == 1);
  REQUIRE(store->remove({"a.cc", "none.cc"}).has_value());
  CHECK(*store->rows_of("a.cc") == std::nullopt);
  std::size_t names = 0;
  REQUIRE(store->each_name([&](std::int64_t, std::string_view) { ++names; }).has_value());
  CHECK(names == 0);
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
  CHECK(*store->sources() == states);
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
    REQUIRE(store->put("a.cc", {}, example()).has_value());
    Database(file, false).execute("PRAGMA user_version = 99");
  }
  const Result<IndexStore> reader = IndexStore::open(file, Missing::is_error);
  REQUIRE_FALSE(reader.has_value());
  CHECK(reader.error().text().ends_with("is of another version of symbols; run symbols index"));
  Result<IndexStore> store = IndexStore::open(file, Missing::create);
  REQUIRE(store.has_value());
  CHECK(store->files()->empty());
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
        if (!store->put("f" + std::to_string(i) + "-" + std::to_string(run % 2), {}, example())) ++failures;
      }
    });
  }
  for (std::thread& run : runs) run.join();
  CHECK(failures == 0);
  CHECK(IndexStore::open(folder.path("a.db"), Missing::is_error)->files()->size() == 50);
}

TEST_CASE("index: found symbols are of their file's present content") {
  TemporaryFolder folder;
  Result<IndexStore> store = IndexStore::open(folder.path("a.db"), Missing::create);
  REQUIRE(store.has_value());
  folder.write("a.cc", "text");
  folder.write("b.cc", "text");
  for (const std::string path : {"a.cc", "b.cc", "gone.cc"})
    REQUIRE(store->put(path, {hash_of("text"), {}, 0}, example()).has_value());
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

}  // namespace
}  // namespace symbols::index
