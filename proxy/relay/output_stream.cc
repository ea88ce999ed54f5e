#include "proxy/relay/output_stream.h"

#include <limits.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace symbols::relay {

OutputStream::OutputStream(int descriptor)
    : descriptor_(descriptor), is_terminal_(::isatty(descriptor) == 1) {}

bool OutputStream::flush_some(std::chrono::milliseconds patience) {
  if (error_ != 0) return false;
  if (pending() == 0) return true;
  pollfd ready{.fd = descriptor_, .events = POLLOUT, .revents = 0};
  const int polled = ::poll(&ready, 1, static_cast<int>(patience.count()));
  if (polled < 0 && errno != EINTR) error_ = errno;
  if (polled <= 0) return error_ == 0;
  // A pipe that polls ready takes at least PIPE_BUF bytes without blocking, and maybe no more; a terminal, of
  // which nothing is promised, at least a line most often. The descriptor is shared with whoever started us,
  // so it is not made non-blocking.
  const std::size_t at_once = is_terminal_ ? 256 : PIPE_BUF;
  const std::size_t size = std::min<std::size_t>(pending(), at_once);
  const ssize_t written = ::write(descriptor_, pending_.data() + written_, size);
  if (written < 0) {
    if (errno != EINTR && errno != EAGAIN) error_ = errno;
    return error_ == 0;
  }
  written_ += static_cast<std::size_t>(written);
  // What a slow reader has taken is not kept until the last byte is gone.
  constexpr std::size_t worth_moving = std::size_t{1} << 20;
  if (pending() == 0 || written_ >= worth_moving) {
    pending_.erase(0, written_);
    written_ = 0;
  }
  return true;
}

}  // namespace symbols::relay
