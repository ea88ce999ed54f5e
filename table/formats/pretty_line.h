// A line for people: pieces of text with spaces between them, coloured, cut to a width.
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

}  // namespace symbols::table
