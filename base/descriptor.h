// A file descriptor that is closed by its owner.
#pragma once

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

}  // namespace symbols
