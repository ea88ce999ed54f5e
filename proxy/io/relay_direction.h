// One direction of the proxy: reads where one side writes, and writes where the other side reads, with a
// bounded amount of memory between them however slow that one is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/descriptor.h"
#include "base/result.h"
#include "lsp/frame.h"
#include "proxy/io/byte_writer.h"
#include "proxy/io/event_loop.h"

namespace symbols::io {

// The traffic of one direction as whole messages: each is either consumed or passes as the bytes that came.
// No I/O: bytes are pushed in, bytes come out of a callback, all within receive(). Single-threaded.
class MessageRelay {
 public:
  struct Callbacks {
    // Bytes that pass. `stay`: they are valid until the next call of receive() or room().
    std::function<void(std::string_view bytes, bool stay)> forward;
    // A message's body. Returns whether it is consumed; else it passes.
    std::function<bool(std::string_view body)> take;
    // The bytes are not frames. From here on they pass as they are, and no callback but forward is called.
    std::function<void(const Error&)> on_unframed;
  };

  // A stream with a longer message counts as unframed.
  static constexpr std::uint64_t max_message = std::uint64_t{512} << 20;

  explicit MessageRelay(Callbacks callbacks) : callbacks_(std::move(callbacks)), reader_(max_message) {}

  void receive(std::string_view bytes);
  // Memory for some of the rest of a message, so that it need not be copied; may be empty. added() is called
  // with what was put there, and then receive().
  std::span<char> room() { return reader_.room(); }
  void added(std::size_t size) { reader_.added(size); }
  // The stream has ended. What has come of a message that is cut is dropped: a reader would take what is sent
  // next for the rest of it. But what cannot be the beginning of a header is returned, as it may be something
  // for the user ("error: no such option").
  std::string end() const;
  // The bytes that have come of a message that is not whole.
  std::size_t unfinished() const { return reader_.unfinished().size(); }

 private:
  Callbacks callbacks_;
  lsp::FrameReader reader_;
  bool unframed_ = false;
};

// Single-threaded. The writers outlive it.
class RelayDirection {
 public:
  struct Callbacks {
    MessageRelay::Callbacks messages;  // `forward` is set by this class
    std::function<void()> on_end;      // called once; nothing more will come
    // The bytes of our answers to the side that is read that it has not taken yet. Nothing else that waits
    // for it counts: a server that reads nothing while it writes would never get to read what it was sent.
    std::function<std::uint64_t()> unread_answers = [] { return 0; };
    // Before on_end: what MessageRelay::end() returns, if there is any. If null, that is dropped.
    std::function<void(std::string_view words)> on_last_words{};
    // The writing side has closed while we hold back; what it wrote is still to be read. May be null.
    std::function<void()> on_hangup{};
    // Whether enough replies to us are on their way that reading is worth a millisecond's wait. May be null.
    std::function<bool()> may_rest{};
  };

  // `from` is ours from now on. `to` gets what passes; `back` is the other direction's writer. What messages
  // that came together cause is written together.
  RelayDirection(EventLoop& loop, int from, ByteWriter& to, ByteWriter& back, Callbacks callbacks);
  ~RelayDirection() { stop(); }

  void start() { enter(State::waiting); }
  // A writer's queue has become empty.
  void resume() {
    if (state_ == State::held_back) enter(State::waiting);
  }
  // Until go_on() nothing is read, as nobody takes it. The stream's end counts as a hangup meanwhile.
  void pause() { enter(State::paused); }
  void go_on() {
    if (state_ == State::paused) enter(State::waiting);
  }
  // Reads what has arrived already, and no more, however much is queued.
  void read_what_is_there();
  void stop();

  bool ended() const { return state_ == State::ended; }
  // Bytes that were read.
  std::uint64_t received() const { return received_; }

 private:
  enum class State {
    idle,       // not started, or in the midst of reading
    waiting,    // for input
    held_back,  // until resume(); its hangup is watched for
    resting,    // until there is more
    paused,     // until go_on(); its hangup is watched for
    ended,
  };
  enum class Step { more, wait_for_input, ended };

  void enter(State next);
  void widen_pipes();
  void read_some();
  Step read_once();
  void end();

  EventLoop& loop_;
  Descriptor from_;
  ByteWriter& to_;
  ByteWriter& back_;
  Callbacks callbacks_;
  MessageRelay relay_;
  std::vector<char> buffer_;
  std::uint64_t received_ = 0;
  bool pipes_widened_ = false;
  State state_ = State::idle;
  Timer rest_;
};

}  // namespace symbols::io
