#include "lsp/document_text.h"

#include <algorithm>

#include "lsp/unicode.h"

namespace symbols::lsp {
namespace {

// Bytes between two places up to which the units are counted beforehand.
constexpr std::size_t stride = 256;

bool is_continuation(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

bool is_word(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x80 || c == '_' || c == '$' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
         (c >= 'a' && c <= 'z');
}

}  // namespace

DocumentText::DocumentText(std::string_view text) : text_(text), lines_{0} {
  for (std::size_t at = text.find_first_of("\r\n"); at != std::string_view::npos;
       at = text.find_first_of("\r\n", at + 1)) {
    if (text[at] == '\r' && at + 1 < text.size() && text[at + 1] == '\n') ++at;
    lines_.push_back(at + 1);
  }
  units_.reserve(text.size() / stride + 1);
  units_.push_back(0);
  for (std::size_t at = 0; at + stride <= text.size(); at += stride)
    units_.push_back(units_.back() + utf16_length(text.substr(at, stride)));
}

std::size_t DocumentText::units_before(std::size_t offset) const {
  const std::size_t counted = offset / stride;
  return units_[counted] + utf16_length(text_.substr(counted * stride, offset - counted * stride));
}

std::size_t DocumentText::offset(Position position) const {
  if (position.line >= lines_.size()) return text_.size();
  const std::size_t start = lines_[position.line];
  std::size_t end = position.line + 1 < lines_.size() ? lines_[position.line + 1] : text_.size();
  while (end > start && (text_[end - 1] == '\n' || text_[end - 1] == '\r')) --end;
  std::size_t at = start;
  std::size_t units = units_before(start);
  const std::size_t wanted = units + position.character;
  const auto reaches = std::lower_bound(units_.begin(), units_.end(), wanted);
  if (reaches != units_.begin()) {
    // The last counted place that is before the position; it may stand within a character, which it counts.
    const auto counted = static_cast<std::size_t>(reaches - units_.begin()) - 1;
    if (counted * stride > at) {
      at = std::min(counted * stride, end);
      units = units_[counted];
      while (at < end && is_continuation(text_[at])) ++at;
    }
  }
  while (at < end && units < wanted) {
    const Decoded c = decode_utf8(text_.substr(at));
    units += c.code_point >= 0x10000 ? 2 : 1;
    at += c.length;
  }
  return at;
}

Position DocumentText::position(std::size_t offset) const {
  const auto after = std::upper_bound(lines_.begin(), lines_.end(), offset);
  const auto line = static_cast<std::size_t>(after - lines_.begin()) - 1;
  return {static_cast<std::uint32_t>(line),
          static_cast<std::uint32_t>(units_before(offset) - units_before(lines_[line]))};
}

std::optional<Range> DocumentText::find(std::string_view name, const Range& range) const {
  if (name.empty()) return {};
  const std::size_t from = offset(range.start);
  const std::size_t to = offset(range.end);
  if (to < from) return {};
  const std::string_view whole = text_.substr(from, to - from);
  const std::string_view part = whole.substr(0, longest_search + name.size());
  std::size_t first = part.find(name);
  if (first == std::string_view::npos) return {};
  for (std::size_t at = first; at != std::string_view::npos; at = part.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    const bool starts = at == 0 || !is_word(whole[at - 1]) || !is_word(name.front());
    const bool ends = end == whole.size() || !is_word(whole[end]) || !is_word(name.back());
    if (starts && ends) {
      first = at;
      break;
    }
  }
  return Range{position(from + first), position(from + first + name.size())};
}

}  // namespace symbols::lsp
