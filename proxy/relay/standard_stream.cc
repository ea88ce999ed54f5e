#include "proxy/relay/standard_stream.h"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <string>

namespace symbols::relay {

StandardStream::StandardStream(int descriptor) : standard_(descriptor) {
  struct stat status {};
  const int flags = ::fcntl(descriptor, F_GETFL);
  if (::fstat(descriptor, &status) == 0 && (S_ISFIFO(status.st_mode) || ::isatty(descriptor) == 1)) {
    const std::string path = "/proc/self/fd/" + std::to_string(descriptor);
    descriptor_ = Descriptor(::open(path.c_str(), (flags & O_ACCMODE) | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
    if (descriptor_) return;
  }
  descriptor_ = Descriptor(::fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
  if (flags >= 0 && (flags & O_NONBLOCK) == 0 && ::fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) == 0) {
    flags_to_restore_ = flags;
  }
}

StandardStream::~StandardStream() {
  if (flags_to_restore_ >= 0) ::fcntl(standard_, F_SETFL, flags_to_restore_);
}

void write_shared_error(std::string_view text, std::chrono::milliseconds patience) {
  // A pipe that polls ready takes at least PIPE_BUF bytes without blocking, and maybe no more; a terminal, of
  // which nothing is promised, at least a line most often.
  const std::size_t at_once = ::isatty(STDERR_FILENO) == 1 ? 256 : PIPE_BUF;
  while (!text.empty()) {
    pollfd room{.fd = STDERR_FILENO, .events = POLLOUT, .revents = 0};
    if (::poll(&room, 1, static_cast<int>(patience.count())) <= 0) return;
    const ssize_t size = ::write(STDERR_FILENO, text.data(), std::min(text.size(), at_once));
    if (size < 0) return;
    text.remove_prefix(static_cast<std::size_t>(size));
  }
}

}  // namespace symbols::relay
