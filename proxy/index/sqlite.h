// A thin wrapper of SQLite's C interface. The first fault stays until it is taken, and later calls do
// nothing: a caller checks once, at the end.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/filesystem.h"

struct sqlite3;
struct sqlite3_stmt;

namespace symbols::index {

class Database;

// The bytes of a value, as they are kept.
struct Blob {
  std::string_view bytes;
};

// A prepared statement; its database outlives it. Columns count from 0. The values of its parameters are
// integers, texts and Blobs; an absent optional is NULL.
class Statement {
 public:
  Statement(Database& database, const char* sql);
  Statement(Database& database, const char* sql, const auto&... values) : Statement(database, sql) {
    with(values...);
  }
  ~Statement();
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  // Starts it anew, with these values.
  Statement& with(const auto&... values) {
    reset();
    int parameter = 0;
    if (statement_ != nullptr) (bind(++parameter, values), ...);
    return *this;
  }
  // Whether there is another row; its columns are good until the next call.
  bool next();
  std::int64_t integer(int column) const;
  std::string_view text(int column) const;  // of text and bytes

  // Runs it to its end; for a statement without rows.
  void run(const auto&... values) {
    if constexpr (sizeof...(values) > 0) with(values...);
    while (next()) {
    }
    reset();
  }
  void reset();

 private:
  void bind(int parameter, std::int64_t value);
  void bind(int parameter, std::string_view text);
  void bind(int parameter, Blob blob);
  template <class Value>
  void bind(int parameter, const std::optional<Value>& value) {
    if (value) bind(parameter, *value);
  }

  Database& database_;
  sqlite3_stmt* statement_ = nullptr;
};

class Database {
 public:
  struct Fault {
    int code = 0;  // SQLite's, not extended
    std::string message;

    // The file is damaged or not a database, and has to be replaced.
    bool is_damage() const;
    // Locked by another process. SQLite reports a deadlock at once, without waiting.
    bool is_busy() const;
  };

  // `create`: makes the file where there is none. Without it, a file in a folder that cannot be written is
  // only read, and must have no write-ahead log left. May give a database whose fault is set.
  Database(const fs::path& file, bool create);

  void execute(const char* sql);
  // Runs `work` in a write transaction, which is undone where a fault is set after it.
  void transaction(const std::function<void()>& work);

  void fail();             // takes SQLite's last error over, if none is set yet
  void fail(Fault fault);  // sets this one, if none is set yet
  void fail_damaged(std::string message);
  const std::optional<Fault>& fault() const { return fault_; }
  sqlite3* handle() const { return database_.get(); }  // null where it could not be opened
  std::optional<Fault> take_fault() { return std::exchange(fault_, std::nullopt); }

 private:
  friend class Statement;
  struct Close {
    void operator()(sqlite3* database) const;
  };
  std::unique_ptr<sqlite3, Close> database_;
  std::optional<Fault> fault_;
};

// Of page_sums.cc, which says what the sums are for.

// The name of the VFS, for sqlite3_open_v2(). A database that is opened with it has sums, or is still empty.
const char* summed_pages_vfs();

// Leaves room for the sums in a database that is still to be made. Of one that exists nothing changes.
void leave_room_for_sums(sqlite3* database);

// Whether every page of the file has its sum. It is read to its end, without a lock and whether SQLite uses
// the page or not: one that is written just now, or that never was, looks wrong too. By the descriptor that
// `database`, opened with this VFS, has open: where a process closes another one of the same file, the kernel
// takes away the locks that SQLite holds (https://sqlite.org/howtocorrupt.html, "Posix advisory locks").
bool all_sums_hold(sqlite3* database);

}  // namespace symbols::index
