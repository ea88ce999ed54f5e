// The progress line on a terminal, which is cleared at the end.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

namespace symbols::terminal {

// Returns the text to write to standard error; always empty if that is not a terminal.
class ProgressLine {
 public:
  ProgressLine();

  // Replaces the line by `text`, from one second after the start, and at most ten times per second. `text`
  // may contain a server's words: it is escaped and cut to the terminal's width.
  std::string show(std::string_view text);
  // Clears the line, before anything else is written to the terminal.
  std::string clear();

  bool enabled() const { return enabled_; }

 private:
  bool enabled_;
  bool shown_ = false;
  std::string last_;
  std::chrono::steady_clock::time_point next_;
};

}  // namespace symbols::terminal
