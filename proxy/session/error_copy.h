// What a confined server writes to its standard error, copied to ours. Were it given ours itself, it could
// empty the file behind it, write over what others have written there, change the settings of a terminal, or
// leave it non-blocking for all who share it.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

#include "base/descriptor.h"
#include "proxy/relay/byte_writer.h"
#include "proxy/relay/event_loop.h"

namespace symbols::session {

// Single-threaded. Byte for byte, except that a terminal gets control characters as text. Never blocks, and
// always reads on: the server must not wait for whoever reads our standard error, nor fail because nobody
// does.
class ErrorCopy {
 public:
  // What waits until our standard error takes it; what comes beyond that is dropped, and counted there.
  static constexpr std::size_t max_waiting = std::size_t{256} << 10;

  // `to`: our standard error, which stays open. `loop` outlives this.
  explicit ErrorCopy(relay::EventLoop& loop, int to);
  ~ErrorCopy() { close(); }
  ErrorCopy(const ErrorCopy&) = delete;
  ErrorCopy& operator=(const ErrorCopy&) = delete;

  // Copies from `pipe`, which is non-blocking and is closed here; first what is left in the one before.
  void copy_from(int pipe);
  // The end, when the loop does not run any more: what is left in the pipe, and what waits, unless our
  // standard error takes nothing for `patience`.
  void finish(std::chrono::milliseconds patience);

 private:
  bool read();
  void take_rest();
  void write(std::string_view bytes);
  void report_dropped();
  void close();

  relay::EventLoop& loop_;
  bool is_terminal_;
  relay::StandardStream stream_;
  relay::ByteWriter writer_;
  Descriptor pipe_;
  std::string cut_;  // the beginning of a character for the terminal, whose rest is still to come
  std::size_t dropped_ = 0;
};

}  // namespace symbols::session
