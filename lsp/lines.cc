#include "lsp/lines.h"

#include <algorithm>

namespace symbols::lsp {

// Each kind of end is searched separately, by memchr: searching for either takes many times as long.
Lines::Lines(std::string_view text)
    : text_(text), line_feed_(text.find('\n')), carriage_return_(text.find('\r')) {}

bool Lines::next() {
  std::size_t end = std::min(line_feed_, carriage_return_);
  if (end == std::string_view::npos) return false;
  if (end == carriage_return_ && line_feed_ == end + 1) ++end;
  start_ = end + 1;
  // A find further on is kept, so that no byte is searched twice for one kind.
  if (line_feed_ < start_) line_feed_ = text_.find('\n', start_);
  if (carriage_return_ < start_) carriage_return_ = text_.find('\r', start_);
  return true;
}

std::string_view Lines::line() const {
  return text_.substr(start_, std::min({line_feed_, carriage_return_, text_.size()}) - start_);
}

std::string_view without_line_end(std::string_view line) {
  if (line.ends_with('\n')) line.remove_suffix(1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

}  // namespace symbols::lsp
