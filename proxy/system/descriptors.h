// Descriptors: pipes, local sockets and files, as far as systems differ in them.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>

#include <string>

#include "base/descriptor.h"

namespace symbols::system {

// A pipe whose ends are closed on exec; it closes those that are not given away.
struct Pipe {
  Descriptor read;
  Descriptor write;

  // False, with errno, where there can be none.
  bool open();
  // The end becomes the caller's, and does not block any more.
  static int give_away(Descriptor& end) {
    ::fcntl(end.get(), F_SETFL, ::fcntl(end.get(), F_GETFL) | O_NONBLOCK);
    return end.release();
  }
};

// Lets a pipe hold more, as the speed of a large message depends on how much of it goes at once.
void widen_pipe(int end);

// The pipe or terminal behind the open `descriptor`, opened anew with the same access (`flags`: open(2)'s),
// so that its flags are ours alone. None where the system cannot.
Descriptor reopened(int descriptor, int flags);

// A Unix stream socket, and a connection to the listening one. Neither blocks; both are closed on exec.
Descriptor local_socket();
Descriptor accepted(int listening);

// Opens what is at `path`, absolute and normal, if no part of it is a symbolic link; `flags`: open(2)'s.
// None, with errno (ELOOP: a link).
Descriptor open_without_links(const std::string& path, int flags);
// lstat(2) of such a path; only its last part may be a link.
bool look_without_links(const std::string& path, struct stat& status);

// Closes all from this one on. May be called between fork and exec.
void close_from(int first);

}  // namespace symbols::system
