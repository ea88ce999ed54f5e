// How an index's file is opened, checked, made and removed; index_store.cc has what is in it.
#include <fcntl.h>
#include <fmt/format.h>

#include <chrono>
#include <thread>

#include "base/descriptor.h"
#include "proxy/files/file_lock.h"
#include "proxy/files/regular_file.h"
#include "proxy/index/index_store.h"
#include "table/escape.h"

namespace symbols::index {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t schema_version = 4;
constexpr std::int64_t application_id = 0x53594D42;  // "SYMB": tells an index from other databases
// For other runs that make the database, or remove a damaged one.
constexpr std::chrono::milliseconds longest_wait{60'000};

// Names are kept once: a project has several rows for each, and all of them are looked through to find one.
constexpr const char* schema = R"(
DROP TABLE IF EXISTS sources;
DROP TABLE IF EXISTS files;
DROP TABLE IF EXISTS names;
DROP TABLE IF EXISTS symbols;
DROP TABLE IF EXISTS outlines;
CREATE TABLE sources(path TEXT PRIMARY KEY, stamp BLOB, content BLOB, includes TEXT) WITHOUT ROWID;
CREATE TABLE files(id INTEGER PRIMARY KEY, path TEXT UNIQUE NOT NULL, content BLOB, fingerprint BLOB, rows INTEGER,
  answered INTEGER);
CREATE TABLE names(id INTEGER PRIMARY KEY, name TEXT UNIQUE NOT NULL);
CREATE TABLE symbols(file INTEGER, row INTEGER, name INTEGER, kind INTEGER, parent INTEGER,
  ranges BLOB, detail TEXT, container TEXT, tags TEXT, deprecated INTEGER, PRIMARY KEY(file, row)) WITHOUT ROWID;
CREATE INDEX symbols_by_name ON symbols(name);
CREATE TABLE outlines(file INTEGER PRIMARY KEY, names BLOB, words BLOB, signatures BLOB);
)";

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
  if (folder) (void)files::lock_within(folder.get(), longest_wait);
  {
    Database again(file, false);
    Statement check(again, "PRAGMA quick_check(1)");
    if (check.next() && check.text(0) == "ok") return;
    if (again.fault() && !again.fault()->is_damage()) return;
  }
  IndexStore::discard(file);
}

}  // namespace

IndexStore::IndexStore(fs::path file, Missing missing, Owner owner)
    : file_(std::move(file)),
      owner_(owner),
      database_(std::make_unique<Database>(file_, missing == Missing::create)) {}

Result<IndexStore> IndexStore::open(const fs::path& file, Missing missing, Owner owner) {
  const bool create = missing == Missing::create;
  if (create && owner == Owner::cache) {
    if (const Result<void> made = make_private_folder(file.parent_path()); !made) return made.error();
  }
  const auto end = std::chrono::steady_clock::now() + longest_wait;
  for (;;) {
    IndexStore store(file, missing, owner);
    const bool may_write = create && (owner == Owner::cache || store.version() != Version::other);
    if (may_write) {
      store.prepare();
    } else if (store.version() != Version::current && !store.database_->fault()) {
      const std::string name = table::quoted(file.string());
      if (owner == Owner::user)
        return Error{name + " is not an index of this version of symbols",
                     "make it with symbols index --database"};
      return Error{fmt::format("the index {} was made by another version of symbols", name),
                   "run symbols index"};
    }
    const std::optional<Database::Fault> fault = store.database_->take_fault();
    if (!fault) return {boost::system::in_place_value, std::move(store)};
    const bool may_pass = create && std::chrono::steady_clock::now() < end;
    if (may_pass && fault->is_busy()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));  // another run is making it
    } else if (may_pass && fault->is_damage() && owner == Owner::cache) {
      store.database_.reset();
      remove_damaged(file);
    } else {
      return store.error_of(*fault);
    }
  }
}

Result<void> IndexStore::check(const fs::path& file) {
  Result<IndexStore> store = open(file, Missing::is_error, Owner::user);
  if (!store) return store.error();
  Statement whole(*store->database_, "PRAGMA integrity_check(1)");
  const std::string found(whole.next() ? whole.text(0) : std::string_view());
  if (const Result<void> read = store->done(); !read) return read;
  if (found == "ok") return {};
  return store->error_of({.code = Database::Fault::damage, .message = found});
}

IndexStore::Version IndexStore::version() {
  const auto number = [this](const char* pragma) {
    Statement statement(*database_, pragma);
    return statement.next() ? statement.integer(0) : -1;
  };
  const std::int64_t version = number("PRAGMA user_version");
  const std::int64_t application = number("PRAGMA application_id");
  if (version == schema_version && application == application_id) return Version::current;
  return number("SELECT count(*) FROM sqlite_master") == 0 ? Version::none : Version::other;
}

void IndexStore::prepare() {
  // Losing power may lose the last files' rows, and no more: they are asked for again.
  database_->execute(owner_ == Owner::cache ? "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL"
                                            : "PRAGMA journal_mode = DELETE; PRAGMA synchronous = NORMAL");
  if (version() == Version::current || database_->fault()) return;
  database_->transaction([&] {
    if (version() == Version::current) return;  // another run has made it meanwhile
    database_->execute(schema);
    database_->execute(fmt::format("PRAGMA user_version = {}", schema_version).c_str());
    database_->execute(fmt::format("PRAGMA application_id = {}", application_id).c_str());
  });
}

void IndexStore::discard(const fs::path& file) {
  for (const char* end : {"", "-wal", "-shm"}) {
    std::error_code ignored;
    fs::remove(file.string() + end, ignored);
  }
}

Error IndexStore::error_of(const Database::Fault& fault) const {
  const std::string name = table::quoted(file_.string());
  const bool is_users = owner_ == Owner::user;
  if (!fault.is_damage()) {
    return {fmt::format("cannot use the index {}: {}", name, fault.message),
            is_users ? "check that it exists, and that it and its folder are writable and have room"
                     : "check that its folder is writable and has room, or set XDG_CACHE_HOME"};
  }
  if (is_users) {
    return {fmt::format("the index {} is damaged, or is not an index: {}", name, fault.message),
            "make a new one, in another file, with symbols index --database"};
  }
  remove_damaged(file_);
  return {fmt::format("the index {} was damaged ({}) and is removed", name, fault.message),
          "make a new one with: symbols index"};
}

}  // namespace symbols::index
