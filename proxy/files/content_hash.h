// 128-bit hashes of contents (XXH3): quick enough to read every file of a project, and wide enough that two
// contents with one hash are not met by chance. They are no protection against somebody who wants them equal.
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

struct ContentHash {
  std::uint64_t high = 0;
  std::uint64_t low = 0;

  auto operator<=>(const ContentHash&) const = default;
};

ContentHash hash_of(std::string_view bytes);

// The same of the regular file at `path`, which is not held in memory. None if it is no regular file, cannot
// be read, or has more than `most` bytes: one that keeps growing would be read for ever.
std::optional<ContentHash> hash_of_file(const std::string& path,
                                        std::size_t most = std::numeric_limits<std::size_t>::max());

// "0123456789abcdef…", 32 digits.
std::string hex_of(const ContentHash& hash);

// The hash of several parts in their order. ("ab", "c") and ("a", "bc") differ.
class PartsHash {
 public:
  PartsHash() = default;
  // Where a part has the path `root`, it does not count what that is: the same project at another place has
  // the same hash.
  explicit PartsHash(std::string root) : root_(std::move(root)) {}

  PartsHash& add(std::string_view part);
  PartsHash& add(const ContentHash& hash);
  ContentHash value() const { return hash_of(parts_); }

 private:
  std::string root_;
  std::string parts_;
};

}  // namespace symbols::files
