// The base protocol's frames (LSP 3.17, "Base Protocol"): header fields, a blank line, Content-Length bytes
// of body. FrameParser streams, so that what need not be read whole is never buffered. FrameReader buffers
// whole bodies.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace symbols::lsp {

// The limit for all header fields of a frame; real ones take under 100 bytes.
inline constexpr std::size_t max_header = 8192;

// A push parser: takes bytes in any portions and gives the pieces of each frame in order. Header names match
// in any case, whitespace around a value is optional, lines may end in LF alone (as clangd accepts); fields
// other than Content-Length stay in the header's bytes and are not checked.
class FrameParser {
 public:
  struct Piece {
    enum class Kind {
      need_more,  // `input` is used up
      header,     // `bytes` are the header's own, the blank line included; valid until the next call
      body,       // `bytes` are a part of the body, a view of the input
      end,        // the frame is complete
    };
    Kind kind = Kind::need_more;
    std::string_view bytes;
  };

  // A body of more than `max_body` bytes is an error before anything is allocated for it.
  explicit FrameParser(std::uint64_t max_body) : max_body_(max_body) {}

  // The next piece; removes what it used from the front of `input`. After an error the stream cannot be read
  // further: the same error is returned again.
  Result<Piece> next(std::string_view& input);

  // The next frame, if all of it is at the start of `input` and its header is only a Content-Length in the
  // usual form; removes it from `input`. Otherwise, or if not at_boundary(), it takes nothing: use next().
  // For callers that look at every message: takes a third of the time.
  struct WholeFrame {
    std::size_t header_size = 0;
    std::string_view body;
  };
  std::optional<WholeFrame> next_whole(std::string_view& input) const;

  // `size` bytes of the body went another way: no more than are left, and after the header.
  void skip_body(std::uint64_t size);

  // The body's length in bytes, once its header has been given.
  std::uint64_t content_length() const { return content_length_; }
  // Whether the stream may end here without cutting a frame.
  bool at_boundary() const { return state_ == State::header && header_.empty(); }

 private:
  enum class State { header, body, end, failed };

  Result<Piece> take_header(std::string_view& input);
  Result<std::uint64_t> parse_header(std::string_view header) const;
  Error fail(std::string message);

  std::uint64_t max_body_;
  State state_ = State::header;
  std::string header_;
  std::uint64_t content_length_ = 0;
  std::uint64_t left_ = 0;  // of the body
  Error error_;
};

// Buffers whole bodies. Memory grows with what has arrived, not with what a header announces.
class FrameReader {
 public:
  // `max_body`: see FrameParser.
  explicit FrameReader(std::uint64_t max_body) : parser_(max_body) {}

  // Removes bytes from the front of `input` until a body is whole and returns it (valid until the next call);
  // without a whole body it uses up `input` and returns none.
  Result<std::optional<std::string_view>> next(std::string_view& input);

 private:
  FrameParser parser_;
  std::string body_;
};

// `body` with its header, as written to a server or client.
std::string frame(std::string_view body);

}  // namespace symbols::lsp
