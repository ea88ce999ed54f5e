#include "table/hover/markdown_inline.h"

#include <algorithm>
#include <cstddef>
#include <unordered_map>
#include <utility>
#include <vector>

#include "lsp/unicode.h"
#include "table/hover/html_entity.h"
#include "table/hover/markdown_emphasis.h"
#include "table/hover/markdown_link.h"
#include "table/whitespace.h"

namespace symbols::table {
namespace {

// The characters before and after a run of marks decide whether it opens or closes emphasis.
enum class Neighbour { space, punctuation, other };

Neighbour neighbour(std::string_view character) {
  if (character.empty() || whitespace_at(character) != 0) return Neighbour::space;
  if (static_cast<unsigned char>(character.front()) < 0x80) {
    return is_punctuation(character.front()) ? Neighbour::punctuation : Neighbour::other;
  }
  // General Punctuation, and that of CJK. Others count as letters.
  const char32_t c = lsp::decode_utf8(character).code_point;
  const bool punctuation = (c >= 0x2010 && c <= 0x206F) || (c >= 0x3001 && c <= 0x303F) || c == 0xA1 ||
                           c == 0xA7 || c == 0xAB || c == 0xB6 || c == 0xB7 || c == 0xBB || c == 0xBF;
  return punctuation ? Neighbour::punctuation : Neighbour::other;
}

// The bytes of the last character before `end`.
std::string_view character_before(std::string_view text, std::size_t end) {
  std::size_t start = end;
  while (start > 0 && end - start < 4) {
    --start;
    if ((static_cast<unsigned char>(text[start]) & 0xC0) != 0x80) break;
  }
  return text.substr(start, end - start);
}

// The bytes that Reducer::step() has a case for.
bool may_be_mark(char c) {
  switch (c) {
    case '\\':
    case '`':
    case '&':
    case '<':
    case '!':
    case '[':
    case ']':
    case '*':
    case '_':
    case '~':
      return true;
    default:
      return false;
  }
}

// The positions of runs of backticks by length, queried from left to right.
class BacktickRuns {
 public:
  explicit BacktickRuns(std::string_view text) {
    for (std::size_t i = text.find('`'); i < text.size(); i = text.find('`', i)) {
      const std::size_t end = std::min(text.find_first_not_of('`', i), text.size());
      (end - i == 1 ? single_ : longer_[end - i]).starts.push_back(i);
      i = end;
    }
  }

  // The first run of just `length` backticks at or after `position`, which never decreases; npos if there is
  // none.
  std::size_t next(std::size_t length, std::size_t position) {
    if (length == 1) return single_.next(position);
    const auto found = longer_.find(length);
    return found == longer_.end() ? std::string_view::npos : found->second.next(position);
  }

 private:
  struct Runs {
    std::vector<std::size_t> starts;
    std::size_t passed = 0;

    std::size_t next(std::size_t position) {
      while (passed < starts.size() && starts[passed] < position) ++passed;
      return passed < starts.size() ? starts[passed] : std::string_view::npos;
    }
  };
  Runs single_;  // most are
  std::unordered_map<std::size_t, Runs> longer_;
};

class Reducer {
 public:
  Reducer(std::string_view text, const LinkLabels& labels) : text_(text), labels_(labels), backticks_(text) {}

  std::string reduce() {
    out_.reserve(text_.size());
    while (position_ < text_.size()) step();
    for (const DelimiterRun& run : emphasis_.runs()) drop(run.offset, run.length - run.unused);
    return without_dropped();
  }

 private:
  struct Bracket {
    std::size_t offset;      // in out_
    std::size_t text_start;  // in text_
    bool image;
    bool glued;  // to a word before it, as in `a[i]`
  };

  void step() {
    const char c = text_[position_];
    switch (c) {
      case '\\':
        return backslash();
      case '`':
        return backtick();
      case '&':
        return entity();
      case '<':
        return angle();
      case '!':
        if (next_is('[')) return open_bracket(true);
        break;
      case '[':
        return open_bracket(false);
      case ']':
        return close_bracket();
      case '*':
      case '_':
      case '~':
        return delimiters(c);
      default:
        return plain();
    }
    copy(1);
  }

  // A stretch without marks.
  void plain() {
    std::size_t end = position_ + 1;
    while (end < text_.size() && !may_be_mark(text_[end])) ++end;
    copy(end - position_);
  }

  bool next_is(char c) const { return position_ + 1 < text_.size() && text_[position_ + 1] == c; }

  void copy(std::size_t count) {
    out_ += text_.substr(position_, count);
    position_ += count;
  }

  void drop(std::size_t offset, std::size_t count) {
    if (count > 0) dropped_.emplace_back(offset, count);
  }

  void backslash() {
    const bool escape = position_ + 1 < text_.size() &&
                        (is_punctuation(text_[position_ + 1]) || text_[position_ + 1] == '\n');
    if (escape) ++position_;
    copy(1);
  }

  void backtick() {
    const std::size_t end = std::min(text_.find_first_not_of('`', position_), text_.size());
    const std::size_t length = end - position_;
    const std::size_t close = backticks_.next(length, end);
    if (close == std::string_view::npos) return copy(length);
    out_ += text_.substr(end, close - end);
    position_ = close + length;
  }

  void entity() {
    const std::size_t length = append_entity(out_, text_.substr(position_));
    if (length == 0) return copy(1);
    position_ += length;
  }

