#include "proxy/session/error_copy.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "lsp/unicode.h"
#include "table/escape.h"

namespace symbols::session {
ErrorCopy::ErrorCopy(io::EventLoop& loop, int to)
    : loop_(loop),
      is_terminal_(::isatty(to) == 1),
      stream_(to),
      writer_(loop, stream_.release(), {.on_empty = [this] { report_dropped(); }}) {}

void ErrorCopy::copy_from(int pipe) {
  take_rest();
  pipe_ = Descriptor(pipe);
  loop_.watch(pipe, io::EventLoop::Wanted::input, [this] { read(); });
}

void ErrorCopy::finish(milliseconds patience) {
  take_rest();
  writer_.write_rest(patience);
}

// Whether there was anything.
bool ErrorCopy::read() {
  char bytes[65536];
  const ssize_t size = ::read(pipe_.get(), bytes, sizeof bytes);
  if (size > 0) {
    write({bytes, static_cast<std::size_t>(size)});
  } else if (size == 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)) {
    close();
  }
  return size > 0;
}

// For a server that has ended. Reads no more than a pipe can hold, as another process may continue to write.
void ErrorCopy::take_rest() {
  constexpr int most_reads = 64;
  for (int i = 0; i < most_reads && pipe_ && read(); ++i) {
  }
  close();
  if (!cut_.empty()) writer_.write(table::terminal_lines(std::exchange(cut_, {})));
}

void ErrorCopy::write(std::string_view bytes) {
  if (writer_.unwritten() + bytes.size() > max_waiting) {
    dropped_ += bytes.size();
    return;
  }
  if (!is_terminal_) return writer_.write(bytes);
  cut_ += bytes;
  // The last lead byte decides whether `cut_` ends within a character.
  const std::size_t last = lsp::last_character_start(cut_);
  const bool is_lead = static_cast<unsigned char>(cut_[last]) >= 0xC0;
  const bool is_cut = is_lead && !lsp::decode_utf8(std::string_view(cut_).substr(last)).valid;
  const std::size_t whole = is_cut ? last : cut_.size();
  writer_.write(table::terminal_lines(std::string_view(cut_).substr(0, whole)));
  cut_.erase(0, whole);
}

void ErrorCopy::report_dropped() {
  if (dropped_ == 0) return;
  writer_.write(fmt::format(
      "\nsymbols: {} bytes that the server wrote to its standard error here are dropped: it was not read\n",
      std::exchange(dropped_, 0)));
}

void ErrorCopy::close() {
  if (!pipe_) return;
  loop_.unwatch(pipe_.get());
  pipe_ = Descriptor();
}

}  // namespace symbols::session
