// Indexes that are damaged, or that somebody else has made: each answer is right, or an error.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "proxy/index/index_store.h"
#include "proxy/index/sqlite.h"
#include "proxy/index/symbol_search.h"
#include "tests/dice.h"
#include "tests/proxy/temporary_folder.h"

namespace symbols::index {
namespace index_damage_test {

using Missing = IndexStore::Missing;
using Owner = IndexStore::Owner;

constexpr std::size_t page = 4096;

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string name_of(std::size_t file, std::size_t row) {
  return fmt::format("name{}_{}", file, row);
}

// An index of 40 files: rows that fill pages, and some that need several.
void make_index(const std::string& file) {
  Result<IndexStore> store = IndexStore::open(file, Missing::create);
  REQUIRE(store.has_value());
  std::vector<AnsweredFile> answers;
  std::map<std::string, SourceState> sources;
  for (std::uint32_t i = 0; i < 40; ++i) {
    const std::string path = "src/" + std::to_string(i) + ".cc";
    lsp::SymbolTree tree;
    for (std::uint32_t row = 0; row < 25; ++row) {
      lsp::DocumentSymbol& symbol = tree.symbols.emplace_back();
      symbol.name = name_of(i % 8, row);
      symbol.kind = 5 + row % 8;
      symbol.parent = static_cast<std::int32_t>(row) - 1;
      symbol.range = {{row, 0}, {row + 3, 1}};
      symbol.selection_range = {{row, 6}, {row, 9}};
      symbol.detail = row == 7 ? std::string(10'000, 'd') : "void (int)";
    }
    const files::ContentHash content{i, 1};
    answers.push_back({path, content, {i, 2}, std::move(tree), {path, std::string(300, 'w')}});
    sources[path] = {
        .stamp = files::FileStamp{i, 2, 3, 4, 5}, .content = content, .includes = {"\"a.h", "<b.h"}};
  }
  REQUIRE(store->put(answers).has_value());
  REQUIRE(store->keep_sources(sources).has_value());
}

// All that the index answers, each as one text; "error" for one that is refused.
std::vector<std::string> answers_of(const std::string& file) {
  Result<IndexStore> store = IndexStore::open(file, Missing::is_error, Owner::user);
  if (!store) return {"error"};
  std::vector<std::string> answers;
  std::string text;  // of the present one
  const auto add = [&](auto&&... values) { (fmt::format_to(std::back_inserter(text), "{} ", values), ...); };
  const auto add_range = [&](const lsp::Range& range) {
    add(range.start.line, range.start.character, range.end.line, range.end.character);
  };
  const auto end = [&](bool is_good) {
    answers.push_back(is_good ? text : "error");
    text.clear();
  };
  end(store->each_name([&](std::string_view name) { add(name); }).has_value());
  for (int i = 0; i < 40; ++i) {
    const auto tree = store->rows_of(fmt::format("src/{}.cc", i));
    for (const auto& symbol : tree&&* tree ? (*tree)->symbols : std::vector<lsp::DocumentSymbol>()) {
      add(symbol.name, symbol.detail, symbol.kind, symbol.parent);
      add_range(symbol.range);
      add_range(symbol.selection_range);
    }
    end(tree.has_value());
  }
  for (std::size_t i = 0; i < 200; ++i) {
    auto rows = store->named(name_of(i / 25, i % 25));
    if (rows) std::ranges::sort(*rows, {}, &FoundSymbol::path);
    for (const FoundSymbol& row : rows ? *rows : std::vector<FoundSymbol>())
      add(row.path, row.name, row.container, row.kind, row.line);
    end(rows.has_value());
  }
  const auto outlines = store->outlines();
  for (const OutlinedFile& one : outlines ? *outlines : std::vector<OutlinedFile>())
    add(one.path, files::hex_of(one.content.content), one.content.stamp.has_value(), one.outline.names,
        one.outline.words);
  end(outlines.has_value());
  const auto contents = store->contents();
  for (const auto& [path, state] : contents ? contents->sources : std::map<std::string, SourceState>())
    add(path, files::hex_of(state.content), state.stamp.has_value(), state.includes.size());
  for (const auto& [path, one] : contents ? contents->files : std::map<std::string, IndexedFile>())
    add(path, files::hex_of(one.content), files::hex_of(one.fingerprint), one.rows);
  end(contents.has_value());
  return answers;
}

// What a bad disk, a bad copy or a write at the wrong place leave.
void damage(std::string& bytes, Dice& dice) {
  const std::size_t pages = bytes.size() / page;
  switch (dice.below(6)) {
    case 0:
    case 1:
      for (std::size_t i = 0; i <= dice.below(3); ++i)
        bytes[dice.below(bytes.size())] ^= static_cast<char>(1 << dice.below(8));
      break;
    case 2:
      bytes.replace(dice.below(pages) * page, page, bytes.substr(dice.below(pages) * page, page));
      break;
    case 3:
      bytes.replace(dice.below(pages) * page, page, page, '\0');
      break;
    case 4:
      bytes.replace(dice.below(bytes.size() - 100), 100, 100, static_cast<char>(dice.below(256)));
      break;
    case 5:
      bytes.resize(dice.below(bytes.size()));
      break;
  }
}

TEST_CASE("index: of 200 damaged ones each answer is right or an error, and writers make them anew") {
  TemporaryFolder folder;
  const std::string good = folder.path("good/a.db");
  make_index(good);
  const std::string bytes = read_file(good);
  REQUIRE(bytes.size() > 50 * page);
  const std::vector<std::string> right = answers_of(good);
  REQUIRE(std::ranges::count(right, "error") == 0);
  std::size_t refused = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Dice dice(seed);
    std::string damaged = bytes;
    while (damaged == bytes) damage(damaged, dice);
    const std::string file = folder.write("damaged/a.db", damaged);
    const std::vector<std::string> answers = answers_of(file);
    for (std::size_t i = 0; i < answers.size(); ++i)
      CHECK_MESSAGE((answers[i] == "error" || answers[i] == right[i]), seed, ' ', i);
    const bool is_refused = std::ranges::count(answers, "error") > 0;
    if (is_refused) ++refused;
    // Each of these waits for the disk.
    if (is_refused && seed % 10 == 0) {
      Result<IndexStore> again = IndexStore::open(file, Missing::create);
      REQUIRE(again.has_value());
      CHECK(again->contents()->files.empty());
    }
    REQUIRE(IndexStore::discard(file).has_value());
  }
  // The others have lost a page that is in no use, or one that only writing needs.
  CHECK(refused >= 180);
}

TEST_CASE("index: its locks stay where another part of the process opens and closes it") {
  TemporaryFolder folder;
  const std::string file = folder.path("a.db");
  Result<IndexStore> writer = IndexStore::open(file, Missing::create);
  REQUIRE(writer.has_value());
  REQUIRE(IndexStore::open(file, Missing::is_error).has_value());
  // With a write-ahead log SQLite holds this one, of 510 bytes, as long as it has the file open. A process
  // does not see locks of its own.
  const pid_t child = ::fork();
  if (child == 0) {
    struct flock lock {};
    lock.l_type = F_WRLCK;
    lock.l_start = 0x40000002;
    lock.l_len = 510;
    const int descriptor = ::open(file.c_str(), O_RDWR | O_CLOEXEC);
    ::_exit(::fcntl(descriptor, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK ? 0 : 1);
  }
  int status = -1;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(status == 0);
}

// Runs it in `file` as our own program would, so that it has right sums.
void execute(const std::string& file, const std::string& sql) {
  Database database(file, false);
  database.execute(sql.c_str());
  REQUIRE_FALSE(database.fault());
}

TEST_CASE("index: a schema that is not ours is refused before anything is read by it") {
  constexpr const char* endless =
      "WITH RECURSIVE more(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM more) SELECT n, n, n, n, n, n FROM "
      "more";
  const std::string foreign[] = {
      "DROP TABLE files; CREATE VIEW files(id, path, content, fingerprint, rows, answered) AS " +
          std::string(endless),
      "CREATE VIEW more AS SELECT 1",
      "CREATE TRIGGER kept AFTER INSERT ON files BEGIN DELETE FROM symbols; END",
      "DROP TABLE sources; CREATE TABLE sources(path TEXT PRIMARY KEY, stamp BLOB, content BLOB, "
      "includes TEXT AS (hex(zeroblob(1000000000)))) WITHOUT ROWID",
      "CREATE INDEX one_more ON symbols(length(name))",
      "CREATE TABLE one_more(a)",
      "DROP INDEX symbols_by_name",
      "DROP TABLE outlines",
  };
  for (const std::string& sql : foreign) {
    CAPTURE(sql);
    TemporaryFolder folder;
    const std::string file = folder.path("a.db");
    make_index(file);
    execute(file, sql);
    const Result<IndexStore> users = IndexStore::open(file, Missing::is_error, Owner::user);
    REQUIRE_FALSE(users.has_value());
    CHECK(users.error().text() ==
          "\"" + file +
              "\" is not an index of this version of symbols; make it with symbols index --database");
    CHECK_FALSE(IndexStore::check(file).has_value());
    CHECK_FALSE(IndexStore::open(file, Missing::create, Owner::user).has_value());
    CHECK_FALSE(IndexStore::open(file, Missing::is_error).has_value());
    CHECK(IndexStore::open(file, Missing::create)->contents()->files.empty());
  }
}

TEST_CASE("index: a symbol that is above itself is an error") {
  TemporaryFolder folder;
  for (const char* const parent : {"5", "6", "2147483648", "-2", "'x'", "NULL"}) {
    CAPTURE(parent);
    const std::string file = folder.path(std::string(parent) + "/a.db");
    make_index(file);
    execute(file, std::string("UPDATE symbols SET parent = ") + parent + " WHERE row = 5");
    Result<IndexStore> store = IndexStore::open(file, Missing::is_error, Owner::user);
    REQUIRE(store.has_value());
    // What is no number is 0, as SQLite has it.
    const bool is_number = std::string_view("-0123456789").find(parent[0]) != std::string_view::npos;
    CHECK(store->rows_of("src/1.cc").has_value() == !is_number);
  }
}

}  // namespace index_damage_test
}  // namespace symbols::index
