#include "proxy/index/index_store.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>

#include <chrono>
#include <cstring>
#include <thread>

#include "base/descriptor.h"
#include "proxy/files/regular_file.h"
#include "proxy/files/source_text.h"
#include "table/escape.h"

namespace symbols::index {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t schema_version = 1;
constexpr int most_attempts = 100;  // to open it

// Names are kept once: a project has several rows for each, and all of them are looked through to find one.
constexpr const char* schema = R"(
DROP TABLE IF EXISTS sources;
DROP TABLE IF EXISTS files;
DROP TABLE IF EXISTS names;
DROP TABLE IF EXISTS symbols;
CREATE TABLE sources(path TEXT PRIMARY KEY, stamp BLOB, content BLOB, includes TEXT) WITHOUT ROWID;
CREATE TABLE files(id INTEGER PRIMARY KEY, path TEXT UNIQUE NOT NULL, content BLOB, fingerprint BLOB, rows INTEGER);
CREATE TABLE names(id INTEGER PRIMARY KEY, name TEXT UNIQUE NOT NULL);
CREATE TABLE symbols(file INTEGER, row INTEGER, name INTEGER, kind INTEGER, parent INTEGER,
  ranges BLOB, detail TEXT, container TEXT, tags TEXT, deprecated INTEGER, PRIMARY KEY(file, row)) WITHOUT ROWID;
CREATE INDEX symbols_by_name ON symbols(name);
)";

template <class Value>
std::string_view bytes_of(const Value& value) {
  static_assert(std::is_trivially_copyable_v<Value>);
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

template <class Value>
std::optional<Value> value_of(std::string_view bytes) {
  if (bytes.size() != sizeof(Value)) return {};
  Value value;
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

// A row's two ranges, as they are kept.
struct Ranges {
  lsp::Range range;
  lsp::Range selection;
};

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + '\n';
  return text;
}

std::vector<std::string> split_lines(std::string_view text) {
  std::vector<std::string> lines;
  for (std::size_t end = text.find('\n'); end != text.npos; end = text.find('\n')) {
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  return lines;
}

std::string tag_words(const std::vector<std::int64_t>& tags) {
  std::string words;
  for (const std::int64_t tag : tags) words += std::to_string(tag) + '\n';
  return words;
}

Result<void> make_private_folder(const fs::path& folder) {
  std::error_code failure;
  fs::create_directories(folder, failure);
  if (failure) return files::system_error("make the folder", folder.string(), failure.value());
  fs::permissions(folder, fs::perms::owner_all, failure);
  return {};
}

// Runs side by side may find the same damage: under the lock only the first removes the file, and the others
// find a good one.
void remove_damaged(const fs::path& file) {
  const Descriptor folder(::open(file.parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder) ::flock(folder.get(), LOCK_EX);
  {
    Database again(file, false);
    Statement check(again, "PRAGMA quick_check(1)");
    if (check.next() && check.text(0) == "ok") return;
    if (again.fault() && !again.fault()->is_damage()) return;
  }
  IndexStore::discard(file);
}

}  // namespace

IndexStore::IndexStore(fs::path file, bool create)
    : file_(std::move(file)), database_(std::make_unique<Database>(file_, create)) {}

Result<IndexStore> IndexStore::open(const fs::path& file, Missing missing) {
  const bool create = missing == Missing::create;
  if (create) {
    if (const Result<void> made = make_private_folder(file.parent_path()); !made) return made.error();
  }
  for (int attempt = 1;; ++attempt) {
    IndexStore store(file, create);
    if (create) {
      store.prepare();
    } else {
      Statement version(*store.database_, "PRAGMA user_version");
      if (version.next() && version.integer(0) != schema_version) {
        return Error{
            fmt::format("the index {} is of another version of symbols", table::quoted(file.string())),
            "run symbols index"};
      }
    }
    const std::optional<Database::Fault> fault = store.database_->take_fault();
    if (!fault) return {boost::system::in_place_value, std::move(store)};
    const bool may_pass = create && attempt < most_attempts;
    if (may_pass && fault->is_busy()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));  // another run is making it
    } else if (may_pass && fault->is_damage()) {
      store.database_.reset();
      remove_damaged(file);
    } else {
      return store.error_of(*fault);
    }
  }
}

void IndexStore::prepare() {
  // Losing power may lose the last files' rows, and no more: they are asked for again.
  database_->execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
  const auto version = [this] {
    Statement statement(*database_, "PRAGMA user_version");
    return statement.next() ? statement.integer(0) : -1;
  };
  if (version() == schema_version || database_->fault()) return;
  database_->transaction([&] {
    if (version() == schema_version) return;  // another run has made it meanwhile
    database_->execute(schema);
    database_->execute(fmt::format("PRAGMA user_version = {}", schema_version).c_str());
  });
}

