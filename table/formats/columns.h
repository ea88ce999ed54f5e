// Rows as columns: the text of each field, and rows made of such texts again. What `table`, `tsv` and `toon`
// share, so that a cell says the same in each; how a cell is escaped or quoted is the format's own
// (docs/spec.md, sections 1 and 2).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "table/escape.h"
#include "table/field.h"
#include "table/parent_path.h"
#include "table/rows.h"

namespace symbols::table {

// What stands in one cell, not yet escaped.
struct CellText {
  enum class Form {
    number,  // decimal digits, perhaps with a minus
    word,    // ASCII letters, digits and `:-`: nothing that any format escapes
    text,    // anything, valid UTF-8 or not
  };
  Form form = Form::text;
  std::string_view text;
  // Of PARENT, what tells one row of a name from another: `\^2`, `\^` or nothing. A format appends it behind
  // the escaped text, or makes of both what reads back.
  std::string_view mark{};
};

// The cells of rows, in the order of the rows.
class RowCells {
 public:
  // Only fields that `view` shows can be asked for. `rows` must outlive this. Bytes of names that are not
  // UTF-8 are replaced by U+FFFD first, so that names are told apart as a reader will.
  RowCells(const SymbolRows& rows, const View& view);

  // To the first row, then to the next one; false behind the last.
  bool next();
  // Of the row at hand. The views live until the next call.
  CellText cell(Field field);
  // The cell of PARENT with a mark in any case, but for a row at top level that has none.
  CellText marked_parent();

 private:
  CellText parent();
  CellText number(std::int64_t number);
  CellText lines(const lsp::Range& range);
  CellText tags(const std::vector<std::int64_t>& tags);
  const HoverText* parts() const;
  const lsp::DocumentSymbol& symbol() const { return rows_->tree.symbols[row_]; }

  std::optional<SymbolRows> mended_;  // a copy, where bytes had to be replaced
  const SymbolRows* rows_;
  bool kind_names_;
  bool follows_path_;                    // the view shows parents
  std::vector<std::uint32_t> depths_;    // empty where nothing needs them
  std::vector<std::uint32_t> children_;  // likewise
  ParentPath path_;
  std::size_t row_ = 0;
  bool started_ = false;
  std::string scratch_;
};

// Appends the cells of these fields, of the row at hand: escaped, and joined by `separator`.
void append_cells(std::string& out, RowCells& cells, const std::vector<Field>& fields,
                  std::string_view separator, const CellEscape& escape);

// Of these fields those that rows cannot be made without, as a list for an error: "kind, parent or depth".
// Empty where all is there: name, kind, range, and parent or depth. `title` names a field as the format does.
std::string missing_fields(const std::vector<Field>& fields, std::string_view (*title)(Field));

// Rows out of cells. For each row: start_row, then one cell of each field, then end_row. Where a call gives a
// message, the cell is not what its field holds, and the rows are of no more use: the message says what was
// expected and found, the reader adds the field and where the cell stands.
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
  // `cell`: unescaped. Not for Field::parent.
  Fault put(Field field, std::string_view cell);
  // The same for PARENT; `mark` is what follows `\^`, none where there is no mark.
  void put_parent(std::string_view name, std::optional<std::string_view> mark);
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
