#include "lsp/position.h"

#include <algorithm>
#include <iterator>

#include "lsp/unicode.h"

namespace symbols::lsp {
namespace {

// Bytes between two offsets whose units are counted in advance.
constexpr std::size_t stride = 256;

// The units of `text`, valid UTF-8. A character counts at its first byte: if a text is cut within a
// character, the first part has all its units, except in UTF-8, where each byte is one.
std::size_t count_units(std::string_view text, PositionEncoding encoding) {
  if (encoding == PositionEncoding::utf8) return text.size();
  return encoding == PositionEncoding::utf16 ? utf16_length(text) : scalar_count(text);
}

// Walks the lines of a text. Each kind of end has its own memchr: a search for either is many times as slow.
class Lines {
 public:
  explicit Lines(std::string_view text)
      : text_(text), line_feed_(text.find('\n')), carriage_return_(text.find('\r')) {}

  // False after the last line.
  bool next() {
    std::size_t end = std::min(line_feed_, carriage_return_);
    if (end == std::string_view::npos) return false;
    if (end == carriage_return_ && line_feed_ == end + 1) ++end;
    start_ = end + 1;
    // A find further on is kept, so that no byte is searched twice for one kind.
    if (line_feed_ < start_) line_feed_ = text_.find('\n', start_);
    if (carriage_return_ < start_) carriage_return_ = text_.find('\r', start_);
    return true;
  }
  std::string_view line() const {  // without its end
    return text_.substr(start_, std::min({line_feed_, carriage_return_, text_.size()}) - start_);
  }
  std::size_t offset() const { return start_; }

 private:
  std::string_view text_;
  std::size_t line_feed_;
  std::size_t carriage_return_;
  std::size_t start_ = 0;
};

}  // namespace

std::size_t bytes_of_units(std::string_view text, std::size_t units, PositionEncoding encoding) {
  std::size_t at = 0;
  if (encoding == PositionEncoding::utf8) {
    at = std::min(units, text.size());
    while (at < text.size() && is_utf8_continuation(text[at])) ++at;
    return at;
  }
  while (units > 0 && at < text.size()) {
    const std::string_view near = text.substr(at, units);
    const std::size_t ascii = std::min(find_non_ascii(near), near.size());
    at += ascii;
    units -= ascii;
    // Such characters come in runs.
    while (units > 0 && at < text.size() && static_cast<unsigned char>(text[at]) >= 0x80) {
      const std::size_t length = decode_utf8(text.substr(at)).length;
      units -= std::min(units, count_units(text.substr(at, length), encoding));
      at += length;
    }
  }
  return at;
}

std::vector<std::string_view> split_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  Lines walk(text);
  do {
    lines.push_back(walk.line());
  } while (walk.next());
  return lines;
}

PositionIndex::PositionIndex(std::string_view text, PositionEncoding encoding)
    : text_(text), encoding_(encoding), lines_(split_lines(text)) {
  if (encoding == PositionEncoding::utf8) return;
  units_.reserve(text.size() / stride + 1);
  units_.push_back(0);
  for (std::size_t at = 0; at + stride <= text.size(); at += stride)
    units_.push_back(units_.back() + count_units(text.substr(at, stride), encoding));
}

std::string_view PositionIndex::text(const Range& range) const {
  const std::size_t from = offset(range.start);
  const std::size_t to = offset(range.end);
  return from < to ? text_.substr(from, to - from) : std::string_view();
}

std::size_t PositionIndex::units_before(std::size_t offset) const {
  if (encoding_ == PositionEncoding::utf8) return offset;
  const std::size_t counted = offset / stride;
  return units_[counted] + count_units(text_.substr(counted * stride, offset - counted * stride), encoding_);
}

std::size_t PositionIndex::offset(Position position) const {
  if (position.line >= lines_.size()) return text_.size();
  const std::size_t start = start_of(lines_[position.line]);
  const std::size_t end = start + lines_[position.line].size();
  std::size_t at = start;
  std::size_t units = units_before(start);
  const std::size_t wanted = units + position.character;
  const auto reaches = std::lower_bound(units_.begin(), units_.end(), wanted);
  if (reaches != units_.begin()) {
    // The last counted offset before the position; it may be within a character, which it includes.
    const auto counted = static_cast<std::size_t>(reaches - units_.begin()) - 1;
    if (counted * stride > at) {
      at = std::min(counted * stride, end);
      units = units_[counted];
      while (at < end && is_utf8_continuation(text_[at])) ++at;
    }
  }
  return at + bytes_of_units(text_.substr(at, end - at), wanted - units, encoding_);
}

Position PositionIndex::position(std::size_t offset) const {
  const auto after =
      std::ranges::upper_bound(lines_, offset, {}, [this](std::string_view line) { return start_of(line); });
  const auto line = std::prev(after);
  return {static_cast<std::uint32_t>(line - lines_.begin()),
          static_cast<std::uint32_t>(units_before(offset) - units_before(start_of(*line)))};
}

std::optional<Range> PositionIndex::find(std::string_view name, const Range& range) const {
  if (name.empty()) return {};
  const std::size_t from = offset(range.start);
  const std::string_view whole = text(range);
  const std::string_view part = whole.substr(0, max_search + name.size());
  std::size_t first = part.find(name);
  if (first == std::string_view::npos) return {};
  for (std::size_t at = first; at != std::string_view::npos; at = part.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    const bool starts =
        trailing_word_character(whole.substr(0, at)) == 0 || leading_word_character(name) == 0;
    const bool ends = leading_word_character(whole.substr(end)) == 0 || trailing_word_character(name) == 0;
    if (starts && ends) {
      first = at;
      break;
    }
  }
  return Range{position(from + first), position(from + first + name.size())};
}

std::optional<Range> PositionIndex::word_at(Position position) const {
  if (position.line >= lines_.size()) return {};
  const std::size_t at = offset(position);
  std::size_t start = at;
  while (const std::size_t length = trailing_word_character(text_.substr(0, start))) start -= length;
  std::size_t end = at;
  while (const std::size_t length = leading_word_character(text_.substr(end))) end += length;
  if (start == end) return {};
  return Range{this->position(start), this->position(end)};
}

void apply_change(std::string& text, const Range& range, std::string_view new_text,
                  PositionEncoding encoding) {
  const auto [start, end] = std::minmax(range.start, range.end);
  Lines lines(text);
  std::uint32_t number = 0;  // of its current line
  // To be called for positions in ascending order.
  const auto offset = [&](Position position) {
    for (; number < position.line; ++number) {
      if (!lines.next()) return text.size();
    }
    return lines.offset() + bytes_of_units(lines.line(), position.character, encoding);
  };
  const std::size_t from = offset(start);
  const std::size_t to = offset(end);
  text.replace(from, to - from, new_text);
}

}  // namespace symbols::lsp
