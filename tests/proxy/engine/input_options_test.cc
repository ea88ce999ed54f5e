#include "proxy/engine/input_options.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace symbols::engine {
namespace input_options_test {

std::set<std::string> paths_of(const std::vector<ShardedDocument>& documents, Shard shard) {
  std::set<std::string> paths;
  for (const std::size_t place : documents_of_shard(documents, shard)) paths.emplace(documents[place].path);
  return paths;
}

TEST_CASE("a shard is I/N") {
  CHECK(*parse_shard("--shard", "1/1") == Shard{1, 1});
  CHECK(*parse_shard("--shard", "3/8") == Shard{3, 8});
  for (const char* const wrong : {"", "3", "/", "/8", "3/", "0/8", "9/8", "-1/8", "1/-8", "1/8 ", " 1/8",
                                  "1/8/2", "one/8", "1/1000001", "1/99999999999999999999999"}) {
    const Result<Shard> shard = parse_shard("--shard", wrong);
    REQUIRE_FALSE(shard.has_value());
    CHECK(shard.error().message == "--shard cannot be \"" + std::string(wrong) + "\"");
    CHECK(shard.error().advice.find("1/8 for the first of 8") != std::string::npos);
  }
}

TEST_CASE("shards together are all documents once, whatever their order, of about equal size") {
  std::mt19937 random(13);
  std::vector<std::string> names;
  for (int i = 0; i < 1000; ++i) names.push_back("src/" + std::to_string(i) + ".cc");
  std::vector<ShardedDocument> documents;
  for (const std::string& name : names) documents.push_back({name, random() % 100'000});
  std::vector<ShardedDocument> shuffled = documents;
  std::ranges::shuffle(shuffled, random);
  for (const std::size_t count : {1, 2, 7, 64, 2000}) {
    std::set<std::string> all;
    std::size_t sum = 0;
    std::uint64_t least = ~std::uint64_t{0};
    std::uint64_t most = 0;
    for (std::size_t number = 1; number <= count; ++number) {
      const std::vector<std::size_t> places = documents_of_shard(documents, {number, count});
      CHECK(std::ranges::is_sorted(places));
      std::uint64_t bytes = 0;
      for (const std::size_t place : places) bytes += documents[place].bytes + shard_bytes_per_document;
      least = std::min(least, bytes);
      most = std::max(most, bytes);
      sum += places.size();
      const std::set<std::string> paths = paths_of(documents, {number, count});
      CHECK(paths == paths_of(shuffled, {number, count}));
      all.insert(paths.begin(), paths.end());
    }
    CHECK(sum == documents.size());
    CHECK(all.size() == documents.size());
    CHECK(most - least <= 100'000 + shard_bytes_per_document);
  }
}

TEST_CASE("empty files are dealt evenly, and equal sizes by path") {
  const std::vector<ShardedDocument> empty = {{"d", 0}, {"b", 0}, {"a", 0}, {"c", 0}};
  CHECK(paths_of(empty, {1, 2}) == std::set<std::string>{"a", "c"});
  CHECK(paths_of(empty, {2, 2}) == std::set<std::string>{"b", "d"});
  CHECK(documents_of_shard({}, {1, 2}).empty());
}

}  // namespace input_options_test
}  // namespace symbols::engine
