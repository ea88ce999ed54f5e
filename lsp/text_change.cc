#include "lsp/text_change.h"

#include <algorithm>
#include <cstdint>

#include "lsp/lines.h"

namespace symbols::lsp {

void apply_change(std::string& text, const std::optional<Range>& range, std::string_view new_text,
                  PositionEncoding encoding) {
  if (!range) {
    text.assign(new_text);
    return;
  }
  const auto [start, end] = std::minmax(range->start, range->end);
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
