#include "proxy/terminal/progress_line.h"

#include <utility>

#include "proxy/terminal/terminal.h"
#include "table/escape.h"
#include "table/formats/pretty_format.h"

namespace symbols::terminal {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

ProgressLine::ProgressLine(int descriptor, bool enabled)
    : descriptor_(descriptor), enabled_(enabled), next_(steady_clock::now() + milliseconds(1000)) {}

std::string ProgressLine::show(std::string_view text) {
  if (!enabled_ || text.empty() || steady_clock::now() < next_) return {};
  if (shown_ && text == last_) return {};
  next_ = steady_clock::now() + milliseconds(100);
  last_ = text;
  const std::string line = table::escaped(text);
  // A line that wraps could not be cleared.
  const std::size_t width = window_width(descriptor_).value_or(80) - 1;
  shown_ = true;
  return "\r" + line.substr(0, table::prefix_of_width(line, width)) + "\x1B[K";
}

std::string ProgressLine::clear() {
  return std::exchange(shown_, false) ? "\r\x1B[K" : "";
}

}  // namespace symbols::terminal
