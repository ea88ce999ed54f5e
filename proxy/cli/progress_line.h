// The one line on a terminal that tells a waiting person what is going on, and leaves no trace.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

namespace symbols::cli {

// Says what to write to standard error, which is nothing at all where that is no terminal.
class ProgressLine {
 public:
  ProgressLine();

  // Shows `text` in place of what stands there, once a second has passed since the start; a tenth of a second
  // apart at least. `text` may hold a server's words: it is escaped, and cut to the terminal's width.
  std::string show(std::string_view text);
  // Takes the line away, before anything else is written to the terminal.
  std::string clear();

  bool enabled() const { return enabled_; }

 private:
  bool enabled_;
  bool shown_ = false;
  std::string last_;
  std::chrono::steady_clock::time_point next_;
};

}  // namespace symbols::cli
