// The lines of a text document: they end at LF, CRLF or CR (LSP 3.17, "Text Documents").
#pragma once

#include <cstddef>
#include <string_view>

namespace symbols::lsp {

// Walks from line to line over a text that the caller keeps alive, in time linear in the text.
class Lines {
 public:
  explicit Lines(std::string_view text);

  // To the line behind; false on the last one. A text that ends in a line's end has an empty line behind it.
  bool next();
  // Byte offset of the line's first byte.
  std::size_t offset() const { return start_; }
  // The line without its end.
  std::string_view line() const;

 private:
  std::string_view text_;
  std::size_t start_ = 0;
  std::size_t line_feed_;  // the next one, npos where there is none; likewise
  std::size_t carriage_return_;
};

// `line` without the line's end that it may have.
std::string_view without_line_end(std::string_view line);

}  // namespace symbols::lsp
