// One of several equal shares of the documents, so that several machines can each ask about theirs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace symbols::batch {

struct Shard {
  std::size_t number = 1;  // from 1 to count
  std::size_t count = 1;

  bool operator==(const Shard&) const = default;
};

// A share smaller than a file of a million is none.
inline constexpr std::size_t max_shards = 1'000'000;

// Reads `3/8`. The error names `option`, the text and what is expected.
Result<Shard> parse_shard(std::string_view option, std::string_view text);

// What a document counts for beside its bytes: without it all empty files would go to one shard.
inline constexpr std::uint64_t shard_bytes_per_document = 4096;

struct ShardedDocument {
  std::string_view path;
  std::uint64_t bytes = 0;
};

// The places in `documents` of those in this shard, ascending. Each document is in exactly one of the shards,
// and which one depends on the paths and sizes alone, not on their order: by descending size, then by path,
// each goes to the shard with the fewest bytes so far, the first of several.
std::vector<std::size_t> documents_of_shard(const std::vector<ShardedDocument>& documents, Shard shard);

}  // namespace symbols::batch
