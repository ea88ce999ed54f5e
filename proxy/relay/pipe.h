// A pipe whose ends are closed unless they are given away.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <utility>

namespace symbols::relay {

// Both ends are closed on exec; -1 stands for one that is closed or given away.
struct Pipe {
  int read = -1;
  int write = -1;

  Pipe() = default;
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    close(read);
    close(write);
  }

  // False, with errno, where there can be none.
  bool open() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return false;
    read = ends[0];
    write = ends[1];
    return true;
  }
  static void close(int& end) {
    if (end >= 0) ::close(std::exchange(end, -1));
  }
  // The end becomes the caller's, and does not block any more.
  static int give_away(int& end) {
    ::fcntl(end, F_SETFL, ::fcntl(end, F_GETFL) | O_NONBLOCK);
    return std::exchange(end, -1);
  }
};

}  // namespace symbols::relay
