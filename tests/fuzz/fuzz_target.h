// A fuzz target: a function that takes any bytes and says, with holds(), what must be true of what the
// program makes of them. `fuzz TARGET` runs one over its kept inputs; built with clang's libFuzzer (preset
// fuzz), the same program invents more (docs/development.md, "Fuzzing").
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace symbols::fuzz {

// Prints `what` should be true and ends the process if `condition` is false, in every build.
void holds(bool condition, std::string_view what);
// The same for two texts that must be equal; prints both.
void same_text(std::string_view left, std::string_view right, std::string_view what);
// The same for a text that must be valid UTF-8.
void valid_utf8(std::string_view text, std::string_view what);

using Target = void (*)(std::string_view data);

// Makes a target known under a name: once in each target's file, as a constant in its own namespace.
struct Registration {
  Registration(std::string_view name, Target run);
};

// Choices and text out of the bytes of one input. Choices come from its end: a kept input begins with
// readable text, and one more choice moves nothing.
class Input {
 public:
  explicit Input(std::string_view data) : rest_(data) {}

  // 0 once all bytes are used.
  std::uint8_t byte() {
    if (rest_.empty()) return 0;
    const auto last = static_cast<std::uint8_t>(rest_.back());
    rest_.remove_suffix(1);
    return last;
  }
  bool flag() { return (byte() & 1U) != 0; }
  // A number below `limit`, which is at most 256. A digit is its own value, for inputs written by hand.
  std::size_t below(std::size_t limit) {
    const std::uint8_t value = byte();
    const bool is_digit = value >= '0' && value <= '9';
    return static_cast<std::size_t>(is_digit ? value - '0' : value) % limit;
  }

  std::string_view rest() const { return rest_; }
  bool empty() const { return rest_.empty(); }

  // The text up to the next `separator`, which is consumed too, or all.
  std::string_view text_until(char separator) {
    const std::size_t end = std::min(rest_.find(separator), rest_.size());
    const std::string_view text = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    return text;
  }

 private:
  std::string_view rest_;
};

}  // namespace symbols::fuzz
