#include "proxy/terminal/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <utility>

#include "base/text.h"
#include "table/escape.h"

namespace symbols::terminal {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr std::size_t usual_width = 80;

// Empty if it is not set.
std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : value;
}

}  // namespace

bool is_terminal(int descriptor) {
  return ::isatty(descriptor) == 1;
}

bool obeys_escapes(int descriptor) {
  const std::string_view term = variable("TERM");
  return is_terminal(descriptor) && !term.empty() && term != "dumb";
}

bool colour_wanted(int descriptor, ColourUse use) {
  if (use != ColourUse::automatic) return use == ColourUse::always;
  return variable("NO_COLOR").empty() && obeys_escapes(descriptor);
}

std::optional<std::size_t> window_width(int descriptor) {
  winsize size{};
  if (::ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return {};
  return size.ws_col;
}

std::size_t line_width(int descriptor) {
  if (const auto columns = whole_number<std::size_t>(variable("COLUMNS")); columns > 0) return *columns;
  return window_width(descriptor).value_or(is_terminal(descriptor) ? usual_width : 0);
}

Console Console::of(int descriptor) {
  return {.is_terminal = symbols::terminal::is_terminal(descriptor),
          .colour = colour_wanted(descriptor),
          .width = line_width(descriptor)};
}

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
