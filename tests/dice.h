// Chance for property tests, made from a seed: the same on every run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <random>

namespace symbols {

// Numbers from a seed, the same with every standard library (whose distributions differ).
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : engine_(seed) {}

  std::size_t below(std::size_t limit) { return static_cast<std::size_t>(engine_() % limit); }
  bool one_in(std::size_t n) { return below(n) == 0; }
  template <class Choices>
  const auto& pick(const Choices& choices) {
    return choices[below(std::size(choices))];
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace symbols
