// Whether work takes linear time, told from how its time grows: a limit in seconds would test the machine.
#pragma once

#include <sys/resource.h>

#include <cstddef>

namespace symbols {

// Whether `work(4 * size)` takes less than ten times the processor's time of `work(size)`, where linear work
// takes four times as much and quadratic work sixteen. The kernel's time does not count: on a machine short
// of memory it is any multiple. A disturbed measurement is taken again. Work of less than a quarter of a
// second counts as linear: in memory that is new to the process it takes ten times as long. Choose a `size`
// for which quadratic work takes a second; under ASan, which takes several, it is a quarter of that.
template <typename Work>
bool grows_linearly(std::size_t size, const Work& work) {
#ifdef __SANITIZE_ADDRESS__
  size /= 4;
#endif
  const auto seconds = [&](std::size_t of) {
    const auto used = [] {
      rusage usage{};
      getrusage(RUSAGE_SELF, &usage);
      return static_cast<double>(usage.ru_utime.tv_sec) + static_cast<double>(usage.ru_utime.tv_usec) / 1e6;
    };
    const double start = used();
    work(of);
    return used() - start;
  };
  for (int attempt = 0; attempt < 5; ++attempt) {
    const double once = seconds(size);
    const double fourfold = seconds(4 * size);
    if (fourfold < 0.25 || fourfold < 10 * once) return true;
  }
  return false;
}

}  // namespace symbols
