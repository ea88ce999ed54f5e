// Lines for a terminal, no wider than its page: pieces of text with spaces between them, coloured, cut to a
// width; and text that is wrapped.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace symbols::table {

struct PrettyStyle {
  std::size_t width = 0;  // the most columns of a line; 0: any number
  bool colour = false;
};

// Select Graphic Rendition parameters of ECMA-48: the basic colours, which follow the user's theme.
namespace colours {
inline constexpr std::string_view none;
inline constexpr std::string_view dim = "2";
inline constexpr std::string_view red = "31";
inline constexpr std::string_view green = "32";
inline constexpr std::string_view yellow = "33";
inline constexpr std::string_view blue = "34";
inline constexpr std::string_view magenta = "35";
inline constexpr std::string_view cyan = "36";
}  // namespace colours

struct PrettyPiece {
  std::size_t spaces = 0;  // before it
  std::string text;        // without control characters
  std::size_t width = 0;   // of the text
  std::string_view colour{};
};

// Makes characters that could control a terminal visible (escape.h).
PrettyPiece pretty_piece(std::size_t spaces, std::string_view text, std::string_view colour);

// The columns of a line of these pieces.
std::size_t pretty_width(const std::vector<PrettyPiece>& line);

// Appends the line, without a newline. One that is wider than the style's width ends in `…` there.
void append_pretty_line(std::string& out, const std::vector<PrettyPiece>& line, PrettyStyle style);

// Breaks the lines of `out` from byte `start` on at spaces, so that they have at most `width` columns; 0: any
// number. What follows a break is indented by two spaces. A word that is wider than that stays whole, to be
// copied.
void wrap_lines(std::string& out, std::size_t start, std::size_t width);

// `line`, whose only control characters are tabs (to every eighth column), ended by `…` where it has more
// than `width` columns; 0: any number.
std::string cut_to_width(std::string_view line, std::size_t width);

}  // namespace symbols::table
