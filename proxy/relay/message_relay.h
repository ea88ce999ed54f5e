// One direction of the proxy's traffic as messages: what needs no attention passes as the bytes that came,
// without being gathered; what somebody asked to see is handed over whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "lsp/frame.h"

namespace symbols::relay {

// No I/O: bytes are pushed in, bytes come out of a callback, all within receive(). Single-threaded.
class MessageRelay {
 public:
  enum class Verdict {
    pass,       // forward it as it is
    gather,     // hand it over whole
    undecided,  // show more of it
  };
  struct Callbacks {
    // Bytes that pass; `frame_open` tells whether they end within a frame.
    std::function<void(std::string_view bytes, bool frame_open)> forward;
    // What becomes of a message whose body begins with `start`; `whole`: that is all of it, and undecided
    // then means pass.
    std::function<Verdict(std::string_view start, bool whole)> judge;
    // A message that was gathered. True: it is dealt with; else it passes. What it writes to where this
    // relay writes stands between the messages before and after this one.
    std::function<bool(std::string_view body)> take;
    // The end of a body that passed before it was whole: its last bytes, up to MessageRelay::tail_size.
    std::function<void(std::string_view tail)> streamed;
    // The bytes are no frames; they pass from here on as they are, and no callback but forward is called.
    std::function<void(const Error&)> on_unframed;
    // A message that can be gathered passes only once it is whole, and is judged then: a stream that ends
    // within it has left nothing of it, and another one may go on from there.
    bool only_whole = false;
  };

  static constexpr std::size_t tail_size = 256;  // the end of a long body, where gopls writes its id
  // A message that is longer is not gathered but streams, whatever it is.
  static constexpr std::size_t max_gathered = std::size_t{64} << 20;

  explicit MessageRelay(Callbacks callbacks);

  void receive(std::string_view bytes);
  // The stream has ended. What has come of a message that is cut is dropped: a reader would take for the rest
  // of it what is said of the end. But what cannot be the beginning of a header is returned, as it may be
  // something for a person ("error: no such option").
  std::string end();

  // So many bytes of the present body may go another way, unseen (splice): none of them was asked for.
  std::uint64_t may_skip() const;
  // They have gone. `size` is at most may_skip().
  void skipped(std::uint64_t size);

 private:
  struct Chunk;

  void take_piece(Chunk& chunk, const lsp::FrameParser::Piece& piece);
  void judge(std::string_view seen, bool whole);
  void judge_streaming(std::string_view bytes);
  void start_streaming(Chunk& chunk);
  void end_message(Chunk& chunk);
  void flush(Chunk& chunk, const char* until, bool frame_open);
  void pass_as_is(Chunk& chunk, const Error& reason);
  std::string_view body(const Chunk& chunk) const;
  void keep_tail(std::string_view bytes);

  Callbacks callbacks_;
  lsp::FrameParser parser_;
  Verdict verdict_ = Verdict::undecided;
  // The present message's bytes, header and body, that came in earlier portions and were not forwarded.
  std::string held_;
  std::size_t header_size_ = 0;  // of the present message
  std::uint64_t body_seen_ = 0;  // bytes of the present body
  std::uint64_t judge_again_at_ = 0;
  bool in_header_ = true;   // of the present message no whole header has come
  bool streaming_ = false;  // a part of the present body has passed
  std::string tail_;
  std::string start_;  // of such a body, until it is known what it is
  bool unframed_ = false;
};

}  // namespace symbols::relay
