#include "table/formats/cell_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace symbols::table {

Result<SymbolRows> CellReader::read_lines() {
  const std::string_view whole = rest_;
  next_line();
  if (!read_header()) return std::move(error_);
  builder_.emplace(fields_);
  // A row has at least `0:0-0`, and something between two cells.
  const std::size_t shortest_row = 2 * fields_.size() + 3;
  const auto newlines = static_cast<std::size_t>(std::count(whole.begin(), whole.end(), '\n'));
  builder_->reserve(std::min(newlines, whole.size() / shortest_row) + 1);
  while (next_row()) {
    if (!split_cells(line_) || !read_cells()) return std::move(error_);
  }
  return std::move(*builder_).take();
}

bool CellReader::read_cells() {
  if (cells_.size() != fields_.size()) {
    return fail(line_.size(), fmt::format("expected {} cells, one for each column of the header, found {}",
                                          fields_.size(), cells_.size()));
  }
  builder_->start_row();
  std::string_view nesting;  // the cell with the row's place in the tree
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    if (!read_cell(fields_[i], cells_[i])) return false;
    if (fields_[i] == builder_->nesting_field()) nesting = cells_[i];
  }
  const RowBuilder::Fault fault = builder_->end_row();
  return !fault || fail_in_cell(nesting, builder_->nesting_field(), *fault);
}

bool CellReader::fail_in_cell(std::string_view cell, Field field, std::string_view what_is_wrong,
                              std::size_t offset_in_cell) {
  return fail(offset_of(cell) + offset_in_cell, fmt::format("{}: {}", title_(field), what_is_wrong));
}

bool CellReader::add_column(std::string_view cell, std::string_view name, std::optional<Field> field,
                            std::string advice) {
  if (!field) return fail_in(cell, fmt::format("unknown column {}", quoted(name)), std::move(advice));
  if (holds(fields_, *field)) return fail_in(cell, fmt::format("column {} appears twice", name));
  fields_.push_back(*field);
  return true;
}

bool CellReader::add_columns(std::optional<Field> (*find)(std::string_view), const std::string& advice) {
  if (line_.empty()) return fail(0, "expected the header", advice);
  return std::all_of(cells_.begin(), cells_.end(),
                     [&](std::string_view cell) { return add_column(cell, cell, find(cell), advice); });
}

bool CellReader::put_escaped(const CellEscape& escape, Field field, std::string_view cell) {
  const MarkedParent marked =
      field == Field::parent ? split_escaped_parent_mark(cell) : MarkedParent{cell, {}};
  unescaped_.clear();
  if (const std::optional<EscapeFault> fault = escape.append_unescaped(unescaped_, marked.name)) {
    return fail_in_cell(cell, field, fault->message, fault->offset);
  }
  if (!put(field, cell, unescaped_)) return false;
  if (marked.digits) builder_->put_parent_mark(*marked.digits);
  return true;
}

}  // namespace symbols::table
