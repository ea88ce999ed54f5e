// Standard output without ever being stuck in it: a reader that stalls must not keep a Ctrl-C or a dying
// server from being dealt with.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

namespace symbols::relay {

// Bytes wait here until the descriptor takes them.
class OutputStream {
 public:
  explicit OutputStream(int descriptor);

  void write(std::string_view text) {
    if (!discarding_) pending_ += text;
  }

  // Waits up to `patience` for the reader and writes what it takes. False where it takes nothing any more: it
  // is gone (EPIPE), or the device is full; error() tells.
  bool flush_some(std::chrono::milliseconds patience);

  // Drops what is pending and what is written from here on.
  void discard() {
    pending_.clear();
    written_ = 0;
    discarding_ = true;
  }

  std::size_t pending() const { return pending_.size() - written_; }
  // The error of the write that failed, 0 while none has.
  int error() const { return error_; }

 private:
  int descriptor_;
  bool is_terminal_;
  std::string pending_;
  std::size_t written_ = 0;
  int error_ = 0;
  bool discarding_ = false;
};

}  // namespace symbols::relay
