#include "proxy/options/nearest_name.h"

#include <algorithm>

#include "base/text.h"

namespace symbols::options {
namespace {

constexpr std::size_t max_length = 64;
constexpr std::size_t shortest_part = 3;
constexpr std::size_t max_changes = 3;

}  // namespace

std::string_view nearest_name(std::string_view typed, std::span<const std::string_view> names) {
  if (typed.size() > max_length) return {};
  std::string_view nearest;
  std::size_t least = std::size_t(-1);
  for (const std::string_view name : names) {
    const std::string_view part = std::min(typed, name, [](auto a, auto b) { return a.size() < b.size(); });
    const std::string_view whole = part == typed ? name : typed;
    const std::size_t changes = edit_distance(typed, name);
    const bool is_near = (part.size() >= shortest_part && whole.find(part) != whole.npos) ||
                         (changes <= max_changes && 2 * changes < std::max(typed.size(), name.size()));
    if (is_near && changes < least) {
      least = changes;
      nearest = name;
    }
  }
  return nearest;
}

}  // namespace symbols::options
