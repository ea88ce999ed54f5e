// A file descriptor that is closed by its owner, and two of them that are a pipe.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <utility>

namespace symbols {

class Descriptor {
 public:
  // Takes over what open() and its kin return; a negative number is none.
  explicit Descriptor(int number = -1) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }

  explicit operator bool() const { return number_ >= 0; }
  int get() const { return number_; }
  // Gives it away: the caller closes it.
  int release() { return std::exchange(number_, -1); }

 private:
  int number_;
};

// A pipe whose ends are closed unless they are given away, and on exec.
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

}  // namespace symbols
