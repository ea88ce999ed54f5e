#include "lsp/frame.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text.h"

namespace symbols::lsp {
namespace {

constexpr std::string_view header_whitespace = " \t";
// A larger message's memory goes with it.
constexpr std::size_t worth_keeping = std::size_t{8} << 20;

Error not_a_header(std::string_view line) {
  return {"not a header of the Language Server Protocol: " + quoted_start(line), {}};
}

// The end of the header: past the blank line at or after `from` (a line's end); npos if not there yet.
std::size_t find_header_end(std::string_view header, std::size_t from) {
  for (std::size_t at = header.find('\n', from); at != std::string_view::npos;
       at = header.find('\n', at + 1)) {
    const std::string_view before = header.substr(0, at);
    if (before.empty() || before == "\r" || before.ends_with('\n') || before.ends_with("\n\r")) return at + 1;
  }
  return std::string_view::npos;
}

}  // namespace

Result<std::uint64_t> FrameReader::read_length(std::string_view header) const {
  std::optional<std::uint64_t> length;
  while (!header.empty()) {
    std::string_view line = take_part(header, '\n');
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty()) continue;
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) return not_a_header(line);
    constexpr std::string_view length_field = "content-length";
    if (!std::ranges::equal(trim(line.substr(0, colon), header_whitespace), length_field, {}, lower_case))
      continue;
    const std::string_view digits = trim(line.substr(colon + 1), header_whitespace);
    if (digits.empty() || !std::ranges::all_of(digits, is_digit))
      return Error{fmt::format("Content-Length is not a number: {}", quoted_start(digits)), {}};
    const std::optional<std::uint64_t> value = whole_number<std::uint64_t>(digits);
    if (!value || *value > max_body_) {
      return Error{
          fmt::format("Content-Length {} is over the limit of {} bytes", quoted_start(digits), max_body_),
          {}};
    }
    if (length && *length != *value)
      return Error{fmt::format("two Content-Length headers that differ: {} and {}", *length, *value), {}};
    length = value;
  }
  if (!length) return Error{"a header without Content-Length", {}};
  return *length;
}

Result<std::optional<std::string_view>> FrameReader::next(std::string_view& input) {
  using Body = std::optional<std::string_view>;
  if (std::exchange(is_whole_, false)) {
    size_ = filled_ = 0;
    if (kept_.size() > worth_keeping) kept_ = {};
  }
  if (size_ == 0) {
    const std::size_t had = filled_;
    std::string_view header = input.substr(0, max_header - had);
    if (had > 0) {
      keep(header);
      header = {kept_.data(), std::exchange(filled_, had)};
    }
    const std::size_t end = find_header_end(header, had);
    if (end == std::string_view::npos) {
      // Refuses what is not a header after its first line, without waiting up to 8 KiB for a blank one.
      const std::size_t line = header.find('\n');
      if (line != std::string_view::npos && header.find(':') > line)
        return not_a_header(header.substr(0, line));
      if (header.size() == max_header)
        return Error{fmt::format("a header of over {} bytes: {}", max_header, quoted_start(header)), {}};
      keep(input);
      input = {};
      return Body();
    }
    const Result<std::uint64_t> length = read_length(header.substr(0, end));
    if (!length) return length.error();
    header_size_ = end;
    size_ = end + static_cast<std::size_t>(*length);
    if (had == 0 && input.size() >= size_) {
      frame_ = input.substr(0, size_);
      input.remove_prefix(size_);
      is_whole_ = true;
      return Body(frame_.substr(header_size_));
    }
  }
  const std::string_view part = input.substr(0, size_ - filled_);
  keep(part);
  input.remove_prefix(part.size());
  if (filled_ < size_) return Body();
  is_whole_ = true;
  frame_ = {kept_.data(), size_};
  return Body(frame_.substr(header_size_));
}

void FrameReader::keep(std::string_view bytes) {
  if (kept_.size() < filled_ + bytes.size()) kept_.resize(filled_ + bytes.size());
  std::ranges::copy(bytes, kept_.data() + filled_);
  filled_ += bytes.size();
}

std::span<char> FrameReader::room() {
  if (size_ == 0 || is_whole_) return {};
  constexpr std::size_t least = std::size_t{64} << 10;
  if (filled_ == kept_.size()) kept_.resize(std::min(size_, std::max(least, 2 * filled_)));
  return std::span(kept_).subspan(filled_, std::min(size_, kept_.size()) - filled_);
}

std::string frame(std::string_view body) {
  return fmt::format("Content-Length: {}\r\n\r\n{}", body.size(), body);
}

}  // namespace symbols::lsp
