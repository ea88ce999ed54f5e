#include "proxy/relay/standard_stream.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>
#include <utility>

namespace symbols::relay {

StandardStream::StandardStream(int descriptor) : standard_(descriptor), descriptor_(-1) {
  struct stat status {};
  const int flags = ::fcntl(descriptor, F_GETFL);
  if (::fstat(descriptor, &status) == 0 && (S_ISFIFO(status.st_mode) || ::isatty(descriptor) == 1)) {
    const std::string path = "/proc/self/fd/" + std::to_string(descriptor);
    descriptor_ =
        ::open(path.c_str(), (descriptor == STDIN_FILENO ? O_RDONLY : O_WRONLY) | O_NONBLOCK | O_CLOEXEC);
    if (descriptor_ >= 0) return;
  }
  descriptor_ = ::fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (flags >= 0 && (flags & O_NONBLOCK) == 0 && ::fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) == 0) {
    flags_to_restore_ = flags;
  }
}

StandardStream::~StandardStream() {
  if (flags_to_restore_ >= 0) ::fcntl(standard_, F_SETFL, flags_to_restore_);
  if (descriptor_ >= 0) ::close(descriptor_);
}

int StandardStream::release() {
  return std::exchange(descriptor_, -1);
}

}  // namespace symbols::relay
