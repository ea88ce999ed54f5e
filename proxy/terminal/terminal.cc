#include "proxy/terminal/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "base/text.h"
#include "lsp/unicode.h"
#include "proxy/files/project_root.h"
#include "table/escape.h"

namespace symbols::terminal {
namespace {

constexpr std::size_t usual_width = 80;

// Empty if it is not set.
std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : value;
}

// The columns of the terminal's window; 0 if the descriptor is no terminal, or one that does not know.
std::size_t window_width(int descriptor) {
  winsize size{};
  return ::ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

}  // namespace

bool obeys_escapes(int descriptor) {
  const std::string_view term = variable("TERM");
  return ::isatty(descriptor) == 1 && !term.empty() && term != "dumb";
}

bool colour_wanted(int descriptor, ColourUse use) {
  if (use != ColourUse::automatic) return use == ColourUse::always;
  return variable("NO_COLOR").empty() && obeys_escapes(descriptor);
}

Console Console::of(int descriptor) {
  const bool is_terminal = ::isatty(descriptor) == 1;
  std::size_t width = whole_number<std::size_t>(variable("COLUMNS")).value_or(0);
  if (width == 0) width = window_width(descriptor);
  if (width == 0 && is_terminal) width = usual_width;
  return {.is_terminal = is_terminal, .colour = colour_wanted(descriptor), .width = width};
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
  const std::size_t width = window_width(descriptor_);
  shown_ = true;
  return "\r" + line.substr(0, table::prefix_of_width(line, (width == 0 ? usual_width : width) - 1)) +
         "\x1B[K";
}

bool print(std::string_view text) {
  return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
}

std::string columns(const std::vector<std::vector<std::string>>& rows, std::string_view indent) {
  std::vector<std::size_t> widths(rows.front().size());
  for (const std::vector<std::string>& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], lsp::scalar_count(row[i]));
  }
  std::string text;
  for (const std::vector<std::string>& row : rows) {
    text += indent;
    for (std::size_t i = 0; i + 1 < row.size(); ++i)
      (text += row[i]).append(widths[i] + 2 - lsp::scalar_count(row[i]), ' ');
    (text += row.back()) += '\n';
  }
  return text;
}

std::string message_line(std::string_view message, bool colour) {
  return (colour ? "\x1B[1msymbols:\x1B[0m " : "symbols: ") + table::terminal_text(message) + "\n";
}

void tell(const std::string& message) {
  const std::string line = message_line(message, false);
  std::fwrite(line.data(), 1, line.size(), stderr);
}

int tell_error(const Error& error, int status) {
  tell(error.text());
  return status;
}

NearPaths::NearPaths(const fs::path& root) {
  fs::path here = files::working_folder();
  if (!here.empty() && (files::contains(root, here) || files::contains(here, root))) here_ = std::move(here);
}

std::string NearPaths::of(const fs::path& path) const {
  return (here_.empty() ? path : path.lexically_relative(here_)).string();
}

}  // namespace symbols::terminal
