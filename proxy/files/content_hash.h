// What tells one state of a file from another: a hash of its content, and, without reading it, its stamp.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace symbols::files {

// 128-bit hashes of contents (XXH3): quick enough to read every file of a project, and wide enough that two
// contents with one hash are not met by chance. They are no protection against somebody who wants them equal.
struct ContentHash {
  std::uint64_t high = 0;
  std::uint64_t low = 0;

  auto operator<=>(const ContentHash&) const = default;
};

ContentHash hash_of(std::string_view bytes);

// The same of the regular file at `path`, which is not held in memory. None if it is no regular file, cannot
// be read, or has more than `max_bytes`: one that keeps growing would be read for ever.
std::optional<ContentHash> hash_of_file(const std::string& path,
                                        std::size_t max_bytes = std::numeric_limits<std::size_t>::max());

// "0123456789abcdef…", 32 digits.
std::string hex_of(const ContentHash& hash);

// The hash of several parts in their order. ("ab", "c") and ("a", "bc") differ.
class PartsHash {
 public:
  PartsHash() = default;
  // Where a part has the path `root`, what that is does not count: a project that has moved keeps its hash.
  explicit PartsHash(std::string root) : root_(std::move(root)) {}

  PartsHash& add(std::string_view part);
  PartsHash& add(const ContentHash& hash) { return add(hex_of(hash)); }
  ContentHash value() const { return hash_of(parts_); }

 private:
  std::string root_;
  std::string parts_;
};

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
