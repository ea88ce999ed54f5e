// Output of this program: bytes in their order, never blocking in a write. A reader that stalls must not
// delay a Ctrl-C, a dying server or the other direction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "base/clock.h"
#include "base/descriptor.h"
#include "proxy/io/event_loop.h"

namespace symbols::io {

// Bytes are written at once; what the descriptor does not accept waits here. The queue is not bounded:
// callers check unwritten() and hold back. Single-threaded.
class ByteWriter {
 public:
  struct Callbacks {
    // The queue is empty: all of it was written, or dropped.
    std::function<void()> on_empty = [] {};
    // Called once, with errno: nothing can be written any more.
    std::function<void(int)> on_broken = [](int) {};
  };

  // `descriptor` is non-blocking where it can be, and is the writer's from now on. Callbacks run from the
  // loop or from within whatever writes or closes.
  ByteWriter(EventLoop& loop, int descriptor, Callbacks callbacks)
      : loop_(loop), descriptor_(descriptor), callbacks_(std::move(callbacks)) {}
  ~ByteWriter() { close_descriptor(); }
  ByteWriter(const ByteWriter&) = delete;
  ByteWriter& operator=(const ByteWriter&) = delete;

  void write(std::string_view bytes);
  // The same for many bytes that stay where they are while borrows(), so that they need not be copied.
  void lend(std::string_view bytes);
  bool borrows() const { return !lent_.empty(); }
  // Copies what was lent: it stays there no longer.
  void keep_lent() { queue_.insert(0, std::exchange(lent_, {})); }
  // From hold() to release() all is gathered, to be written at once: a server that is sent 16 requests wakes
  // once and not 16 times. on_empty is not called for what release() writes at once.
  void hold() { held_ = true; }
  void release();

  // Whether bytes are still accepted.
  bool takes_bytes() const { return state_ == State::open; }
  // Bytes that the descriptor has not accepted yet.
  std::size_t unwritten() const { return lent_.size() + queue_.size() - written_; }
  // All bytes that the descriptor has accepted so far.
  std::uint64_t written() const { return total_written_; }
  bool broken() const { return state_ == State::broken; }
  int descriptor() const { return descriptor_; }

  // Closes the descriptor once all is written; drops what is written from now on.
  void close();
  // Replaces the reader. What the one before did not accept is dropped; with -1 all bytes are dropped until
  // the next call. No callback is called.
  void replace(int descriptor);
  // For the end, when the loop does not run any more: writes what is queued, and blocks for that. Returns
  // early if the descriptor accepts nothing for `patience`.
  void write_rest(milliseconds patience);

 private:
  enum class State {
    open,
    closing,  // closed once all is written
    broken,
  };

  void wait();
  std::size_t put(std::string_view bytes);
  void write_queue();
  bool write_out();
  void fail(int error);
  void close_descriptor();

  EventLoop& loop_;
  int descriptor_;
  Callbacks callbacks_;
  std::string_view lent_;  // before queue_
  std::string queue_;
  std::size_t written_ = 0;  // of queue_
  std::uint64_t total_written_ = 0;
  State state_ = State::open;
  bool held_ = false;
  bool waiting_ = false;  // the loop watches the descriptor
};

// A descriptor for one of our standard streams that never blocks (except for regular files and devices), and
// that leaves no trace: the process that started us may share the stream, and uses it when we are gone. A
// pipe gets a file description of its own; of anything else the flags are put back by the destructor.
class StandardStream {
 public:
  // `descriptor` is open, and stays so.
  explicit StandardStream(int descriptor);
  ~StandardStream();

  // Gives the descriptor away; its new owner closes it.
  int release() { return descriptor_.release(); }

 private:
  int standard_;
  Descriptor descriptor_;
  int flags_to_restore_ = -1;
};

// Writes to standard error where it is shared with a server, and so cannot be made non-blocking. What has no
// room there after `patience` is dropped: a standard error that is not read must not hold up the messages.
void write_shared_error(std::string_view text, milliseconds patience);

}  // namespace symbols::io
