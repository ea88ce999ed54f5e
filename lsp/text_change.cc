#include "lsp/text_change.h"

#include <algorithm>
#include <cstdint>

#include "lsp/lines.h"

namespace symbols::lsp {
namespace {

// Finds positions in ascending order from the start of a text.
class ForwardSearch {
 public:
  ForwardSearch(std::string_view text, PositionEncoding encoding)
      : lines_(text), size_(text.size()), encoding_(encoding) {}

  std::size_t offset(Position position) {
    for (; number_ < position.line; ++number_) {
      if (!lines_.next()) return size_;
    }
    return lines_.offset() + bytes_of_units(lines_.line(), position.character, encoding_);
  }

 private:
  Lines lines_;
  std::size_t size_;
  PositionEncoding encoding_;
  std::uint32_t number_ = 0;  // of the current line of lines_
};

}  // namespace

void apply_change(std::string& text, const std::optional<Range>& range, std::string_view new_text,
                  PositionEncoding encoding) {
  if (!range) {
    text.assign(new_text);
    return;
  }
  const auto [start, end] = std::minmax(range->start, range->end);
  ForwardSearch search(text, encoding);
  const std::size_t from = search.offset(start);
  const std::size_t to = search.offset(end);
  text.replace(from, to - from, new_text);
}

}  // namespace symbols::lsp