void IndexStore::discard(const fs::path& file) {
  for (const char* end : {"", "-wal", "-shm"}) {
    std::error_code ignored;
    fs::remove(file.string() + end, ignored);
  }
}

Error IndexStore::error_of(const Database::Fault& fault) const {
  if (fault.is_damage()) {
    remove_damaged(file_);
    return {fmt::format("the index {} was damaged ({}) and is removed", table::quoted(file_.string()),
                        fault.message),
            "make it anew with: symbols index"};
  }
  return {fmt::format("cannot use the index {}: {}", table::quoted(file_.string()), fault.message),
          "check that its folder may be written and has room, or set XDG_CACHE_HOME"};
}

Result<void> IndexStore::done() {
  if (const std::optional<Database::Fault> fault = database_->take_fault()) return error_of(*fault);
  return {};
}

Result<std::map<std::string, SourceState>> IndexStore::sources() {
  std::map<std::string, SourceState> states;
  Statement all(*database_, "SELECT path, stamp, content, includes, includes IS NULL FROM sources");
  while (all.next()) {
    SourceState state{.stamp = value_of<files::FileStamp>(all.text(1)),
                      .content = value_of<ContentHash>(all.text(2)).value_or(ContentHash{})};
    if (all.integer(4) == 0) state.includes = split_lines(all.text(3));
    states.emplace_hint(states.end(), all.text(0), std::move(state));
  }
  if (const Result<void> read = done(); !read) return read.error();
  return {boost::system::in_place_value, std::move(states)};
}

Result<std::map<std::string, IndexedFile>> IndexStore::files() {
  std::map<std::string, IndexedFile> files;
  Statement all(*database_, "SELECT path, content, fingerprint, rows FROM files");
  while (all.next()) {
    files.emplace(all.text(0),
                  IndexedFile{.content = value_of<ContentHash>(all.text(1)).value_or(ContentHash{}),
                              .fingerprint = value_of<ContentHash>(all.text(2)).value_or(ContentHash{}),
                              .rows = static_cast<std::size_t>(all.integer(3))});
  }
  if (const Result<void> read = done(); !read) return read.error();
  return {boost::system::in_place_value, std::move(files)};
}

Result<void> IndexStore::keep_sources(const std::map<std::string, SourceState>& states) {
  if (states.empty()) return {};
  database_->transaction([&] {
    Statement keep(*database_, "INSERT OR REPLACE INTO sources VALUES(?, ?, ?, ?)");
    Statement keep_unscanned(*database_, "INSERT OR REPLACE INTO sources VALUES(?, ?, ?, NULL)");
    for (const auto& [path, state] : states) {
      Statement& statement = state.includes ? keep : keep_unscanned;
      statement.bind(1, path).bind_bytes(3, bytes_of(state.content));
      statement.bind_bytes(2, state.stamp ? bytes_of(*state.stamp) : std::string_view());
      if (state.includes) statement.bind(4, joined(*state.includes));
      statement.run();
    }
  });
  return done();
}

