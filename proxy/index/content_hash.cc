#include "proxy/index/content_hash.h"

#include <fmt/format.h>

// Compiled in: no library is needed where the program runs.
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace symbols::index {

ContentHash hash_of(std::string_view bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return {hash.high64, hash.low64};
}

std::string hex_of(const ContentHash& hash) {
  return fmt::format("{:016x}{:016x}", hash.high, hash.low);
}

PartsHash& PartsHash::add(std::string_view part) {
  parts_ += std::to_string(part.size());
  parts_ += ':';
  parts_ += part;
  return *this;
}

PartsHash& PartsHash::add(const ContentHash& hash) {
  return add(hex_of(hash));
}

}  // namespace symbols::index
