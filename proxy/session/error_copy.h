// Copies the standard error of a confined server to ours. Ours itself would let it empty the file behind it,
// overwrite it, change a terminal's settings, or leave it non-blocking for all who share it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/descriptor.h"
#include "proxy/io/byte_writer.h"
#include "proxy/io/event_loop.h"

namespace symbols::session {

// Byte for byte, except that a terminal gets control characters as text. Never blocks, and always reads on:
// the server must not wait for a reader of our standard error. Single-threaded.
class ErrorCopy {
 public:
  // Waiting for our standard error; what comes beyond it is dropped, and counted there.
  static constexpr std::size_t max_waiting = std::size_t{256} << 10;

  // `to`: our standard error, which stays open. `loop` outlives this.
  explicit ErrorCopy(io::EventLoop& loop, int to);
  ~ErrorCopy() { close(); }

  // Copies from `pipe`, which is non-blocking and is closed here; first what is left in the one before.
  void copy_from(int pipe);
  // When the loop does not run any more: writes the rest, unless nothing is accepted for `patience`.
  void finish(milliseconds patience);

 private:
  bool read();
  void take_rest();
  void write(std::string_view bytes);
  void report_dropped();
  void close();

  io::EventLoop& loop_;
  bool is_terminal_;
  io::StandardStream stream_;
  io::ByteWriter writer_;
  Descriptor pipe_;
  std::string cut_;  // the beginning of a character for the terminal, whose rest is still to come
  std::size_t dropped_ = 0;
};

}  // namespace symbols::session
