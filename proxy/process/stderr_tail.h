// The end of what a server wrote to its standard error: usually the only reason given for its end.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace symbols::process {

// Keeps the last 16 KiB: more than most stacks have.
class StderrTail {
 public:
  void add(std::string_view bytes);

  // The last lines that are neither blank nor part of a stack, at most three, in one line and escaped for a
  // terminal; the one before the last stack is always among them. A stack is shown where there is nothing
  // else. Empty if nothing was written.
  std::string text() const;

 private:
  static constexpr std::size_t limit_ = std::size_t{16} << 10;
  std::string tail_;
};

}  // namespace symbols::process
