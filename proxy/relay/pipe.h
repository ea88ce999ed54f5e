// A pipe whose ends are closed unless they are given away.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include "base/descriptor.h"

namespace symbols::relay {

// Both ends are closed on exec.
struct Pipe {
  Descriptor read;
  Descriptor write;

  // False, with errno, where there can be none.
  bool open() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return false;
    read = Descriptor(ends[0]);
    write = Descriptor(ends[1]);
    return true;
  }
  // The end becomes the caller's, and does not block any more.
  static int give_away(Descriptor& end) {
    ::fcntl(end.get(), F_SETFL, ::fcntl(end.get(), F_GETFL) | O_NONBLOCK);
    return end.release();
  }
};

}  // namespace symbols::relay
