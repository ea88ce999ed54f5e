#include "table/formats/pretty_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>

#include "table/display_width.h"
#include "table/escape.h"

namespace symbols::table {
namespace {

void append_coloured(std::string& out, std::string_view text, std::string_view colour, bool coloured) {
  if (!coloured || colour.empty()) {
    out += text;
  } else {
    fmt::format_to(std::back_inserter(out), "\x1B[{}m{}\x1B[0m", colour, text);
  }
}

}  // namespace

PrettyPiece pretty_piece(std::size_t spaces, std::string_view text, std::string_view colour) {
  PrettyPiece piece{spaces, terminal_text(text), 0, colour};
  piece.width = display_width(piece.text);
  return piece;
}

std::size_t pretty_width(const std::vector<PrettyPiece>& line) {
  std::size_t width = 0;
  for (const PrettyPiece& piece : line) width += piece.spaces + piece.width;
  return width;
}

void append_pretty_line(std::string& out, const std::vector<PrettyPiece>& line, PrettyStyle style) {
  const bool cut = style.width > 0 && pretty_width(line) > style.width;
  // One column is for the `…`.
  std::size_t left = cut ? style.width - 1 : std::numeric_limits<std::size_t>::max();
  for (const PrettyPiece& piece : line) {
    const std::size_t spaces = std::min(piece.spaces, left);
    out.append(spaces, ' ');
    left -= spaces;
    if (piece.width > left || (cut && spaces < piece.spaces)) {
      std::string start = piece.text.substr(0, prefix_of_width(piece.text, left));
      append_coloured(out, start + "…", piece.colour, style.colour);
      return;
    }
    append_coloured(out, piece.text, piece.colour, style.colour);
    left -= piece.width;
  }
}

}  // namespace symbols::table
