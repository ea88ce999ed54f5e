// How far apart two names are, to find the one that was meant.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

namespace symbols {

// The number of bytes to insert, remove or change (Levenshtein). Time grows with the product of both.
inline std::size_t edit_distance(std::string_view one, std::string_view other) {
  std::vector<std::size_t> row(other.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < one.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t k = 0; k < other.size(); ++k) {
      const std::size_t change = diagonal + (one[i] == other[k] ? 0 : 1);
      diagonal = row[k + 1];
      row[k + 1] = std::min({change, row[k] + 1, row[k + 1] + 1});
    }
  }
  return row.back();
}

}  // namespace symbols
