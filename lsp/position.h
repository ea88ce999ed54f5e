// Positions and ranges as LSP 3.17 has them ("Basic JSON Structures", "Text Documents"), the unit in which
// their characters count, and where they are in a text.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace symbols::lsp {

// Zero-based line, and zero-based character in units of the negotiated position encoding (UTF-16 for us).
struct Position {
  std::uint32_t line = 0;
  std::uint32_t character = 0;

  auto operator<=>(const Position&) const = default;
};

// Half open: `end` is the position after the last character.
struct Range {
  Position start;
  Position end;

  bool operator==(const Range&) const = default;
};

// Whether `inner` lies within `outer`; equal ranges contain each other.
inline bool contains(const Range& outer, const Range& inner) {
  return outer.start <= inner.start && inner.end <= outer.end;
}

// The unit of a Position's character (PositionEncodingKind). Servers choose one of those that the client
// offered in general.positionEncodings; the default is UTF-16.
enum class PositionEncoding {
  utf8,   // bytes
  utf16,  // UTF-16 units
  utf32,  // Unicode code points
};

// The length in bytes of the shortest prefix of `text` that has at least `units` units and ends between
// characters; all of it if it has fewer.
std::size_t bytes_of_units(std::string_view text, std::size_t units, PositionEncoding encoding);

// The lines of a text, without their ends: LF, CRLF or CR. Never empty: a text that ends in a line end has an
// empty last line. Views into `text`.
std::vector<std::string_view> split_lines(std::string_view text);

// An index over text that the caller keeps alive and unchanged. `text` is valid UTF-8.
class PositionIndex {
 public:
  // How far into a range find() looks. Minified sources have lines of megabytes, and servers give thousands
  // of symbols a range that covers all of one.
  static constexpr std::size_t max_search = 64 * 1024;

  explicit PositionIndex(std::string_view text, PositionEncoding encoding = PositionEncoding::utf16);

  std::string_view text() const { return text_; }
  // The text of a range; empty where it ends before it starts.
  std::string_view text(const Range& range) const;
  std::size_t line_count() const { return lines_.size(); }

  // Byte offset of a position. A character past its line's end means the end, as LSP has it; a line past the
  // last one means the text's end; a position within a character (between two surrogates, say) means its end.
  // Takes logarithmic time, however long the line.
  std::size_t offset(Position position) const;
  // The position of a byte offset, which is a character's start or the text's end, in logarithmic time too.
  Position position(std::size_t offset) const;

  // The first occurrence of `name` within `range` that is not a part of a longer word, else the first, if
  // any. Occurrences that start more than `max_search` bytes into the range are not found.
  std::optional<Range> find(std::string_view name, const Range& range) const;

  // The word (is_word_character) that the position is in, or else the one that ends there; none if there is
  // no word or no such line. Takes time linear in the word.
  std::optional<Range> word_at(Position position) const;

 private:
  std::size_t start_of(std::string_view line) const {
    return static_cast<std::size_t>(line.data() - text_.data());
  }
  // Units of all characters that start before `offset`, which is not within a character.
  std::size_t units_before(std::size_t offset) const;

  std::string_view text_;
  PositionEncoding encoding_;
  std::vector<std::string_view> lines_;
  // Units of the characters before every 256th byte, so that long lines are counted once. Unused for UTF-8.
  std::vector<std::size_t> units_;
};

// Applies a TextDocumentContentChangeEvent (LSP 3.17, didChange) to `text`: replaces `range` by `new_text`,
// which is not a view of it; both are valid UTF-8. Positions are read as by PositionIndex::offset; a range
// whose end is before its start is swapped, as vscode-languageserver-textdocument does.
void apply_change(std::string& text, const Range& range, std::string_view new_text,
                  PositionEncoding encoding);

}  // namespace symbols::lsp
