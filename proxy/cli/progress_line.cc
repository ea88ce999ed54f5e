#include "proxy/cli/progress_line.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <utility>

#include "lsp/unicode.h"
#include "proxy/cli/tell.h"
#include "table/escape.h"

namespace symbols::cli {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

std::size_t terminal_width() {
  winsize size{};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}

}  // namespace

// A terminal that cannot return to the start of the line would show every step on its own line.
ProgressLine::ProgressLine()
    : enabled_(obeys_escapes(STDERR_FILENO)), next_(steady_clock::now() + milliseconds(1000)) {}

std::string ProgressLine::show(std::string_view text) {
  if (!enabled_ || text.empty() || steady_clock::now() < next_) return {};
  if (shown_ && text == last_) return {};
  next_ = steady_clock::now() + milliseconds(100);
  last_ = text;
  const std::string line = table::escaped(text);
  const std::size_t width = terminal_width() - 1;
  std::size_t end = 0;
  std::size_t columns = 0;
  while (end < line.size()) {
    const lsp::Decoded next = lsp::decode_utf8(std::string_view(line).substr(end));
    // From Hangul on, characters may be two columns wide; a line that wraps could not be cleared.
    columns += next.code_point >= 0x1100 ? 2 : 1;
    if (columns > width) break;
    end += next.length;
  }
  shown_ = true;
  return "\r" + line.substr(0, end) + "\x1B[K";
}

std::string ProgressLine::clear() {
  return std::exchange(shown_, false) ? "\r\x1B[K" : "";
}

}  // namespace symbols::cli
