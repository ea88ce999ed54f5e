// The lines of a text document: they end at LF, CRLF or CR (LSP 3.17, "Text Documents").
#pragma once

#include <cstddef>
#include <string_view>

namespace symbols::lsp {

// Walks from line to line over a text that the caller keeps alive, in time linear in the text.
class Lines {
 public:
  explicit Lines(std::string_view text);

  // Moves to the next line; false on the last one. A text that ends in a line end has an empty last line.
  bool next();
  // Byte offset of the line's first byte.
  std::size_t offset() const { return start_; }
  // The line without its end.
  std::string_view line() const;

 private:
  std::string_view text_;
  std::size_t start_ = 0;
  std::size_t line_feed_;  // the next one, or npos; likewise
  std::size_t carriage_return_;
};

// `line` without its line end, if it has one.
std::string_view without_line_end(std::string_view line);

}  // namespace symbols::lsp
