// 128-bit hashes of contents (XXH3): quick enough to read every file of a project, and wide enough that two
// contents with one hash are not met by chance. They are no protection against somebody who wants them equal.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

namespace symbols::index {

struct ContentHash {
  std::uint64_t high = 0;
  std::uint64_t low = 0;

  auto operator<=>(const ContentHash&) const = default;
};

ContentHash hash_of(std::string_view bytes);

// "0123456789abcdef…", 32 digits.
std::string hex_of(const ContentHash& hash);

// The hash of several parts in their order. ("ab", "c") and ("a", "bc") differ.
class PartsHash {
 public:
  PartsHash& add(std::string_view part);
  PartsHash& add(const ContentHash& hash);
  ContentHash value() const { return hash_of(parts_); }

 private:
  std::string parts_;
};

}  // namespace symbols::index
