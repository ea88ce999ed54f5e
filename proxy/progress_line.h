// The one line on a terminal that tells a waiting person what is going on, and leaves no trace.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

namespace symbols::proxy {

// Writes to standard error, and nothing at all where that is no terminal.
class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // Shows `text` in place of what stands there, once a second has passed since the start; a tenth of a second
  // apart at least. `text` may hold a server's words: it is escaped, and cut to the terminal's width.
  void show(std::string_view text);
  // Takes the line away, before anything else is written to the terminal.
  void clear();

  bool enabled() const { return enabled_; }

 private:
  bool enabled_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point next_;
};

}  // namespace symbols::proxy
