#include "proxy/terminal/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

#include "base/text.h"

namespace symbols::terminal {
namespace {

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

}  // namespace symbols::terminal
