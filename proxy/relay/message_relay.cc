#include "proxy/relay/message_relay.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/ascii.h"

namespace symbols::relay {
namespace {

using Piece = lsp::FrameParser::Piece;

// A first look is worth it as soon as there may be a method in it.
constexpr std::uint64_t first_look = 64;
// What is not known by then of a message too long to be gathered does not matter.
constexpr std::uint64_t last_look = std::uint64_t{512} << 10;

// Whether nothing in these bytes speaks against their being a frame's beginning.
bool may_begin_header(std::string_view bytes) {
  constexpr std::string_view begin = "content-";
  return std::ranges::equal(bytes.substr(0, begin.size()), begin.substr(0, bytes.size()), {}, lower_case);
}

}  // namespace

// What came at once. Views into it save copying: most messages come whole.
struct MessageRelay::Chunk {
  const char* unforwarded;  // from here on nothing was forwarded yet
  const char* message;      // where the present message begins, if it does not begin in held_
  const char* at;           // how far the parser has come
};

MessageRelay::MessageRelay(Callbacks callbacks)
    : callbacks_(std::move(callbacks)), parser_(std::numeric_limits<std::uint64_t>::max() / 2) {}

std::uint64_t MessageRelay::may_skip() const {
  if (unframed_ || !streaming_ || verdict_ != Verdict::pass) return 0;
  const std::uint64_t left = parser_.content_length() - body_seen_;
  return left > tail_size ? left - tail_size : 0;
}

void MessageRelay::skipped(std::uint64_t size) {
  parser_.skip_body(size);
  body_seen_ += size;
  tail_.clear();
}

void MessageRelay::receive(std::string_view bytes) {
  if (unframed_) {
    callbacks_.forward(bytes, false);
    return;
  }
  Chunk chunk{.unforwarded = bytes.data(), .message = bytes.data(), .at = bytes.data()};
  std::string_view input = bytes;
  for (;;) {
    if (const auto whole = parser_.next_whole(input)) {
      chunk.at = input.data();
      header_size_ = whole->header_size;
      body_seen_ = whole->body.size();
      verdict_ = Verdict::undecided;
      end_message(chunk);
      continue;
    }
    const Result<Piece> piece = parser_.next(input);
    if (!piece) {
      chunk.at = bytes.data() + bytes.size();
      pass_as_is(chunk, piece.error());
      return;
    }
    const char* const before = std::exchange(chunk.at, input.data());
    // What a message began with in an earlier portion is continued there.
    if (!held_.empty() && !streaming_) held_.append(before, chunk.at);
    if (piece->kind == Piece::Kind::need_more) break;
    take_piece(chunk, *piece);
  }
  if (streaming_) {
    flush(chunk, chunk.at, true);
  } else {
    flush(chunk, chunk.message, false);
    if (held_.empty()) held_.assign(chunk.message, chunk.at);
  }
}

std::string MessageRelay::end() {
  std::string cut = std::exchange(held_, {});
  if (unframed_ || !in_header_ || may_begin_header(cut)) cut.clear();
  return cut;
}

void MessageRelay::take_piece(Chunk& chunk, const Piece& piece) {
  switch (piece.kind) {
    case Piece::Kind::need_more:
      break;
    case Piece::Kind::header:
      in_header_ = false;
      verdict_ = Verdict::undecided;
      header_size_ = piece.bytes.size();
      body_seen_ = 0;
      judge_again_at_ = first_look;
      // Too long to be gathered, whatever it is: so much may never come, and nothing is held back for it.
      if (parser_.content_length() > max_gathered) start_streaming(chunk);
      break;
    case Piece::Kind::body:
      body_seen_ += piece.bytes.size();
      if (streaming_) {
        keep_tail(piece.bytes);
        judge_streaming(piece.bytes);
        break;
      }
      if (!callbacks_.only_whole && verdict_ == Verdict::undecided && body_seen_ >= judge_again_at_ &&
          body_seen_ < parser_.content_length()) {
        judge(body(chunk), false);
      }
      if (verdict_ == Verdict::pass && body_seen_ < parser_.content_length()) start_streaming(chunk);
      break;
    case Piece::Kind::end:
      end_message(chunk);
      break;
  }
}

// What has come of the body passes, and so will the rest, if there is more.
void MessageRelay::start_streaming(Chunk& chunk) {
  streaming_ = true;
  keep_tail(body(chunk));
  if (!held_.empty()) {
    callbacks_.forward(held_, body_seen_ < parser_.content_length());
    held_ = {};
    chunk.unforwarded = chunk.at;
  }
}

void MessageRelay::judge(std::string_view seen, bool whole) {
  verdict_ = callbacks_.judge(seen, whole);
  // Each look costs as much as there is to see: the next one when there is twice as much.
  judge_again_at_ = seen.size() * 2;
}

// A message too long to be gathered passes while it is not yet known what it is.
void MessageRelay::judge_streaming(std::string_view bytes) {
  if (verdict_ == Verdict::pass) return;
  start_ += bytes.substr(0, last_look - start_.size());
  if (verdict_ == Verdict::undecided && start_.size() >= judge_again_at_) judge(start_, false);
  if (verdict_ != Verdict::undecided || start_.size() == last_look) {
    verdict_ = Verdict::pass;
    start_ = {};
  }
}

void MessageRelay::end_message(Chunk& chunk) {
  in_header_ = true;
  if (std::exchange(streaming_, false)) {
    // The boundary is to be seen: frames of our own wait for it.
    flush(chunk, chunk.at, false);
    callbacks_.streamed(tail_);
    tail_.clear();
  } else {
    if (verdict_ == Verdict::undecided) judge(body(chunk), true);
    bool taken = false;
    if (verdict_ == Verdict::gather) {
      flush(chunk, chunk.message, false);
      taken = callbacks_.take(body(chunk));
    }
    if (taken) {
      chunk.unforwarded = chunk.at;
    } else if (!held_.empty()) {
      callbacks_.forward(held_, false);
      chunk.unforwarded = chunk.at;
    }
    // A large message's memory goes with it.
    if (held_.capacity() > 256 * 1024) {
      held_ = {};
    } else {
      held_.clear();
    }
  }
  chunk.message = chunk.at;
}

std::string_view MessageRelay::body(const Chunk& chunk) const {
  const std::string_view message =
      held_.empty() ? std::string_view(chunk.message, static_cast<std::size_t>(chunk.at - chunk.message))
                    : std::string_view(held_);
  return message.substr(header_size_);
}

// Forwards what this portion has up to `until`, if it was not forwarded yet.
void MessageRelay::flush(Chunk& chunk, const char* until, bool frame_open) {
  if (until > chunk.unforwarded) {
    callbacks_.forward({chunk.unforwarded, static_cast<std::size_t>(until - chunk.unforwarded)}, frame_open);
    chunk.unforwarded = until;
  }
}

void MessageRelay::pass_as_is(Chunk& chunk, const Error& reason) {
  unframed_ = true;
  if (!held_.empty()) {
    flush(chunk, chunk.message, false);
    // The parser had taken a part of this portion into the header that failed: held_ has what came before.
    callbacks_.forward(held_, false);
    held_ = {};
    chunk.unforwarded = chunk.message;
  }
  flush(chunk, chunk.at, false);
  callbacks_.on_unframed(reason);
}

void MessageRelay::keep_tail(std::string_view bytes) {
  if (bytes.size() >= tail_size) {
    tail_.assign(bytes.substr(bytes.size() - tail_size));
    return;
  }
  const std::size_t keep = tail_size - bytes.size();
  if (tail_.size() > keep) tail_.erase(0, tail_.size() - keep);
  tail_ += bytes;
}

}  // namespace symbols::relay
