#include "lsp/frame.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/ascii.h"
#include "base/split.h"

namespace symbols::lsp {
namespace {

constexpr std::string_view header_whitespace = " \t";

// The first bytes of `bytes`, printable for a message.
std::string quoted(std::string_view bytes) {
  std::string out = "'";
  for (const char c : bytes.substr(0, 60)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7F) {
      out += c;
    } else {
      out += fmt::format("\\x{:02X}", byte);
    }
  }
  out += bytes.size() > 60 ? "…'" : "'";
  return out;
}

// The end of the header: past the blank line at or after `from`, which must be at a line end; npos if it is
// not there yet.
std::size_t find_header_end(std::string_view header, std::size_t from) {
  for (std::size_t at = header.find('\n', from); at != std::string_view::npos;
       at = header.find('\n', at + 1)) {
    const std::string_view before = header.substr(0, at);
    if (before.empty() || before == "\r" || before.ends_with('\n') || before.ends_with("\n\r")) return at + 1;
  }
  return std::string_view::npos;
}

}  // namespace

Error FrameParser::fail(std::string message) {
  state_ = State::failed;
  error_ = {std::move(message), {}};
  return error_;
}

Result<std::uint64_t> FrameParser::parse_header(std::string_view header) const {
  std::optional<std::uint64_t> length;
  while (!header.empty()) {
    std::string_view line = take_part(header, '\n');
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty()) continue;
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) {
      return Error{fmt::format("not a header of the Language Server Protocol: {}", quoted(line)), {}};
    }
    constexpr std::string_view length_field = "content-length";
    if (!std::ranges::equal(trim(line.substr(0, colon), header_whitespace), length_field, {}, lower_case))
      continue;
    const std::string_view digits = trim(line.substr(colon + 1), header_whitespace);
    std::uint64_t value = 0;
    const auto [stop, code] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (code == std::errc::result_out_of_range || (code == std::errc() && value > max_body_)) {
      return Error{fmt::format("Content-Length {} is over the limit of {} bytes", quoted(digits), max_body_),
                   {}};
    }
    if (code != std::errc() || stop != digits.data() + digits.size()) {
      return Error{fmt::format("Content-Length is not a number: {}", quoted(digits)), {}};
    }
    if (length && *length != value) {
      return Error{fmt::format("two Content-Length headers that differ: {} and {}", *length, value), {}};
    }
    length = value;
  }
  if (!length) return Error{"a header without Content-Length", {}};
  return *length;
}

Result<FrameParser::Piece> FrameParser::take_header(std::string_view& input) {
  const std::size_t had = header_.size();
  // Never takes more than the limit of a header, however much arrived at once.
  const std::string_view portion = input.substr(0, max_header - had);
  std::size_t end = std::string_view::npos;
  if (had == 0) {
    // Usually the whole header is there, followed by bodies, which need not be copied to find that out.
    end = find_header_end(portion, 0);
    header_.assign(portion.substr(0, end));
  } else {
    header_.append(portion);
    end = find_header_end(header_, had);
  }
  if (end == std::string_view::npos) {
    input.remove_prefix(portion.size());
    // Refuses what is not a header after its first whole line, instead of waiting up to 8 KiB for a blank
    // one.
    if (const std::size_t line = header_.find('\n');
        line != std::string::npos && had <= line && header_.find(':') > line) {
      return fail(fmt::format("not a header of the Language Server Protocol: {}",
                              quoted(std::string_view(header_).substr(0, line))));
    }
    if (header_.size() < max_header) return Piece{};
    return fail(fmt::format("a header of over {} bytes: {}", max_header, quoted(header_)));
  }
  input.remove_prefix(end - had);
  header_.resize(end);
  const Result<std::uint64_t> length = parse_header(header_);
  if (!length) return fail(length.error().message);
  content_length_ = left_ = *length;
  state_ = left_ == 0 ? State::end : State::body;
  return Piece{Piece::Kind::header, header_};
}

Result<FrameParser::Piece> FrameParser::next(std::string_view& input) {
  switch (state_) {
    case State::failed:
      return error_;
    case State::end:
      state_ = State::header;
      header_.clear();
      return Piece{Piece::Kind::end, {}};
    case State::body: {
      if (input.empty()) return Piece{};
      const std::string_view part =
          input.substr(0, static_cast<std::size_t>(std::min<std::uint64_t>(left_, input.size())));
      input.remove_prefix(part.size());
      left_ -= part.size();
      if (left_ == 0) state_ = State::end;
      return Piece{Piece::Kind::body, part};
    }
    case State::header:
      break;
  }
  if (input.empty()) return Piece{};
  return take_header(input);
}

std::optional<FrameParser::WholeFrame> FrameParser::next_whole(std::string_view& input) const {
  constexpr std::string_view field = "Content-Length: ";
  constexpr std::string_view end = "\r\n\r\n";
  if (!at_boundary() || !input.starts_with(field)) return {};
  std::uint64_t length = 0;
  const char* const digits = input.data() + field.size();
  const auto [stop, code] = std::from_chars(digits, input.data() + input.size(), length);
  if (code != std::errc() || length > max_body_) return {};
  const auto header_size = static_cast<std::size_t>(stop - input.data()) + end.size();
  if (input.size() < header_size || input.substr(header_size - end.size(), end.size()) != end ||
      input.size() - header_size < length) {
    return {};
  }
  const std::string_view body = input.substr(header_size, static_cast<std::size_t>(length));
  input.remove_prefix(header_size + body.size());
  return WholeFrame{header_size, body};
}

void FrameParser::skip_body(std::uint64_t size) {
  if (state_ != State::body) return;
  left_ -= std::min(left_, size);
  if (left_ == 0) state_ = State::end;
}

Result<std::optional<std::string_view>> FrameReader::next(std::string_view& input) {
  for (;;) {
    const Result<FrameParser::Piece> piece = parser_.next(input);
    if (!piece) return piece.error();
    switch (piece->kind) {
      case FrameParser::Piece::Kind::need_more:
        return std::optional<std::string_view>();
      case FrameParser::Piece::Kind::header:
        body_.clear();
        break;
      case FrameParser::Piece::Kind::body:
        // A body that arrived in one portion needs no copy, but the caller may reuse its input.
        body_.append(piece->bytes);
        break;
      case FrameParser::Piece::Kind::end:
        return std::optional<std::string_view>(body_);
    }
  }
}

std::string frame(std::string_view body) {
  return fmt::format("Content-Length: {}\r\n\r\n{}", body.size(), body);
}

}  // namespace symbols::lsp
