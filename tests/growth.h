// Whether work takes linear time, told from how its time grows: a limit in seconds would be a test of the
// machine and of what else it has to do.
#pragma once

#include <cstddef>
#include <ctime>

namespace symbols {

// Whether `work(4 * size)` takes less than ten times the processor's time of `work(size)`, where linear work
// takes four times as much and quadratic work sixteen. A disturbed measurement is taken again. Work of less
// than a quarter of a second counts as linear: memory that is new to the process makes short work take ten
// times as long as the same in memory that it has. Choose a `size` for which quadratic work takes a second.
template <typename Work>
bool grows_linearly(std::size_t size, const Work& work) {
  const auto seconds = [&](std::size_t of) {
    const std::clock_t start = std::clock();
    work(of);
    return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  };
  constexpr double too_short = 0.25;
  for (int attempt = 0; attempt < 5; ++attempt) {
    const double once = seconds(size);
    const double fourfold = seconds(4 * size);
    if (fourfold < too_short || fourfold < 10 * once) return true;
  }
  return false;
}

}  // namespace symbols
