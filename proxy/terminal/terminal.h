// The terminal that a standard stream may be.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "proxy/options/answer_options.h"

namespace symbols::terminal {

using options::ColourUse;

bool is_terminal(int descriptor);

// Whether the descriptor is a terminal that can do more than print: colours, or return to the start of a
// line.
bool obeys_escapes(int descriptor);

// Whether output to the descriptor is coloured. `automatic`: on a terminal that obeys escapes, unless
// NO_COLOR is set and not empty (no-color.org).
bool colour_wanted(int descriptor, ColourUse use = ColourUse::automatic);

// The columns of the terminal's window; none for any other descriptor, or if the terminal does not know.
std::optional<std::size_t> window_width(int descriptor);

// The columns of a line of output for people: COLUMNS if it is a number from 1 on, else those of the window,
// else 80 on a terminal. 0, no limit, for anything else: a pager folds lines by itself.
std::size_t line_width(int descriptor);

// The properties of standard output that an answer depends on.
struct Console {
  bool is_terminal = false;
  bool colour = false;    // colour_wanted() with `automatic`
  std::size_t width = 0;  // line_width()

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
