// The terminal that a standard stream may be, and what the commands print: answers and lists in columns to
// standard output, messages to standard error in one form.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/filesystem.h"
#include "base/result.h"
#include "proxy/options/answer_options.h"

namespace symbols::terminal {

using options::ColourUse;

// Whether the descriptor is a terminal that has colours and can return to the start of a line.
bool obeys_escapes(int descriptor);

// Whether output to the descriptor is coloured. `automatic`: on a terminal that obeys escapes, unless
// NO_COLOR is set and not empty (no-color.org).
bool colour_wanted(int descriptor, ColourUse use = ColourUse::automatic);

// The properties of standard output that an answer depends on.
struct Console {
  bool is_terminal = false;
  bool colour = false;  // colour_wanted() with `automatic`
  // Columns of a line for people: COLUMNS if it is a number from 1 on, else those of the window, else 80 on a
  // terminal. 0, no limit, for anything else: a pager folds lines by itself.
  std::size_t width = 0;

  static Console of(int descriptor);

  bool wants_colour(ColourUse use) const {
    return use == ColourUse::automatic ? colour : use == ColourUse::always;
  }
};

// The progress line on a terminal, which is cleared at the end. Returns the text to write to it.
class ProgressLine {
 public:
  // `enabled`: `descriptor` is a terminal that obeys escapes: one that cannot return to the start of the line
  // would show every step on its own line. Else the text is always empty.
  ProgressLine(int descriptor, bool enabled);

  // Replaces the line by `text`, from one second after the start, and at most ten times per second. `text`
  // may contain a server's words: it is escaped and cut to the terminal's width.
  std::string show(std::string_view text);
  // Clears the line, before anything else is written to the terminal.
  std::string clear() { return std::exchange(shown_, false) ? "\r\x1B[K" : ""; }

 private:
  int descriptor_;
  bool enabled_;
  bool shown_ = false;
  std::string last_;
  steady_clock::time_point next_;
};

// Writes an answer to standard output and flushes it. False, with errno: it could not be written.
bool print(std::string_view text);

// A line for each of `rows`, at least one, which have the same number of cells (valid UTF-8): columns as wide
// as their widest cell, but for the last, with two spaces between them, and `indent` before the first.
std::string columns(const std::vector<std::vector<std::string>>& rows, std::string_view indent = {});

// "symbols: MESSAGE" and a newline; nothing of the message reaches a terminal as an escape sequence.
std::string message_line(std::string_view message, bool colour);

// Writes that line to standard error, without colour.
void tell(const std::string& message);
// The same for an error. Returns `status`, for a command to end with.
int tell_error(const Error& error, int status);

// Names of files for messages: relative to a working directory in the project or above it, else absolute.
class NearPaths {
 public:
  // `root`: of the project, absolute.
  explicit NearPaths(const fs::path& root);

  // `path`: absolute.
  std::string of(const fs::path& path) const;

 private:
  fs::path here_;  // empty: elsewhere
};

}  // namespace symbols::terminal
