// A document's text by LSP positions: lines end at LF, CRLF or CR (LSP 3.17, "Text Documents"), characters
// count in the units of the position encoding, UTF-16 unless another was negotiated.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lsp/position_encoding.h"
#include "lsp/range.h"

namespace symbols::lsp {

// An index over text that the caller keeps alive and unchanged. `text` is valid UTF-8.
class PositionIndex {
 public:
  // How far into a range find() looks. Minified sources have lines of megabytes, and servers give thousands
  // of symbols a range that covers all of one.
  static constexpr std::size_t longest_search = 64 * 1024;

  explicit PositionIndex(std::string_view text, PositionEncoding encoding = PositionEncoding::utf16);

  std::string_view text() const { return text_; }
  // The text of a range; empty where it ends before it starts.
  std::string_view text(const Range& range) const;
  std::size_t line_count() const { return lines_.size(); }

  // Byte offset of a position. A character past its line's end means the end, as LSP has it; a line past the
  // last one means the text's end; a position within a character (between two surrogates, say) means its end.
  // Takes logarithmic time, however long the line.
  std::size_t offset(Position position) const;
  // The position of a byte offset, which must be at a character's start or the text's end. Takes logarithmic
  // time, too.
  Position position(std::size_t offset) const;

  // The first occurrence of `name` within `range` that is not a part of a longer word, else the first
  // occurrence; none if there is none. Occurrences that start more than `longest_search` bytes into the range
  // are not found.
  std::optional<Range> find(std::string_view name, const Range& range) const;

  // The word (word_character.h) that the position is in, or else the one that ends there; none if there is no
  // word or no such line. Takes time linear in the word.
  std::optional<Range> word_at(Position position) const;

 private:
  // Units of all characters that start before `offset`, which is not within a character.
  std::size_t units_before(std::size_t offset) const;

  std::string_view text_;
  PositionEncoding encoding_;
  std::vector<std::size_t> lines_;  // offset of each line's first byte
  // Units of all characters that start before every 256th byte, so that long lines are not counted again.
  // Unused for UTF-8.
  std::vector<std::size_t> units_;
};

// Applies one TextDocumentContentChangeEvent (LSP 3.17, didChange) to `text`, valid UTF-8: replaces `range`,
// or the whole text if there is none, by `new_text`, valid UTF-8 that is not a view of `text`. The changes of
// one notification are applied in order, each to the result of the one before. Positions are read as by
// PositionIndex::offset; a range whose end is before its start is swapped, as
// vscode-languageserver-textdocument does. Takes one pass over the text, without an index.
void apply_change(std::string& text, const std::optional<Range>& range, std::string_view new_text,
                  PositionEncoding encoding);

}  // namespace symbols::lsp
