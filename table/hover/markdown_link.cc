#include "table/hover/markdown_link.h"

#include "table/whitespace.h"

namespace symbols::table {
namespace {

constexpr std::size_t longest_target = 4096;  // the longest address that servers sent has 300 bytes
constexpr std::size_t deepest_parentheses = 32;

// A cursor that reads '\0' beyond the end.
class LinkScanner {
 public:
  explicit LinkScanner(std::string_view text) : text_(text.substr(0, longest_target)) {}

  char peek(std::size_t ahead = 0) const {
    return position_ + ahead < text_.size() ? text_[position_ + ahead] : '\0';
  }
  bool at_end() const { return position_ >= text_.size(); }
  void advance(std::size_t count = 1) { position_ += count; }
  std::size_t position() const { return position_; }
  std::string_view from(std::size_t start) const { return text_.substr(start, position_ - start); }

  bool take(char c) {
    if (peek() != c || at_end()) return false;
    advance();
    return true;
  }
  bool take(std::string_view word) {
    if (text_.substr(position_, word.size()) != word) return false;
    advance(word.size());
    return true;
  }
  bool skip_blanks() {
    const std::size_t start = position_;
    while (!at_end() && is_whitespace(peek())) advance();
    return position_ > start;
  }
  // Moves past the next `close` that no backslash precedes; false if `open` or the end comes first.
  bool skip_past(char close, char open) {
    for (; !at_end(); advance()) {
      if (peek() == '\\') {
        advance();
      } else if (peek() == close) {
        advance();
        return true;
      } else if (peek() == open) {
        return false;
      }
    }
    return false;
  }

 private:
  std::string_view text_;
  std::size_t position_ = 0;
};

bool skip_address(LinkScanner& scan) {
  if (scan.take('<')) return scan.skip_past('>', '<');
  std::size_t depth = 0;
  for (; !scan.at_end() && !is_whitespace(scan.peek()); scan.advance()) {
    if (scan.peek() == '\\') {
      scan.advance();
    } else if (scan.peek() == '(') {
      if (++depth > deepest_parentheses) return false;
    } else if (scan.peek() == ')') {
      if (depth == 0) return true;
      --depth;
    }
  }
  return depth == 0;
}

// The attributes of a tag, as HTML has them: `name`, `name=value`, `name="value"`.
bool skip_attributes(LinkScanner& scan) {
  while (scan.skip_blanks() && (is_word(scan.peek()) || scan.peek() == ':')) {
    while (is_word(scan.peek()) || scan.peek() == ':' || scan.peek() == '.' || scan.peek() == '-')
      scan.advance();
    if (!scan.take('=')) continue;
    if (scan.take('"')) {
      if (!scan.skip_past('"', '\0')) return false;
    } else if (scan.take('\'')) {
      if (!scan.skip_past('\'', '\0')) return false;
    } else {
      const std::size_t start = scan.position();
      while (!scan.at_end() && !is_whitespace(scan.peek()) && scan.peek() != '>') scan.advance();
      if (scan.position() == start) return false;
    }
  }
  return true;
}

AngleSpan tag_span(std::string_view text) {
  LinkScanner scan(text);
  scan.advance();
  const bool closing = scan.take('/');
  if (!is_letter(scan.peek())) return {};
  const std::size_t start = scan.position();
  while (is_letter(scan.peek()) || is_digit(scan.peek()) || scan.peek() == '-') scan.advance();
  const std::string_view name = scan.from(start);
  if (!closing && !skip_attributes(scan)) return {};
  scan.skip_blanks();
  if (!closing) scan.take('/');
  if (!scan.take('>')) return {};
  const bool line_break = name == "br" || name == "BR";
  return {line_break ? AngleSpan::Kind::line_break : AngleSpan::Kind::tag, scan.position()};
}

AngleSpan address_span(std::string_view text) {
  LinkScanner scan(text);
  scan.advance();
  bool mail = false;
  while (!scan.at_end() && scan.peek() != '>' && scan.peek() != '<' && !is_whitespace(scan.peek())) {
    if (scan.peek() == '@') mail = true;
    scan.advance();
  }
  const std::string_view address = text.substr(1, scan.position() - 1);
  if (!scan.take('>')) return {};
  const std::size_t scheme = address.find(':');
  const bool link = scheme != std::string_view::npos && scheme > 1 && is_letter(address.front()) &&
                    (address.substr(scheme).starts_with("://") || address.starts_with("mailto:"));
  if (!link && (!mail || !is_word(address.front()) || address.find('.') == std::string_view::npos)) return {};
  return {AngleSpan::Kind::address, scan.position()};
}

}  // namespace

std::size_t link_target_length(std::string_view text) {
  LinkScanner scan(text);
  if (!scan.take('(')) return 0;
  scan.skip_blanks();
  if (!skip_address(scan)) return 0;
  if (scan.skip_blanks()) {
    bool closed = true;
    if (scan.take('"')) {
      closed = scan.skip_past('"', '\0');
    } else if (scan.take('\'')) {
      closed = scan.skip_past('\'', '\0');
    } else if (scan.take('(')) {
      closed = scan.skip_past(')', '(');
    }
    if (!closed) return 0;
    scan.skip_blanks();
  }
  return scan.take(')') ? scan.position() : 0;
}

bool looks_like_address(std::string_view target) {
  return target.find_first_of("/#.:<") != std::string_view::npos;
}

AngleSpan angle_span(std::string_view text) {
  const AngleSpan address = address_span(text);
  return address.kind != AngleSpan::Kind::none ? address : tag_span(text);
}

}  // namespace symbols::table
