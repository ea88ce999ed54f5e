// Sums of an index's pages: damage to the file is an error, and never a wrong answer.
//
// SQLite checks the shape of its pages, not what is in them. A bit that flips in a name, or a page that is
// written over another one, gives other rows and no error. So each page ends in a sum of itself, in bytes
// that SQLite leaves to us, and a layer below SQLite (a VFS) writes it and checks it:
//
//   page N of 4,096 bytes:   4,088 bytes of SQLite's   |   8 bytes: XXH3 of these, xor N
//
// - Every page that is read is checked; one that is wrong is SQLITE_CORRUPT. All that an answer rests on is
//   in pages: rows, names, outlines, states of sources, the schema and SQLite's own indexes.
// - Only the database has sums: a write-ahead log and a journal have SQLite's.
// - Not noticed: a page as it was earlier, in its own place.
//
// Cost: 0.2 % of the size; index_damage_test.cc has the cases, docs/index.md what it costs a call.
#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "proxy/files/content_hash.h"
#include "proxy/index/sqlite.h"

namespace symbols::index {
namespace {

constexpr std::size_t page_size = 4096;
using Page = std::array<unsigned char, page_size>;
using Sum = std::uint64_t;
constexpr std::size_t summed_size = page_size - sizeof(Sum);

Sum sum_of(const unsigned char* page, std::uint64_t number) {
  return files::hash_of({reinterpret_cast<const char*>(page), summed_size}).low ^ number;
}

bool sum_holds(const unsigned char* page, std::uint64_t number) {
  Sum kept = 0;
  std::memcpy(&kept, page + summed_size, sizeof kept);
  return kept == sum_of(page, number);
}

sqlite3_vfs* system_vfs() {
  static sqlite3_vfs* const found = sqlite3_vfs_find(nullptr);
  return found;
}

// Behind the system's file, in room that SQLite makes: the system's methods, but for reading and writing.
struct SummedFile {
  sqlite3_io_methods methods;
  const sqlite3_io_methods* system;
};

SummedFile& summed(sqlite3_file* file) {
  return *reinterpret_cast<SummedFile*>(reinterpret_cast<char*>(file) + system_vfs()->szOsFile);
}

int read_summed(sqlite3_file* file, void* bytes, int size, sqlite3_int64 offset) {
  constexpr int smallest_page = 512;
  const sqlite3_io_methods& system = *summed(file).system;
  // Fields of the header, without a lock: the page may be being written. All of it is read later.
  if (size < smallest_page) return system.xRead(file, bytes, size, offset);
  const auto within = static_cast<std::size_t>(offset) % page_size;
  const auto wanted = static_cast<std::size_t>(size);
  // Only a damaged header has pages of another size.
  if (within + wanted > page_size) return SQLITE_CORRUPT;
  Page page;
  const sqlite3_int64 start = offset - static_cast<sqlite3_int64>(within);
  const int status = system.xRead(file, page.data(), page_size, start);
  if (status == SQLITE_IOERR_SHORT_READ) {
    sqlite3_int64 end = 0;
    if (system.xFileSize(file, &end) == SQLITE_OK && start < end) return SQLITE_CORRUPT;
  } else if (status != SQLITE_OK) {
    return status;
  } else if (!sum_holds(page.data(), static_cast<std::uint64_t>(start) / page_size)) {
    return SQLITE_CORRUPT;
  }
  std::memcpy(bytes, page.data() + within, wanted);
  return status;
}

int write_summed(sqlite3_file* file, const void* bytes, int size, sqlite3_int64 offset) {
  if (size != page_size || offset % static_cast<sqlite3_int64>(page_size) != 0) return SQLITE_IOERR_WRITE;
  Page page;
  std::memcpy(page.data(), bytes, summed_size);
  const Sum sum = sum_of(page.data(), static_cast<std::uint64_t>(offset) / page_size);
  std::memcpy(page.data() + summed_size, &sum, sizeof sum);
  return summed(file).system->xWrite(file, page.data(), size, offset);
}

int device_characteristics(sqlite3_file* file) {
  // Since 3.48: parts of pages may be read.
  constexpr int subpage_read = 0x8000;
  return summed(file).system->xDeviceCharacteristics(file) & ~subpage_read;
}

int open_summed(sqlite3_vfs*, const char* name, sqlite3_file* file, int flags, int* given_flags) {
  sqlite3_vfs* const below = system_vfs();
  const int status = below->xOpen(below, name, file, flags, given_flags);
  // Not logs, journals and temporary files.
  if ((flags & SQLITE_OPEN_MAIN_DB) == 0 || file->pMethods == nullptr) return status;
  SummedFile& ours = summed(file);
  ours = {.methods = *file->pMethods, .system = file->pMethods};
  ours.methods.iVersion = 2;  // without memory mapping, by which pages would be read past us
  ours.methods.xRead = read_summed;
  ours.methods.xWrite = write_summed;
  ours.methods.xDeviceCharacteristics = device_characteristics;
  file->pMethods = &ours.methods;
  return status;
}

}  // namespace

const char* summed_pages_vfs() {
  static sqlite3_vfs* const registered = [] {
    // The other members are the system's, which use none of those that differ.
    static sqlite3_vfs vfs = *system_vfs();
    vfs.szOsFile += static_cast<int>(sizeof(SummedFile));
    vfs.pNext = nullptr;
    vfs.zName = "symbols-summed-pages";
    vfs.xOpen = open_summed;
    sqlite3_vfs_register(&vfs, 0);
    return &vfs;
  }();
  return registered->zName;
}

void leave_room_for_sums(sqlite3* database) {
  int room = sizeof(Sum);
  sqlite3_file_control(database, "main", SQLITE_FCNTL_RESERVE_BYTES, &room);
}

bool all_sums_hold(sqlite3* database) {
  constexpr sqlite3_int64 chunk = 64 * page_size;
  sqlite3_file* file = nullptr;
  sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file);
  const sqlite3_io_methods& system = *summed(file).system;
  sqlite3_int64 size = 0;
  if (system.xFileSize(file, &size) != SQLITE_OK || size % static_cast<sqlite3_int64>(page_size) != 0)
    return false;
  std::vector<unsigned char> pages(chunk);
  for (sqlite3_int64 start = 0; start < size; start += chunk) {
    const auto length = static_cast<std::size_t>(std::min(chunk, size - start));
    if (system.xRead(file, pages.data(), static_cast<int>(length), start) != SQLITE_OK) return false;
    for (std::size_t at = 0; at < length; at += page_size) {
      if (!sum_holds(pages.data() + at, (static_cast<std::uint64_t>(start) + at) / page_size)) return false;
    }
  }
  return true;
}

}  // namespace symbols::index
