#include "proxy/engine/input_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>
#include <queue>
#include <tuple>
#include <utility>

#include "base/text.h"
#include "table/escape.h"

namespace symbols::engine {

Result<InputOptions> with_listed_paths(InputOptions options) {
  if (options.files_from.empty()) return options;
  Result<std::vector<std::string>> listed =
      files::read_path_list(options.files_from, options.files_from_separator);
  if (!listed) return Error{"--files-from: " + listed.error().message, listed.error().advice};
  options.paths.insert(options.paths.end(), std::make_move_iterator(listed->begin()),
                       std::make_move_iterator(listed->end()));
  return options;
}

Result<Shard> parse_shard(std::string_view option, std::string_view text) {
  std::string_view count = text;
  const std::string_view number = take_part(count, '/');
  const Shard shard{whole_number<std::size_t>(number).value_or(0),
                    whole_number<std::size_t>(count).value_or(0)};
  if (shard.number >= 1 && shard.number <= shard.count && shard.count <= max_shards) return shard;
  return Error{fmt::format("{} cannot be {}", option, table::quoted(text)),
               fmt::format("give I/N, such as 1/8 for the first of 8 shards: I from 1 to N, N at most {}",
                           max_shards)};
}

std::vector<std::size_t> documents_of_shard(const std::vector<ShardedDocument>& documents, Shard shard) {
  std::vector<std::size_t> order(documents.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t left, std::size_t right) {
    const ShardedDocument& a = documents[left];
    const ShardedDocument& b = documents[right];
    return std::tie(b.bytes, a.path) < std::tie(a.bytes, b.path);
  });
  using Load = std::pair<std::uint64_t, std::size_t>;  // bytes, shard
  std::priority_queue<Load, std::vector<Load>, std::greater<>> loads;
  for (std::size_t number = 1; number <= shard.count; ++number) loads.emplace(0, number);
  std::vector<std::size_t> ours;
  for (const std::size_t place : order) {
    const auto [bytes, number] = loads.top();
    loads.pop();
    loads.emplace(bytes + documents[place].bytes + shard_bytes_per_document, number);
    if (number == shard.number) ours.push_back(place);
  }
  std::ranges::sort(ours);
  return ours;
}

}  // namespace symbols::engine
