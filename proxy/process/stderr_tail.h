// The end of what a server wrote to its standard error: usually the only reason given for its end.
#pragma once

#include <string>
#include <string_view>

namespace symbols::process {

// Keeps the last 4 KiB.
class StderrTail {
 public:
  void add(std::string_view bytes);

  // The last lines that are not blank, at most three, in one line and escaped for a terminal; empty if
  // nothing was written.
  std::string text() const;

 private:
  static constexpr std::size_t limit_ = 4096;
  std::string tail_;
};

}  // namespace symbols::process
