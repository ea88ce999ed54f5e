#include "table/page_lines.h"

#include <algorithm>

#include "lsp/unicode.h"
#include "table/display_width.h"

namespace symbols::table {

void wrap_lines(std::string& out, std::size_t start, std::size_t width) {
  if (width == 0) return;
  const std::string text = out.substr(start);
  out.resize(start);
  std::size_t column = 0;
  for (std::size_t i = 0; i < text.size();) {
    // With the space or newline before it.
    const std::size_t end = std::min(text.find_first_of(" \n", i + 1), text.size());
    std::string_view word = std::string_view(text).substr(i, end - i);
    i = end;
    if (word.front() == '\n') {
      column = display_width(word.substr(1));
    } else if (column += display_width(word); column > width && word.size() > 1 && word.front() == ' ') {
      word.remove_prefix(1);
      out += "\n  ";
      column = 2 + display_width(word);
    }
    out += word;
  }
}

std::string cut_to_width(std::string_view line, std::size_t width) {
  std::size_t column = 0;
  std::size_t kept = 0;  // with a column left for the `…`
  for (std::size_t end = 0; width > 0 && end < line.size();) {
    const std::string_view rest = line.substr(end);
    const std::size_t length = rest.front() == '\t' ? 1 : lsp::decode_utf8(rest).length;
    column = rest.front() == '\t' ? (column / 8 + 1) * 8 : column + display_width(rest.substr(0, length));
    end += length;
    if (column < width) kept = end;
    if (column > width) return std::string(line.substr(0, kept)) + "…";
  }
  return std::string(line);
}

}  // namespace symbols::table
