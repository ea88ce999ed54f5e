#include "proxy/system/descriptors.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

#include "proxy/system/introspection.h"

namespace symbols::system {
namespace {

// openat2(2) of Linux 5.6, which the build's headers may not know.
constexpr long openat2_call = 437;
struct OpenHow {
  std::uint64_t flags = 0;
  std::uint64_t mode = 0;
  std::uint64_t resolve = 0;
};
constexpr std::uint64_t no_symlinks = 0x04;

}  // namespace

bool Pipe::open() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return false;
  read = Descriptor(ends[0]);
  write = Descriptor(ends[1]);
  return true;
}

void widen_pipe(int end) {
  constexpr int wide = 256 * 1024;
  if (::fcntl(end, F_GETPIPE_SZ) < wide) (void)::fcntl(end, F_SETPIPE_SZ, wide);
}

Descriptor reopened(int descriptor, int flags) {
  const std::string path = fmt::format("/proc/self/fd/{}", descriptor);
  return Descriptor(::open(path.c_str(), flags | O_CLOEXEC | O_NOCTTY));
}

Descriptor local_socket() {
  return Descriptor(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
}

Descriptor accepted(int listening) {
  return Descriptor(::accept4(listening, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
}

Descriptor open_without_links(const std::string& path, int flags) {
  const OpenHow how{.flags = static_cast<std::uint64_t>(flags | O_CLOEXEC), .resolve = no_symlinks};
  Descriptor file(static_cast<int>(::syscall(openat2_call, AT_FDCWD, path.c_str(), &how, sizeof how)));
  // An older kernel, or a filter of system calls that does not know this one.
  if (file || (errno != ENOSYS && errno != EPERM)) return file;
  file = Descriptor(::open(path.c_str(), flags | O_CLOEXEC | O_NOFOLLOW));
  if (!file || path_of(file.get()) == path) return file;
  errno = ELOOP;
  return Descriptor();
}

bool look_without_links(const std::string& path, struct stat& status) {
  const Descriptor place = open_without_links(path, O_PATH | O_NOFOLLOW);
  return place && ::fstat(place.get(), &status) == 0;
}

void close_from(int first) {
  ::close_range(static_cast<unsigned>(first), ~0U, 0);
}

}  // namespace symbols::system
