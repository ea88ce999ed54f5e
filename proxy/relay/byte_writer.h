// What goes out of this program: bytes in their order, without its ever being stuck in a write. A reader that
// stalls must not keep a Ctrl-C, a dying server or the other direction from being dealt with.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "proxy/relay/event_loop.h"

namespace symbols::relay {

// Bytes are written at once; what the descriptor does not take waits here. The queue has no bound of its own:
// callers look at queued() and hold back. Single-threaded.
class ByteWriter {
 public:
  struct Callbacks {
    // Nothing is queued any more: it was written, or dropped.
    std::function<void()> on_empty = [] {};
    // Once, with errno: nothing can be written any more.
    std::function<void(int)> on_broken = [](int) {};
  };

  // `descriptor` is non-blocking where it can be, and is the writer's from now on. Callbacks run from the
  // loop or from within whatever writes or closes.
  ByteWriter(EventLoop& loop, int descriptor, Callbacks callbacks);
  ~ByteWriter();
  ByteWriter(const ByteWriter&) = delete;
  ByteWriter& operator=(const ByteWriter&) = delete;

  // Bytes of the frames that pass. `frame_open` tells whether they end within one.
  void write(std::string_view bytes, bool frame_open = false);
  // A whole frame of our own: at once, or after the frame that is passing just now.
  void write_frame(std::string frame);
  // From hold() to release() all is gathered, to be written at once: a server that is sent 16 requests wakes
  // once and not 16 times. What release() writes at once is not told as on_empty: who would wait for
  // less to be queued releases first.
  void hold() {
    if (hold_ == Hold::nothing) hold_ = Hold::bytes;
  }
  void release();
  // Whether a whole frame of our own is among what is held.
  bool holds_own_frame() const { return hold_ == Hold::own_frame; }
  // Moves up to `size` bytes of the passing frame straight from the descriptor `from`, without their coming
  // into this process (splice(2)). Only while nothing is queued. How many; or -1 with errno.
  std::int64_t splice_from(int from, std::size_t size);

  // Whether what is written still goes anywhere.
  bool takes_bytes() const { return state_ == State::open; }
  // Whether the bytes so far end within a frame.
  bool frame_open() const { return frame_open_; }
  // Bytes that the descriptor has not taken yet.
  std::size_t unwritten() const { return queue_.size() - written_; }
  // The same with the frames of our own that wait for the end of the one that passes.
  std::size_t queued() const { return queue_.size() - written_ + after_frame_.size(); }
  // All that the descriptor has taken so far: whether it takes anything is seen by its growing.
  std::uint64_t written() const { return total_written_; }
  bool broken() const { return state_ == State::broken; }
  int descriptor() const { return descriptor_; }

  // Closes the descriptor once all is written; drops what is written from now on.
  void close();
  // Another reader takes the place of the one so far, who gets nothing more: what was not taken is dropped,
  // and so is all until there is one, where `descriptor` is -1. Not within a frame that passes; no callback
  // is called.
  void replace(int descriptor);
  // Waits for the descriptor to take more, then calls on_empty (also where nothing is queued).
  void wait();
  // At the end, when the loop does not run any more: writes what is queued, and blocks for that. Returns
  // where the descriptor takes nothing for `patience`.
  void write_rest(std::chrono::milliseconds patience);

 private:
  enum class State {
    open,
    closing,  // closed once all is written
    broken,
  };
  enum class Hold {
    nothing,  // bytes are written as they come
    bytes,
    own_frame,  // a whole frame of our own is among them
  };

  void write_now(std::string_view bytes);
  std::size_t put(std::string_view bytes);
  void write_queue();
  bool write_out();
  void fail(int error);
  void close_descriptor();

  EventLoop& loop_;
  int descriptor_;
  Callbacks callbacks_;
  std::string queue_;
  std::size_t written_ = 0;  // of queue_
  std::uint64_t total_written_ = 0;
  std::string after_frame_;
  State state_ = State::open;
  Hold hold_ = Hold::nothing;
  bool frame_open_ = false;
  bool waiting_ = false;     // the loop watches the descriptor
  bool waited_for_ = false;  // on_empty is due when what is held has been written
};

}  // namespace symbols::relay
