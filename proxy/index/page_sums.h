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
#pragma once

struct sqlite3;

namespace symbols::index {

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
