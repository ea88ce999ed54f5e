// Frames of the base protocol (LSP 3.17, "Base Protocol"): header fields, a blank line, and the body.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace symbols::lsp {

// The limit for all header fields of a frame; real ones take under 100 bytes.
inline constexpr std::size_t max_header = 8192;

// Reads whole frames from a stream that comes in any portions. Header names match in any case, whitespace
// around a value is optional, lines may end in LF alone (as clangd accepts); fields other than Content-Length
// are not checked. Resident memory grows with what has arrived, not with what a header announces.
class FrameReader {
 public:
  // A body of more than `max_body` bytes is an error before anything is allocated for it.
  explicit FrameReader(std::uint64_t max_body) : max_body_(max_body) {}

  // Removes bytes from the front of `input` until a frame is whole and returns its body, a view of `input` or
  // of memory of the reader, valid until the next call of next() or room(). Without a whole frame it uses up
  // `input` and returns none. On an error `input` is unchanged; do not call next() again.
  Result<std::optional<std::string_view>> next(std::string_view& input);
  // Memory for some of the rest of a frame whose header is known, so that it need not be copied; empty if
  // there is none. added() is called with what was put there, and then next().
  std::span<char> room();
  void added(std::size_t size) { filled_ += size; }

  // All bytes of the frame that next() has returned, and whether they are in memory of the reader.
  std::string_view frame() const { return frame_; }
  bool keeps_frame() const { return frame_.data() == kept_.data(); }
  // The bytes that have come of a frame that is not whole, and whether its header is.
  std::string_view unfinished() const { return std::string_view(kept_).substr(0, is_whole_ ? 0 : filled_); }
  bool has_header() const { return size_ > 0; }

 private:
  Result<std::uint64_t> read_length(std::string_view header) const;
  void keep(std::string_view bytes);

  std::uint64_t max_body_;
  std::string kept_;        // reused for all frames that do not come at once
  std::size_t filled_ = 0;  // of it by the present frame
  std::size_t header_size_ = 0;
  std::size_t size_ = 0;  // of the present frame; 0 until its header is whole
  bool is_whole_ = false;
  std::string_view frame_;
};

// `body` with its header, as written to a server or client.
std::string frame(std::string_view body);

}  // namespace symbols::lsp
