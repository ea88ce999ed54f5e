#include "proxy/index/sqlite.h"

#include <fmt/format.h>
#include <sqlite3.h>
#include <unistd.h>

#include <system_error>

namespace symbols::index {
namespace {

// How long a run waits for the transaction of another, which writes up to 64 files.
constexpr int busy_milliseconds = 30'000;

// Even to read a database with a write-ahead log, SQLite writes files beside it, unless it is told that
// the database does not change (https://sqlite.org/wal.html#read_only_databases).
bool must_be_immutable(const fs::path& file) {
  if (::access((file.parent_path() / ".").c_str(), W_OK) == 0) return false;
  std::error_code failure;
  const auto log = fs::file_size(file.string() + "-wal", failure);
  return failure || log == 0;
}

// https://sqlite.org/uri.html
std::string immutable_uri(const fs::path& file) {
  std::string uri = "file:";
  for (const char byte : file.string()) {
    if (byte == '%' || byte == '?' || byte == '#')
      uri += fmt::format("%{:02X}", static_cast<unsigned char>(byte));
    else
      uri += byte;
  }
  return uri + "?immutable=1";
}

// The file may come from anyone: views, triggers and functions in its schema are code. Our own statements
// need little (https://sqlite.org/security.html).
void limit_to_our_needs(sqlite3* database) {
  constexpr int max_value = 256 << 20;  // the words of a source of 64 MiB are several of these
  for (const auto& [limit, most] :
       {std::pair(SQLITE_LIMIT_LENGTH, max_value), std::pair(SQLITE_LIMIT_SQL_LENGTH, 100'000),
        std::pair(SQLITE_LIMIT_COLUMN, 100), std::pair(SQLITE_LIMIT_EXPR_DEPTH, 20),
        std::pair(SQLITE_LIMIT_COMPOUND_SELECT, 3), std::pair(SQLITE_LIMIT_VDBE_OP, 25'000),
        std::pair(SQLITE_LIMIT_FUNCTION_ARG, 8), std::pair(SQLITE_LIMIT_ATTACHED, 1),
        std::pair(SQLITE_LIMIT_TRIGGER_DEPTH, 1)})
    sqlite3_limit(database, limit, most);
  for (const int feature : {SQLITE_DBCONFIG_DEFENSIVE, SQLITE_DBCONFIG_ENABLE_FKEY})
    sqlite3_db_config(database, feature, 1, nullptr);
  for (const int feature :
       {SQLITE_DBCONFIG_ENABLE_VIEW, SQLITE_DBCONFIG_ENABLE_TRIGGER, SQLITE_DBCONFIG_TRUSTED_SCHEMA})
    sqlite3_db_config(database, feature, 0, nullptr);
}

}  // namespace

Statement::Statement(Database& database, const char* sql) : database_(database) {
  if (database_.fault()) return;
  if (sqlite3_prepare_v2(database_.database_.get(), sql, -1, &statement_, nullptr) != SQLITE_OK)
    database_.fail();
}

Statement::~Statement() {
  sqlite3_finalize(statement_);
}

void Statement::bind(int parameter, std::int64_t value) {
  sqlite3_bind_int64(statement_, parameter, value);
}

void Statement::bind(int parameter, std::string_view text) {
  sqlite3_bind_text64(statement_, parameter, text.data() ? text.data() : "", text.size(), SQLITE_TRANSIENT,
                      SQLITE_UTF8);
}

void Statement::bind(int parameter, Blob blob) {
  sqlite3_bind_blob64(statement_, parameter, blob.bytes.data() ? blob.bytes.data() : "", blob.bytes.size(),
                      SQLITE_TRANSIENT);
}

bool Statement::next() {
  if (statement_ == nullptr || database_.fault()) return false;
  const int status = sqlite3_step(statement_);
  if (status == SQLITE_ROW) return true;
  if (status != SQLITE_DONE) database_.fail();
  return false;
}

std::int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(statement_, column);
}

std::string_view Statement::text(int column) const {
  const void* const bytes = sqlite3_column_blob(statement_, column);
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_, column));
  return bytes == nullptr ? std::string_view() : std::string_view(static_cast<const char*>(bytes), size);
}

void Statement::reset() {
  sqlite3_reset(statement_);
  if (statement_ != nullptr) sqlite3_clear_bindings(statement_);
}

bool Database::Fault::is_damage() const {
  return code == SQLITE_CORRUPT || code == SQLITE_NOTADB;
}

bool Database::Fault::is_busy() const {
  return code == SQLITE_BUSY || code == SQLITE_LOCKED;
}

void Database::Close::operator()(sqlite3* database) const {
  sqlite3_close_v2(database);
}

Database::Database(const fs::path& file, bool create) {
  sqlite3* opened = nullptr;
  const int status =
      !create && must_be_immutable(file)
          ? sqlite3_open_v2(immutable_uri(file).c_str(), &opened,
                            SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, summed_pages_vfs())
          : sqlite3_open_v2(file.c_str(), &opened,
                            SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | (create ? SQLITE_OPEN_CREATE : 0),
                            summed_pages_vfs());
  database_.reset(opened);
  if (status != SQLITE_OK) fail();
  if (opened == nullptr) return;
  sqlite3_busy_timeout(opened, busy_milliseconds);
  limit_to_our_needs(opened);
  leave_room_for_sums(opened);
}

void Database::execute(const char* sql) {
  if (!fault_ && sqlite3_exec(database_.get(), sql, nullptr, nullptr, nullptr) != SQLITE_OK) fail();
}

void Database::transaction(const std::function<void()>& work) {
  execute("BEGIN IMMEDIATE");
  if (fault_) return;
  work();
  execute("COMMIT");
  if (fault_) sqlite3_exec(database_.get(), "ROLLBACK", nullptr, nullptr, nullptr);
}

void Database::fail() {
  if (database_ == nullptr) return fail({SQLITE_NOMEM, "out of memory"});
  fail({sqlite3_errcode(database_.get()) & 0xFF, sqlite3_errmsg(database_.get())});
}

void Database::fail(Fault fault) {
  if (!fault_) fault_ = std::move(fault);
}

void Database::fail_damaged(std::string message) {
  fail({SQLITE_CORRUPT, std::move(message)});
}

}  // namespace symbols::index
