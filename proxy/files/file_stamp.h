// What tells one state of a file from another without reading it, and when that cannot be trusted.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace symbols::files {

// A regular file as stat(2) saw it, symbolic links followed. Two equal stamps mean the same content but where
// may_change_unseen() says otherwise.
struct FileStamp {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;    // a file saved by renaming another over it has a new one
  std::int64_t size = 0;      // bytes
  std::int64_t modified = 0;  // nanoseconds of the system's clock
  std::int64_t changed = 0;   // likewise; unlike `modified` it cannot be set back

  bool operator==(const FileStamp&) const = default;

  // None where there is nothing at `path` or something else than a regular file. Nothing is opened; waits
  // only where the file system itself does (a network drive that hangs).
  static std::optional<FileStamp> of(const std::string& path);

  // Whether a file that had this stamp at the moment `looked` could have been changed after it and still have
  // the same stamp. Clocks of file systems tick: a change within the tick of the last one leaves the same
  // times (git calls such an entry racily clean). True as well where the times lie in the future.
  bool may_change_unseen(std::int64_t looked) const;
};

// Now, in nanoseconds of the clock that the times of files are from.
std::int64_t file_clock_now();

}  // namespace symbols::files