  void angle() {
    if (text_.substr(position_).starts_with("<!--") && skip_comment()) return;
    const AngleSpan span = angle_span(text_.substr(position_));
    switch (span.kind) {
      case AngleSpan::Kind::none:
        return copy(1);
      case AngleSpan::Kind::tag:
        return copy(span.length);
      case AngleSpan::Kind::address:
        out_ += text_.substr(position_ + 1, span.length - 2);
        break;
      case AngleSpan::Kind::line_break:
        out_ += '\n';
        break;
    }
    position_ += span.length;
  }

  bool skip_comment() {
    constexpr std::string_view end = "-->";
    // Found once for all comments that start before it.
    if (comment_end_ < position_ + 4) comment_end_ = text_.find(end, position_ + 4);
    if (comment_end_ == std::string_view::npos) return false;
    position_ = comment_end_ + end.size();
    return true;
  }

  void open_bracket(bool image) {
    const bool glued =
        !image && position_ > 0 &&
        (is_word(text_[position_ - 1]) || text_[position_ - 1] == ']' || text_[position_ - 1] == ')');
    brackets_.push_back({out_.size(), position_ + (image ? 2 : 1), image, glued});
    copy(image ? 2 : 1);
  }

  void close_bracket() {
    if (brackets_.empty()) return copy(1);
    const Bracket open = brackets_.back();
    brackets_.pop_back();
    const bool within_link = !open.image && brackets_.size() < spent_;  // links cannot contain links
    spent_ = std::min(spent_, brackets_.size());
    const std::size_t tail = within_link ? 0 : link_tail(open);
    if (tail == 0) return copy(1);
    drop(open.offset, open.image ? 2 : 1);
    position_ += tail;
    if (!open.image) spent_ = brackets_.size();
  }

  // Bytes from the closing bracket to the end of the link; 0 if the brackets are only brackets.
  std::size_t link_tail(const Bracket& open) const {
    const std::string_view rest = text_.substr(position_ + 1);
    if (const std::size_t length = link_target_length(rest); length != 0) {
      const bool call = open.glued && !looks_like_address(rest.substr(0, length));
      return call ? 0 : length + 1;
    }
    if (labels_.empty()) return 0;
    constexpr std::size_t longest_label = 999;  // CommonMark's own limit
    std::string_view label = text_.substr(open.text_start, position_ - open.text_start);
    std::size_t length = 1;
    if (rest.starts_with('[')) {
      const std::size_t end = rest.substr(0, longest_label + 2).find_first_of("[]", 1);
      if (end == std::string_view::npos || rest[end] != ']') return 0;
      if (end > 1) label = rest.substr(1, end - 1);
      length = end + 2;
    }
    if (label.size() > longest_label || label.find_first_of("[]") != std::string_view::npos) return 0;
    if (!labels_.contains(link_label(label))) return 0;
    return length;
  }

  void delimiters(char mark) {
    const std::size_t end = std::min(text_.find_first_not_of(mark, position_), text_.size());
    DelimiterRun run{mark, end - position_, out_.size()};
    const std::string_view before = character_before(text_, position_);
    const std::string_view after = text_.substr(end, 4);
    const Neighbour left = neighbour(before);
    const Neighbour right = neighbour(after);
    const bool opens = right != Neighbour::space && (right == Neighbour::other || left != Neighbour::other);
    const bool closes = left != Neighbour::space && (left == Neighbour::other || right != Neighbour::other);
    // In CJK text, which has no spaces, `*` works within a word; in English it is a product there.
    const bool in_word = !before.empty() && !after.empty() && is_word(before[0]) && is_word(after[0]);
    const bool by_slash = before == "/" || after.starts_with('/');
    if (mark == '_') {
      run.can_open = opens && (!closes || left == Neighbour::punctuation);
      run.can_close = closes && (!opens || right == Neighbour::punctuation);
    } else if (mark == '*') {
      run.can_open = opens && !in_word && !by_slash;
      run.can_close = closes && !in_word && !by_slash;
    } else {
      run.can_open = opens && run.length == 2;
      run.can_close = closes && run.length == 2;
    }
    if (run.can_open || run.can_close) emphasis_.add(run);
    copy(run.length);
  }

  std::string without_dropped() {
    if (dropped_.empty()) return std::move(out_);
    std::ranges::sort(dropped_);
    std::string kept;
    kept.reserve(out_.size());
    std::size_t from = 0;
    for (const auto& [offset, count] : dropped_) {
      kept.append(out_, from, offset - from);
      from = offset + count;
    }
    return kept.append(out_, from);
  }

  std::string_view text_;
  const LinkLabels& labels_;
  BacktickRuns backticks_;
  std::size_t position_ = 0;
  std::size_t comment_end_ = 0;                               // of the next comment, npos if none ends
  std::string out_;                                           // with candidates for marks
  std::vector<std::pair<std::size_t, std::size_t>> dropped_;  // offset and bytes in out_
  EmphasisPairs emphasis_;
  std::vector<Bracket> brackets_;
  std::size_t spent_ = 0;  // brackets below this index enclose a link, so they are not links
};

}  // namespace

std::string markdown_inline_text(std::string_view text, const LinkLabels& labels) {
  return Reducer(text, labels).reduce();
}

}  // namespace symbols::table
