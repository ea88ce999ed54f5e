// Rows as columns: the text of each field, and rows read back from these texts. `table`, `tsv` and `toon`
// share it, so a cell has the same text in each; escaping or quoting is up to the format (docs/spec.md,
// sections 1 and 2).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "table/escape.h"
#include "table/field.h"
#include "table/parent_path.h"
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

// Of an unescaped cell (toon). A name that ends like a mark always has a mark after it.
inline MarkedParent split_parent_mark(std::string_view cell) {
  const std::size_t last = cell.find_last_not_of("0123456789");
  if (last == std::string_view::npos || last == 0 || cell[last] != '^' || cell[last - 1] != '\\')
    return {cell, {}};
  return {cell.substr(0, last - 1), cell.substr(last + 1)};
}

// Of a cell that is still escaped (table, tsv). A name that ends like a mark has its backslash escaped.
inline MarkedParent split_escaped_parent_mark(std::string_view cell) {
  const MarkedParent marked = split_parent_mark(cell);
  if (!marked.digits) return marked;
  // With an even number of backslashes, they escape each other, and the `^` belongs to the name.
  const std::size_t name_end = marked.name.find_last_not_of('\\') + 1;  // npos + 1 is 0
  const std::size_t backslashes = 1 + marked.name.size() - name_end;
  return backslashes % 2 == 0 ? MarkedParent{cell, {}} : marked;
}

// The two parts of the hover of row `row`; empty if it has none.
const HoverText& hover_parts_at(const SymbolRows& rows, std::size_t row);

// An estimate of the bytes that the shown names and hovers of the rows take, with `beside` for the rest of
// each row, so that a writer seldom has to reallocate.
std::size_t expected_size(const SymbolRows& rows, const View& view, std::size_t beside);

// The cells of rows, in the order of the rows.
class RowCells {
 public:
  // Only fields that `view` shows may be requested. `rows` must outlive this. Bytes of names that are not
  // UTF-8 are replaced by U+FFFD first, so names compare as they will for a reader.
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
  const lsp::DocumentSymbol& symbol() const { return rows_->tree.symbols[row_]; }

  std::optional<SymbolRows> mended_;  // a copy, if bytes had to be replaced
  const SymbolRows* rows_;
  bool kind_names_;
  bool follows_path_;                    // the view shows parents
  std::vector<std::uint32_t> depths_;    // empty if not needed
  std::vector<std::uint32_t> children_;  // likewise
  ParentPath path_;
  std::size_t row_ = before_first;
  std::string scratch_;
};

// With View::positions: starts a line whose first symbol is in `row` with the start of its selection and a
// tab, `22:16\t`.
void append_position(std::string& out, const View& view, const SymbolRows& rows, std::size_t row);

// How a format lays out its cells in lines.
struct CellLayout {
  std::string_view (*title)(Field);  // what it calls a field
  std::string_view separator;
  const CellEscape& escape;
  // A further column, with the same cell in each row; an empty title: none.
  std::string_view last_title{};
  std::string_view last_cell{};
};

// A header and a line for each row, joined by newlines. No line can be taken for another part of an answer
// (line_start.h).
std::string write_cells(const SymbolRows& rows, const View& view, const CellLayout& layout);

// The required fields that are missing in `fields`, as a list for an error: "kind, parent or depth". Empty if
// all are there: name, kind, range, and parent or depth. `title` names a field as the format does.
std::string missing_fields(const std::vector<Field>& fields, std::string_view (*title)(Field));

// Rows out of cells. For each row: start_row, then one cell of each field, then end_row. A returned message
// means that the cell does not fit its field and the rows are unusable: it says what was expected and found,
// and the reader adds the field and the position of the cell.
//
// Without `selection` a row gets the empty range at its range's start, and the rows tell that they lack it;
// without `parent` nesting comes from `depth`, where it is there. `lines` and `children` are looked at and
// forgotten, for they follow from the others; so is `depth` beside `parent`. `signature` and `doc` become
// hover_parts.
class RowBuilder {
 public:
  using Fault = std::optional<std::string>;

  // At least name, kind, range, and parent or depth: see missing_fields.
  explicit RowBuilder(const std::vector<Field>& fields);

  void reserve(std::size_t rows) { rows_.tree.symbols.reserve(rows); }
  std::size_t size() const { return rows_.tree.symbols.size(); }

  void start_row();
  // `cell`: unescaped. Of a parent, without its mark.
  Fault put(Field field, std::string_view cell);
  // After a parent's cell: what follows its `\^`.
  void put_parent_mark(std::string_view mark) { mark_ = mark; }
  // Settles where the row lies; what is wrong is so with the cell of nesting_field().
  Fault end_row();
  Field nesting_field() const { return by_parent_ ? Field::parent : Field::depth; }

  SymbolRows take() &&;

 private:
  lsp::DocumentSymbol& symbol() { return rows_.tree.symbols.back(); }
  Fault find_parent();

  SymbolRows rows_;
  bool by_parent_;
  bool has_selection_;
  bool has_parts_;
  ParentPath path_;
  std::string parent_;
  std::optional<std::string> mark_;
  std::size_t depth_ = 0;
};

}  // namespace symbols::table
