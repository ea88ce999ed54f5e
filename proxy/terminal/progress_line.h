// The progress line on a terminal, which is cleared at the end.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

namespace symbols::terminal {

// Returns the text to write to a terminal.
class ProgressLine {
 public:
  // `enabled`: `descriptor` is a terminal that obeys escapes: one that cannot return to the start of the line
  // would show every step on its own line. Else the text is always empty.
  ProgressLine(int descriptor, bool enabled);

  // Replaces the line by `text`, from one second after the start, and at most ten times per second. `text`
  // may contain a server's words: it is escaped and cut to the terminal's width.
  std::string show(std::string_view text);
  // Clears the line, before anything else is written to the terminal.
  std::string clear();

  bool enabled() const { return enabled_; }

 private:
  int descriptor_;
  bool enabled_;
  bool shown_ = false;
  std::string last_;
  std::chrono::steady_clock::time_point next_;
};

}  // namespace symbols::terminal
