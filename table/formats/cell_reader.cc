#include "table/formats/cell_reader.h"

#include <fmt/format.h>

#include "table/formats/parent_mark.h"

namespace symbols::table {

bool CellReader::fail_in_cell(std::string_view cell, Field field, std::string_view what_is_wrong,
                              std::size_t offset_in_cell) {
  return fail(offset_of(cell) + offset_in_cell, fmt::format("{}: {}", title_(field), what_is_wrong));
}

bool CellReader::check_count(std::size_t columns) {
  return cells_.size() == columns ||
         fail(line_.size(), fmt::format("expected {} cells, one for each column of the header, found {}",
                                        columns, cells_.size()));
}

bool CellReader::end_row(std::string_view nesting) {
  const RowBuilder::Fault fault = builder_->end_row();
  return !fault || fail_in_cell(nesting, builder_->nesting_field(), *fault);
}

bool CellReader::put_escaped(const CellEscape& escape, Field field, std::string_view cell) {
  const MarkedParent marked =
      field == Field::parent ? split_escaped_parent_mark(cell) : MarkedParent{cell, {}};
  unescaped_.clear();
  if (const std::optional<EscapeFault> fault = escape.append_unescaped(unescaped_, marked.name)) {
    return fail_in_cell(cell, field, fault->message, fault->offset);
  }
  if (field == Field::parent) {
    builder_->put_parent(unescaped_, marked.digits);
    return true;
  }
  const RowBuilder::Fault fault = builder_->put(field, unescaped_);
  return !fault || fail_in_cell(cell, field, *fault);
}

}  // namespace symbols::table
