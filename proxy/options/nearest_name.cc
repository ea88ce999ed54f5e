#include "proxy/options/nearest_name.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace symbols::options {
namespace {

constexpr std::size_t longest = 64;
constexpr std::size_t shortest_part = 3;
constexpr std::size_t most_changes = 3;

// The number of letters to insert, remove or change.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t changed = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({changed, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row[b.size()];
}

}  // namespace

std::string_view nearest_name(std::string_view typed, std::span<const std::string_view> names) {
  if (typed.size() > longest) return {};
  std::string_view nearest;
  std::size_t least = std::size_t(-1);
  for (const std::string_view name : names) {
    const std::string_view part = std::min(typed, name, [](auto a, auto b) { return a.size() < b.size(); });
    const std::string_view whole = part == typed ? name : typed;
    const std::size_t changes = distance(typed, name);
    const bool is_near = (part.size() >= shortest_part && whole.find(part) != whole.npos) ||
                         (changes <= most_changes && 2 * changes < std::max(typed.size(), name.size()));
    if (is_near && changes < least) {
      least = changes;
      nearest = name;
    }
  }
  return nearest;
}

}  // namespace symbols::options
