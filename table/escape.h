// Text from a source file or a server cannot forge anything (docs/spec.md, section 2): a cell cannot end
// itself or the row, move a terminal's cursor, or change the order in which characters are shown; nor can a
// message on standard error that quotes it.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "lsp/unicode.h"

namespace symbols::table {

// Where and why a cell cannot be unescaped. A reader of a whole text adds line and column of the cell.
struct EscapeFault {
  std::size_t offset = 0;  // of the offending backslash, in bytes of the cell
  std::string message;
};

// The escapes of one text format: `\\`, `\n`, `\r`, `\t`, a backslash before each of the format's own
// delimiters, `\xHH` for every other control character (C0, DEL, C1; HH its code point), `\u{HHHH}` for
// U+2028, U+2029 and the bidirectional controls. Everything else is unchanged UTF-8.
class CellEscape {
 public:
  enum class Style {
    cell,      // as above
    json,      // `\uhhhh` for the last two
    terminal,  // backslashes stay as they are
  };

  // `delimiters`: the ASCII marks that end something in the format, e.g. "|"; the text must outlive this. Not
  // letters, digits or the backslash; a tab is always escaped. Only Style::cell reads back.
  constexpr explicit CellEscape(std::string_view delimiters, Style style = Style::cell)
      : delimiters_(delimiters), style_(style) {
    for (std::size_t byte = 0; byte < 0x20; ++byte) letters_[byte] = control;
    letters_[0x7F] = control;
    for (std::size_t byte = 0x80; byte < 0x100; ++byte) letters_[byte] = multibyte;
    letters_['\n'] = 'n';
    letters_['\r'] = 'r';
    letters_['\t'] = 't';
    if (style != Style::terminal) letters_['\\'] = '\\';
    for (const char delimiter : delimiters) letters_[static_cast<unsigned char>(delimiter)] = delimiter;
  }

  // Appends `cell`, escaped. Each invalid byte of UTF-8 becomes U+FFFD, so the output is always valid.
  void append(std::string& out, std::string_view cell) const;
  std::string escaped(std::string_view cell) const {
    std::string out;
    append(out, cell);
    return out;
  }

  // Appends the unescaped `cell`, with invalid bytes of UTF-8 as U+FFFD. Characters that `append` would have
  // escaped are accepted, so text written by hand reads too. After a fault `out` holds a part.
  std::optional<EscapeFault> append_unescaped(std::string& out, std::string_view cell) const;

 private:
  // What to do with a byte: nothing, or the letter that goes after the backslash, or one of these two.
  static constexpr char plain = '\0';
  static constexpr char control = 'x';
  static constexpr char multibyte = '\1';

  void append_code(std::string& out, char32_t code_point) const;
  char letter_of(char byte) const { return letters_[static_cast<unsigned char>(byte)]; }
  // The character that `escape`, with its backslash, begins with, and its bytes; none for no escape.
  std::optional<lsp::Decoded> read_escape(std::string_view escape) const;

  std::string_view delimiters_;
  Style style_;
  std::array<char, 256> letters_{};
};

// The escapes of a format without delimiters.
inline constexpr CellEscape plain_escape("");

// `text` as a cell of such a format.
inline std::string escaped(std::string_view text) {
  return plain_escape.escaped(text);
}

// `text` in double quotes for an error message: escaped, at most 60 characters of it.
std::string quoted(std::string_view text);

// `text` in one line, with what CellEscape escapes made visible. Backslashes stay, because parts of a message
// may be escaped already. The result is for people and is not read back.
std::string terminal_text(std::string_view text);

// The same for text of several lines; line ends and tabs stay.
std::string terminal_lines(std::string_view text);

// The lines that may stand beside rows in a text of lines: where a file's answer begins (docs/spec.md,
// section 6), and what a budget took away (section 5). No row can look like them.
inline constexpr std::string_view truncated_start = "# truncated: ";
inline constexpr std::string_view file_start = "==> ";

// Escapes the first character of the line that starts at `start` and has been appended whole, `\x23` or
// `\x3D`, where it would be taken for one of these.
inline void mask_line_start(std::string& out, std::size_t start) {
  const auto starts_with = [&](std::string_view mark) { return out.compare(start, mark.size(), mark) == 0; };
  if (starts_with(truncated_start)) {
    out.replace(start, 1, "\\x23");
  } else if (starts_with(file_start)) {
    out.replace(start, 1, "\\x3D");
  }
}

}  // namespace symbols::table