Result<void> IndexStore::put(const std::string& path, const IndexedFile& from, const lsp::SymbolTree& tree) {
  database_->transaction([&] {
    Statement file(
        *database_,
        "INSERT INTO files(path, content, fingerprint, rows) VALUES(?1, ?2, ?3, ?4) ON CONFLICT(path) "
        "DO UPDATE SET content = ?2, fingerprint = ?3, rows = ?4 RETURNING id");
    file.bind(1, path).bind_bytes(2, bytes_of(from.content)).bind_bytes(3, bytes_of(from.fingerprint));
    file.bind(4, static_cast<std::int64_t>(tree.symbols.size()));
    const std::int64_t id = file.next() ? file.integer(0) : 0;
    file.run();
    Statement(*database_, "DELETE FROM symbols WHERE file = ?").bind(1, id).run();
    Statement known_name(*database_, "SELECT id FROM names WHERE name = ?");
    Statement new_name(*database_, "INSERT INTO names(name) VALUES(?)");
    Statement insert(*database_, "INSERT INTO symbols VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    std::int64_t row = 0;
    for (const lsp::DocumentSymbol& symbol : tree.symbols) {
      known_name.bind(1, symbol.name);
      const bool is_known = known_name.next();
      std::int64_t name = is_known ? known_name.integer(0) : 0;
      known_name.reset();
      if (!is_known) {
        new_name.bind(1, symbol.name).run();
        name = database_->last_row();
      }
      const Ranges ranges{symbol.range, symbol.selection_range};
      insert.bind(1, id).bind(2, row++).bind(3, name).bind(4, symbol.kind).bind(5, symbol.parent);
      insert.bind_bytes(6, bytes_of(ranges)).bind(7, symbol.detail).bind(8, symbol.container_name);
      insert.bind(9, tag_words(symbol.tags)).bind(10, std::int64_t{symbol.deprecated}).run();
    }
  });
  return done();
}

Result<void> IndexStore::remove(const std::vector<std::string>& paths) {
  if (paths.empty()) return {};
  database_->transaction([&] {
    Statement rows(*database_, "DELETE FROM symbols WHERE file = (SELECT id FROM files WHERE path = ?)");
    Statement file(*database_, "DELETE FROM files WHERE path = ?");
    Statement source(*database_, "DELETE FROM sources WHERE path = ?");
    for (const std::string& path : paths) {
      for (Statement* statement : {&rows, &file, &source}) statement->bind(1, path).run();
    }
    database_->execute("DELETE FROM names WHERE id NOT IN (SELECT name FROM symbols)");
  });
  return done();
}

Result<bool> IndexStore::is_current(const std::string& path, const std::string& file) {
  Statement row(*database_,
                "SELECT files.content, sources.content, sources.stamp FROM files LEFT JOIN sources "
                "ON sources.path = files.path WHERE files.path = ?");
  row.bind(1, path);
  bool current = false;
  if (row.next()) {
    const auto content = value_of<ContentHash>(row.text(0));
    const auto stamp = value_of<files::FileStamp>(row.text(2));
    if (stamp && content == value_of<ContentHash>(row.text(1)) && stamp == files::FileStamp::of(file)) {
      current = true;
    } else if (const Result<std::string> text = files::read_regular_file(file, files::max_source_bytes)) {
      current = content == hash_of(*text);
    }
  }
  if (const Result<void> read = done(); !read) return read.error();
  return current;
}

Result<void> IndexStore::each_name(const std::function<void(std::int64_t, std::string_view)>& take) {
  Statement all(*database_, "SELECT id, name FROM names");
  while (all.next()) take(all.integer(0), all.text(1));
  return done();
}

Result<std::vector<FoundSymbol>> IndexStore::named(std::int64_t name) {
  std::vector<FoundSymbol> found;
  Statement rows(*database_,
                 "SELECT files.path, names.name, symbols.kind, symbols.ranges, symbols.container, "
                 "(SELECT parent_names.name FROM symbols AS parents JOIN names AS parent_names "
                 "ON parent_names.id = parents.name WHERE parents.file = symbols.file AND "
                 "parents.row = symbols.parent) "
                 "FROM symbols JOIN names ON names.id = symbols.name JOIN files ON files.id = symbols.file "
                 "WHERE symbols.name = ?");
  rows.bind(1, name);
  while (rows.next()) {
    const std::string_view parent = rows.text(5);
    found.push_back({.path = std::string(rows.text(0)),
                     .name = std::string(rows.text(1)),
                     .container = std::string(parent.empty() ? rows.text(4) : parent),
                     .kind = rows.integer(2),
                     .line = value_of<Ranges>(rows.text(3)).value_or(Ranges{}).selection.start.line});
  }
  if (const Result<void> read = done(); !read) return read.error();
  return {boost::system::in_place_value, std::move(found)};
}

Result<std::optional<lsp::SymbolTree>> IndexStore::rows_of(const std::string& path) {
  std::optional<lsp::SymbolTree> tree;
  Statement file(*database_, "SELECT id FROM files WHERE path = ?");
  file.bind(1, path);
  if (file.next()) {
    tree.emplace();
    Statement rows(
        *database_,
        "SELECT names.name, kind, parent, ranges, detail, container, tags, deprecated FROM symbols "
        "JOIN names ON names.id = symbols.name WHERE file = ? ORDER BY row");
    rows.bind(1, file.integer(0));
    while (rows.next()) {
      const Ranges ranges = value_of<Ranges>(rows.text(3)).value_or(Ranges{});
      lsp::DocumentSymbol& symbol = tree->symbols.emplace_back();
      symbol.name = rows.text(0);
      symbol.kind = rows.integer(1);
      symbol.parent = static_cast<std::int32_t>(rows.integer(2));
      symbol.range = ranges.range;
      symbol.selection_range = ranges.selection;
      symbol.detail = rows.text(4);
      symbol.container_name = rows.text(5);
      for (const std::string& tag : split_lines(rows.text(6))) symbol.tags.push_back(std::stoll(tag));
      symbol.deprecated = rows.integer(7) != 0;
    }
  }
  if (const Result<void> read = done(); !read) return read.error();
  return {boost::system::in_place_value, std::move(tree)};
}

}  // namespace symbols::index
