// What the formats share, both ways: rows as columns, with the text of each field, which is escaped or quoted
// as the format has it (docs/spec.md, sections 1 and 2); the path to a row; the lines of a text.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/text.h"
#include "lsp/position.h"
#include "table/escape.h"
#include "table/rows.h"

namespace symbols::table {

// The content of one cell, not yet escaped.
struct CellText {
  enum class Form {
    number,  // decimal digits, perhaps with a minus
    word,    // ASCII letters, digits and `:-`: nothing that any format escapes
    text,    // anything, valid UTF-8 or not
  };
  Form form = Form::text;
  std::string_view text;
  // For PARENT, the mark that distinguishes rows of the same name: `\^2`, `\^` or nothing. A format appends
  // it to the escaped text, or encodes both in a way that reads back.
  std::string_view mark{};
};

// A PARENT cell without that mark, `\^D`, D the parent's depth, or `\^` for "no row" (docs/spec.md, section
// 2): views of the cell.
struct MarkedParent {
  std::string_view name;
  std::optional<std::string_view> digits;  // after `\^`; none if there is no mark
};

// Splits an unescaped cell. A name that ends like a mark always has a mark after it.
inline MarkedParent split_parent_mark(std::string_view cell) {
  const std::size_t last = cell.find_last_not_of("0123456789");
  if (last == std::string_view::npos || last == 0 || cell[last] != '^' || cell[last - 1] != '\\')
    return {cell, {}};
  return {cell.substr(0, last - 1), cell.substr(last + 1)};
}

// The path from the root to the row before the current one: which row is the parent of the current one.
// Shared by the writers and the readers, so they cannot disagree. Rows enter it in pre-order.
class ParentPath {
 public:
  // Rows with more rows above them always have a mark, so that no reader searches there.
  static constexpr std::size_t max_searched = 256;

  // Reads names and ranges of `rows`, which may grow but must outlive the path.
  explicit ParentPath(const std::vector<Row>& rows) : rows_(rows) {}

  // Row `row` follows at `depth`: the path from there on is left. If `depth` is beyond the path's end, the
  // row goes to its end. Returns its parent as Row::parent has it.
  std::int32_t enter(std::size_t row, std::size_t depth) {
    path_.resize(std::min(depth, path_.size()));
    const std::int32_t parent = path_.empty() ? -1 : static_cast<std::int32_t>(path_.back());
    path_.push_back(row);
    return parent;
  }

  // The depth of a row directly inside `row`; none if that is not on the path.
  std::optional<std::size_t> depth_inside(std::size_t row) const {
    for (std::size_t depth = path_.size(); depth > 0; --depth) {
      if (path_[depth - 1] == row) return depth;
    }
    return {};
  }

  // Number of rows on the path, and the one at `depth`, which must be below size().
  std::size_t size() const { return path_.size(); }
  std::size_t row_at(std::size_t depth) const { return path_[depth]; }

  // The rule of a PARENT cell (docs/spec.md, section 2): of the rows on the path named `name`, the depth of
  // the deepest whose range contains `range`, else of the deepest; none if no row has the name. Only the
  // deepest max_searched rows are compared.
  std::optional<std::size_t> find(std::string_view name, const lsp::Range& range) const;

 private:
  const std::vector<Row>& rows_;
  std::vector<std::size_t> path_;
};

// Appends `line:start-end` if the range is on one line, else `startLine:start-endLine:end`; zero-based, in
// the units of lsp::Position.
void append_range(std::string& out, const lsp::Range& range);

// Reads exactly what append_range() writes: no spaces, signs or leading zeros, and the short form whenever
// possible, so a range has only one text. None for anything else, and for a number above 4294967295.
std::optional<lsp::Range> parse_range(std::string_view text);

// The whole of `text` as a number in its only spelling: digits without leading zeros, with an optional minus
// for a signed Integer. None for anything else, and for numbers that an Integer cannot hold.
template <class Integer>
std::optional<Integer> parse_number(std::string_view text) {
  const std::string_view digits = text.substr(text.starts_with('-') ? 1 : 0);
  if (digits.starts_with('0') && text != "0") return {};
  return whole_number<Integer>(text);
}

// Sets `field` of `row`, which must not be the parent, from its unescaped cell; what follows from other
// fields (lines, depth, children) is only checked. Returns what is wrong, if anything: "expected …, found …".
std::optional<std::string> read_cell(Row& row, Field field, std::string text);

// The deepest level that is indented; the spaces before 100,000 levels would be gigabytes.
inline constexpr std::size_t max_indent = 100;

// The cells of rows, in the order of the rows.
class RowCells {
 public:
  // Only fields that `view` shows may be requested. `rows` must outlive this.
  RowCells(const SymbolRows& rows, const View& view);

  // Moves to the first row, then to the next; false after the last.
  bool next();
  // The cell of the current row. The views live until the next call.
  CellText cell(Field field);
  // The cell of PARENT, always with a mark except for a row at top level, which has none.
  CellText marked_parent();

 private:
  static constexpr auto before_first = static_cast<std::size_t>(-1);  // one before row 0

  CellText parent();
  CellText number(std::int64_t number);
  const Row& row() const { return rows_.all[row_]; }

  const SymbolRows& rows_;
  bool kind_names_;
  bool follows_path_;                    // the view shows parents
  std::vector<std::uint32_t> depths_;    // empty if not needed
  std::vector<std::uint32_t> children_;  // likewise
  ParentPath path_;
  std::size_t row_ = before_first;
  std::string scratch_;
};

// With View::positions: starts a line, whose first symbol is in `row`, with its selection's start: `22:16\t`.
void append_position(std::string& out, const View& view, const SymbolRows& rows, std::size_t row);

// A base of readers. Functions that return false have set error_.
class LineReader {
 protected:
  // `what` the text is, for errors: "the table". It and the text must outlive this.
  LineReader(std::string_view what, std::string_view text) : rest_(text), what_(what) {}

  // To the next line, without its newline or CR LF. To be called while rest_ is not empty, and once at first.
  void next_line();
  // To the next line of a text that a budget's notice may end; false after the last one before it.
  bool next_row();

  // Puts the error at `offset` bytes in the line, or where `part`, which is a part of the line, starts.
  bool fail(std::size_t offset, std::string_view what_is_wrong, std::string advice = {});
  bool fail_in(std::string_view part, std::string_view what_is_wrong, std::string advice = {}) {
    return fail(offset_of(part), what_is_wrong, std::move(advice));
  }
  // Appends what `cell`, which is a part of the line, stands for; `what` it is, for the error.
  bool read_text(const CellEscape& escape, std::string_view what, std::string_view cell, std::string& out);
  // That the part is not what was expected.
  bool fail_expected(std::string_view part, std::string_view expected);
  std::size_t offset_of(std::string_view part) const {
    return static_cast<std::size_t>(part.data() - line_.data());
  }

  std::string_view rest_;  // what follows line_
  std::string_view line_;
  std::size_t line_number_ = 0;
  Error error_;

 private:
  std::string_view what_;
};

}  // namespace symbols::table
