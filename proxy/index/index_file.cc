// Where an index's file lies, how it is opened, checked, made and removed; index_store.cc has what is in it.
//
// A file is used only if it is ours by its sums (page_sums.cc), by the version in its header and by its
// schema, to the letter. Any other is replaced in the cache by callers that may write (Missing::create), and
// is an error for all others.
#include <fcntl.h>
#include <fmt/format.h>

#include <array>
#include <thread>

#include "base/clock.h"
#include "base/descriptor.h"
#include "proxy/files/content_hash.h"
#include "proxy/files/project_root.h"
#include "proxy/files/regular_file.h"
#include "proxy/index/index_store.h"
#include "table/escape.h"

namespace symbols::index {
namespace {

constexpr std::int64_t schema_version = 9;
constexpr std::int64_t application_id = 0x53594D42;  // "SYMB": tells an index from other databases
// How long to wait for other runs that make the database, or remove a damaged one.
constexpr milliseconds max_wait{60'000};

// The text that SQLite keeps: a database with any other is not ours.
constexpr std::array schema{
    "CREATE TABLE sources(path TEXT PRIMARY KEY, stamp BLOB, content BLOB, includes TEXT) WITHOUT ROWID",
    "CREATE TABLE files(id INTEGER PRIMARY KEY, path TEXT UNIQUE NOT NULL, content BLOB, fingerprint BLOB, "
    "rows INTEGER, answered INTEGER, errors TEXT)",
    "CREATE TABLE symbols(file INTEGER REFERENCES files ON DELETE CASCADE, row INTEGER, name TEXT, kind "
    "INTEGER, parent INTEGER, "
    "ranges BLOB, detail TEXT, container TEXT, tags TEXT, deprecated INTEGER, form INTEGER, PRIMARY "
    "KEY(file, row)) "
    "WITHOUT ROWID",
    "CREATE INDEX symbols_by_name ON symbols(name)",
    "CREATE TABLE outlines(file INTEGER PRIMARY KEY REFERENCES files ON DELETE CASCADE, names BLOB, words "
    "BLOB)",
};

Result<fs::path> canonical_folder(const fs::path& folder) {
  std::error_code failure;
  fs::path canonical = fs::canonical(folder, failure);
  if (failure) return files::system_error("index", folder.string(), failure.value());
  if (!fs::is_directory(canonical, failure)) {
    return Error{fmt::format("cannot index {}: it is not a folder", table::quoted(folder.string())),
                 "give the project's folder"};
  }
  return {boost::system::in_place_value, std::move(canonical)};
}

}  // namespace

IndexStore::IndexStore(fs::path file, Missing missing, Owner owner)
    : file_(std::move(file)),
      owner_(owner),
      database_(std::make_unique<Database>(file_, missing == Missing::create)) {}

Result<IndexStore> IndexStore::open(const fs::path& file, Missing missing, Owner owner) {
  const bool create = missing == Missing::create;
  const bool may_remove = create && owner == Owner::cache;
  if (may_remove) {
    const fs::path folder = file.parent_path();
    std::error_code failure;
    fs::create_directories(folder, failure);
    if (failure) return files::system_error("make the folder", folder.string(), failure.value());
    fs::permissions(folder, fs::perms::owner_all, failure);
  }
  const auto end = steady_clock::now() + max_wait;
  for (;;) {
    IndexStore store(file, missing, owner);
    const Version version = store.version();
    const bool is_usable = version == Version::current || (version == Version::none && create);
    if (create && is_usable) store.prepare();
    const std::optional<Database::Fault> fault = store.database_->take_fault();
    if (!fault && is_usable) return {boost::system::in_place_value, std::move(store)};
    const bool may_pass = create && steady_clock::now() < end;
    if (may_pass && ((fault && fault->is_busy()) || (may_remove && (!fault || fault->is_damage())))) {
      const bool is_busy = fault && fault->is_busy();  // another run is making it
      store.database_.reset();
      if (const Result<void> removed = is_busy ? Result<void>() : remove_unusable(file); !removed)
        return removed.error();
      std::this_thread::sleep_for(milliseconds(20));
    } else if (fault) {
      return store.error_of(*fault);
    } else {
      return store.other_version();
    }
  }
}

// Several runs may find a file unusable: under the lock the first removes it, and the others find a good one.
Result<void> IndexStore::remove_unusable(const fs::path& file) {
  const Descriptor folder(::open(file.parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder) (void)files::lock_within(folder.get(), max_wait);
  {
    IndexStore again(file, Missing::is_error, Owner::cache);
    const Version version = again.version();
    if (version == Version::current && again.is_whole()) return {};
    const std::optional<Database::Fault>& fault = again.database_->fault();
    if (fault ? !fault->is_damage() : version == Version::none) return {};
  }
  return discard(file);
}

// Whether no page that is in use is faulty; else a fault is set. By SQLite, which has the locks for it.
bool IndexStore::is_whole() {
  Statement check(*database_, "PRAGMA integrity_check(1)");
  const std::string found(check.next() ? check.text(0) : std::string_view());
  if (found == "ok") return true;
  database_->fail_damaged(found);
  return false;
}

Result<void> IndexStore::check(const fs::path& file) {
  Result<IndexStore> store = open(file, Missing::is_error, Owner::user);
  if (!store) return store.error();
  (void)store->is_whole();
  return store->done();
}

IndexStore::Version IndexStore::version() {
  const auto number = [this](const char* pragma) {
    Statement statement(*database_, pragma);
    return statement.next() ? statement.integer(0) : -1;
  };
  const std::int64_t version = number("PRAGMA user_version");
  const std::int64_t application = number("PRAGMA application_id");
  if (version == schema_version && application == application_id)
    return has_schema() ? Version::current : Version::other;
  return number("SELECT count(*) FROM sqlite_master") == 0 ? Version::none : Version::other;
}

// Exactly our tables and index: anything else may be code, such as a view without an end.
bool IndexStore::has_schema() {
  // An index without text is that of a UNIQUE column of one of the tables.
  Statement all(*database_,
                "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL OR type <> 'index' ORDER BY rowid");
  for (const char* const sql : schema) {
    if (!all.next() || all.text(0) != sql) return false;
  }
  return !all.next();
}

void IndexStore::prepare() {
  // A power failure may lose the last files' rows only: they are asked for again.
  database_->execute("PRAGMA page_size = 4096; PRAGMA synchronous = NORMAL");
  database_->execute(owner_ == Owner::cache ? "PRAGMA journal_mode = WAL" : "PRAGMA journal_mode = DELETE");
  if (version() != Version::current && !database_->fault()) {
    database_->transaction([&] {
      if (version() == Version::current) return;  // another run has made it meanwhile
      for (const char* const sql : schema) database_->execute(sql);
      database_->execute(fmt::format("PRAGMA user_version = {}", schema_version).c_str());
      database_->execute(fmt::format("PRAGMA application_id = {}", application_id).c_str());
    });
  }
  // Writers read it all, so that damaged rows are asked for again though their files have not changed.
  if (!database_->fault() && !all_sums_hold(database_->handle())) (void)is_whole();
}

Result<void> IndexStore::discard(const fs::path& file) {
  // The database last: once it is gone, other runs may make a new one with a log.
  for (const char* end : {"-wal", "-shm", ""}) {
    std::error_code failure;
    fs::remove(file.string() + end, failure);
    if (failure) return files::system_error("remove the index", file.string() + end, failure.value());
  }
  return {};
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
  if (const Result<void> removed = remove_unusable(file_); !removed)
    return {fmt::format("the index {} is damaged ({})", name, fault.message), removed.error().text()};
  return {fmt::format("the index {} was damaged ({}) and is removed", name, fault.message),
          "make a new one with: symbols index"};
}

Error IndexStore::other_version() const {
  const std::string name = table::quoted(file_.string());
  if (owner_ == Owner::user)
    return {name + " is not an index of this version of symbols", "make it with symbols index --database"};
  return {fmt::format("the index {} was made by another version of symbols", name), "run symbols index"};
}

Result<fs::path> index_root(const fs::path& folder, const std::string& given,
                            const std::vector<std::string>& markers) {
  Result<fs::path> asked = canonical_folder(folder);
  if (!asked) return asked;
  if (!given.empty()) {
    Result<fs::path> root = canonical_folder(given);
    if (!root || files::contains(*root, *asked)) return root;
    return Error{fmt::format("{} is not in --root {}", table::quoted(folder.string()), table::quoted(given)),
                 "give a root above it"};
  }
  const fs::path home = files::home_folder();
  for (const std::vector<std::string>& marks : {std::vector<std::string>(), markers}) {
    fs::path marked = files::find_marked_root(*asked / "file", {.project = marks}, home);
    if (!marked.empty()) return {boost::system::in_place_value, std::move(marked)};
  }
  return asked;
}

Result<fs::path> index_folder() {
  const fs::path cache = files::UserFolders::from_environment().cache;
  if (cache.empty()) {
    return Error{"there is no place for an index: neither XDG_CACHE_HOME nor HOME is an absolute path",
                 "set one of them"};
  }
  return {boost::system::in_place_value, cache / "symbols" / "index"};
}

fs::path index_file(const fs::path& folder, const fs::path& root) {
  constexpr std::size_t max_name = 60;
  const std::string name = root.filename().string().substr(0, max_name);
  return folder / fmt::format("{}-{}.db", name, files::hex_of(files::hash_of(root.string())).substr(0, 16));
}

Result<FoundIndex> find_index(const fs::path& start) {
  const Result<fs::path> folder = index_folder();
  if (!folder) return folder.error();
  const Result<fs::path> first = canonical_folder(start);
  if (!first) return first.error();
  for (fs::path root = *first;; root = root.parent_path()) {
    if (fs::path file = index_file(*folder, root); files::is_file(file))
      return FoundIndex{std::move(root), std::move(file)};
    if (root == root.parent_path()) break;
  }
  return Error{fmt::format("there is no index of {} or a folder above it", table::quoted(first->string())),
               "make one with: symbols index"};
}

}  // namespace symbols::index
