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

  ~CellReader() = default;

  // The rows of a text that is a header and a line for each row, perhaps with a budget's notice at the end.
  Result<SymbolRows> read_lines();

  // Sets fields_ by line_.
  virtual bool read_header() = 0;
  // Sets cells_ to those of `text`, a part of line_.
  virtual bool split_cells(std::string_view text) = 0;
  // Gives builder_ a cell, for example with put_escaped.
  virtual bool read_cell(Field field, std::string_view cell) = 0;

  // Makes a row of cells_, the cells of fields_.
  bool read_cells();

  // Puts the error in a cell that belongs to `field`.
  bool fail_in_cell(std::string_view cell, Field field, std::string_view what_is_wrong,
                    std::size_t offset_in_cell = 0);

  // Adds to fields_ the column called `name`, which is in `cell`: `field`, none if there is no such column.
  bool add_column(std::string_view cell, std::string_view name, std::optional<Field> field,
                  std::string advice = {});
  // The columns of a header of which each cell is a name; `find` knows the field of one.
  bool add_columns(std::optional<Field> (*find)(std::string_view), const std::string& advice);

  // Gives builder_ the text of a cell.
  bool put(Field field, std::string_view cell, std::string_view text) {
    const RowBuilder::Fault fault = builder_->put(field, text);
    return !fault || fail_in_cell(cell, field, *fault);
  }
  // The same for a cell with the escapes of a table.
  bool put_escaped(const CellEscape& escape, Field field, std::string_view cell);

  std::vector<std::string_view> cells_;  // views of line_
  std::vector<Field> fields_;
  std::optional<RowBuilder> builder_;
  std::string unescaped_;

 private:
  std::string_view (*title_)(Field);
};

}  // namespace symbols::table
