#include "proxy/progress_line.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "lsp/unicode.h"
#include "table/escape.h"

namespace symbols::proxy {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

std::size_t terminal_width() {
  winsize size{};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}

// A terminal that cannot go back to the line's start would show every step on a line of its own.
bool can_redraw() {
  const char* term = std::getenv("TERM");
  return ::isatty(STDERR_FILENO) == 1 && term != nullptr && std::string_view(term) != "dumb";
}

}  // namespace

ProgressLine::ProgressLine() : enabled_(can_redraw()), next_(steady_clock::now() + milliseconds(1000)) {}

void ProgressLine::show(std::string_view text) {
  if (!enabled_ || steady_clock::now() < next_) return;
  next_ = steady_clock::now() + milliseconds(100);
  constexpr table::CellEscape escape("");
  std::string line;
  escape.append(line, text);
  const std::size_t width = terminal_width() - 1;
  std::size_t end = 0;
  for (std::size_t shown = 0; end < line.size() && shown < width; ++shown) {
    end += lsp::decode_utf8(std::string_view(line).substr(end)).length;
  }
  std::fprintf(stderr, "\r%.*s\x1B[K", static_cast<int>(end), line.c_str());
  std::fflush(stderr);
  shown_ = true;
}

void ProgressLine::clear() {
  if (!shown_) return;
  std::fputs("\r\x1B[K", stderr);
  std::fflush(stderr);
  shown_ = false;
}

}  // namespace symbols::proxy
