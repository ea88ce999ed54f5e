// The common part of the readers of `table`, `tsv` and `toon`: a line is a row of cells, one for each column
// of the header.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "table/escape.h"
#include "table/field.h"
#include "table/formats/line_reader.h"
#include "table/formats/row_cells.h"

namespace symbols::table {

// A base of readers. Functions that return false have set error_.
class CellReader : protected LineReader {
 protected:
  // `title` is what a field is called in the format.
  CellReader(std::string_view what, std::string_view text, std::string_view (*title)(Field))
      : LineReader(what, text), title_(title) {}

  // Puts the error in a cell that belongs to `field`.
  bool fail_in_cell(std::string_view cell, Field field, std::string_view what_is_wrong,
                    std::size_t offset_in_cell = 0);

  // Adds to fields_ the column called `name`, which is in `cell`: `field`, none if there is no such column.
  bool add_column(std::string_view cell, std::string_view name, std::optional<Field> field,
                  std::string advice = {});
  // The columns of a header of which each cell is a name; `find` knows the field of one.
  bool add_columns(std::optional<Field> (*find)(std::string_view), const std::string& advice);

  // Makes a row of cells_, the cells of fields_: `read_cell` reads each, for example with put_escaped.
  template <class ReadCell>
  bool read_cells(ReadCell read_cell) {
    if (!check_count()) return false;
    builder_->start_row();
    std::string_view nesting;
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      if (!read_cell(fields_[i], cells_[i])) return false;
      if (fields_[i] == builder_->nesting_field()) nesting = cells_[i];
    }
    return end_row(nesting);
  }

  // Gives builder_ the text of a cell, and what follows `\^` in a parent.
  bool put(Field field, std::string_view cell, std::string_view text, std::optional<std::string_view> mark);
  // The same for a cell with the escapes of a table.
  bool put_escaped(const CellEscape& escape, Field field, std::string_view cell);

  std::vector<std::string_view> cells_;  // views of line_
  std::vector<Field> fields_;
  std::optional<RowBuilder> builder_;
  std::string unescaped_;

 private:
  bool check_count();
  // `nesting` is the cell with the row's place in the tree.
  bool end_row(std::string_view nesting);

  std::string_view (*title_)(Field);
};

}  // namespace symbols::table
