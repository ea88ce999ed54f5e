#include "table/formats/pretty_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>

#include "lsp/unicode.h"
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
