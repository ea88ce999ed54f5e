// Choices and text out of the bytes of one fuzz input. Choices come from its end, so that what stands at the
// beginning of a kept input is the text, readable, and a choice more moves nothing.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace symbols::fuzz {

class Input {
 public:
  explicit Input(std::string_view data) : rest_(data) {}

  // 0 where the bytes are used up.
  std::uint8_t byte() {
    if (rest_.empty()) return 0;
    const auto last = static_cast<std::uint8_t>(rest_.back());
    rest_.remove_suffix(1);
    return last;
  }
  bool flag() { return (byte() & 1U) != 0; }
  // A number below `limit`, which is at most 256. A digit stands for itself, for seeds that people write.
  std::size_t below(std::size_t limit) {
    const std::uint8_t value = byte();
    const bool is_digit = value >= '0' && value <= '9';
    return static_cast<std::size_t>(is_digit ? value - '0' : value) % limit;
  }

  // What has not been taken.
  std::string_view rest() const { return rest_; }
  bool empty() const { return rest_.empty(); }

  // The text up to the next `separator`, which is taken too, or all.
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
