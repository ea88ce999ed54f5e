#include "lsp/document_text.h"

#include <algorithm>

#include "lsp/unicode.h"

namespace symbols::lsp {
namespace {

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
}

std::size_t DocumentText::offset(Position position) const {
  if (position.line >= lines_.size()) return text_.size();
  const std::size_t start = lines_[position.line];
  std::size_t end = position.line + 1 < lines_.size() ? lines_[position.line + 1] : text_.size();
  while (end > start && (text_[end - 1] == '\n' || text_[end - 1] == '\r')) --end;
  std::size_t at = start;
  std::size_t units = 0;
  while (at < end && units < position.character) {
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
          static_cast<std::uint32_t>(utf16_length(text_.substr(lines_[line], offset - lines_[line])))};
}

std::optional<Range> DocumentText::find(std::string_view name, const Range& range) const {
  if (name.empty()) return {};
  const std::size_t from = offset(range.start);
  const std::size_t to = offset(range.end);
  if (to < from) return {};
  const std::string_view part = text_.substr(from, to - from);
  std::size_t first = part.find(name);
  if (first == std::string_view::npos) return {};
  for (std::size_t at = first; at != std::string_view::npos; at = part.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    const bool starts = at == 0 || !is_word(part[at - 1]) || !is_word(name.front());
    const bool ends = end == part.size() || !is_word(part[end]) || !is_word(name.back());
    if (starts && ends) {
      first = at;
      break;
    }
  }
  return Range{position(from + first), position(from + first + name.size())};
}

}  // namespace symbols::lsp
