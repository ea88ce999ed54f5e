#include "proxy/system/descriptors.h"

#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/filesystem.h"
#include "proxy/system/introspection.h"

namespace symbols::system {
namespace {

// Not at once: a child that another thread starts meanwhile would inherit it, but one thread starts them all.
Descriptor closed_on_exec(int descriptor, bool blocks) {
  if (descriptor >= 0) {
    ::fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    if (!blocks) ::fcntl(descriptor, F_SETFL, ::fcntl(descriptor, F_GETFL) | O_NONBLOCK);
  }
  return Descriptor(descriptor);
}

}  // namespace

bool Pipe::open() {
  int ends[2];
  if (::pipe(ends) != 0) return false;
  read = closed_on_exec(ends[0], true);
  write = closed_on_exec(ends[1], true);
  return true;
}

void widen_pipe(int) {}

Descriptor reopened(int, int) {
  return Descriptor();
}

Descriptor local_socket() {
  return closed_on_exec(::socket(AF_UNIX, SOCK_STREAM, 0), false);
}

Descriptor accepted(int listening) {
  return closed_on_exec(::accept(listening, nullptr, nullptr), false);
}

Descriptor open_without_links(const std::string& path, int flags) {
#ifdef O_NOFOLLOW_ANY  // macOS 11
  return Descriptor(::open(path.c_str(), flags | O_CLOEXEC | O_NOFOLLOW_ANY));
#else
  Descriptor file(::open(path.c_str(), flags | O_CLOEXEC | O_NOFOLLOW));
  if (!file || path_of(file.get()) == path) return file;
  errno = ELOOP;
  return Descriptor();
#endif
}

bool look_without_links(const std::string& path, struct stat& status) {
  std::error_code error;
  const fs::path folder = fs::path(path).parent_path();
  if (fs::canonical(folder, error) == folder) return ::lstat(path.c_str(), &status) == 0;
  errno = error ? error.value() : ELOOP;
  return false;
}

void close_from(int first) {
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  constexpr rlim_t max_closed = 1 << 16;  // where there is no limit
  for (int descriptor = first; static_cast<rlim_t>(descriptor) < std::min(limit.rlim_cur, max_closed);
       ++descriptor)
    ::close(descriptor);
}

}  // namespace symbols::system
