#include "table/formats/table_format.h"

#include "table/escape.h"
#include "table/formats/range_text.h"
#include "table/formats/row_cells.h"
#include "table/symbol_kind.h"

namespace symbols::table {

std::string write_table(const SymbolRows& rows, const View& view) {
  const bool has_end = view.shows(Field::hover);
  return write_cells(rows, view,
                     {.title = column_title,
                      .separator = table_separator,
                      .escape = table_cell_escape,
                      .last_title = has_end ? table_end_title : "",
                      .last_cell = table_end_marker});
}

std::string write_tsv(const SymbolRows& rows, const View& view) {
  static constexpr CellEscape escape("");  // a tab is escaped anyway
  return write_cells(rows, view, {.title = field_name, .separator = "\t", .escape = escape});
}

std::string write_hover_row(const HoverRow& row) {
  constexpr std::size_t numbers_and_marks = 60;
  std::string out;
  out.reserve(table_header_with_hover.size() + row.name.size() + row.parent.size() + row.hover.size() +
              numbers_and_marks);
  out += table_header_with_hover;
  out += '\n';
  const std::size_t line_start = out.size();
  table_cell_escape.append(out, row.name);
  out += table_separator;
  if (row.kind) out += row.kind_names ? kind_name(*row.kind) : std::to_string(*row.kind);
  out += table_separator;
  if (row.range) append_range(out, *row.range);
  out += table_separator;
  if (row.selection) append_range(out, *row.selection);
  out += table_separator;
  table_cell_escape.append(out, row.parent);
  out += table_separator;
  table_cell_escape.append(out, row.hover);
  out += table_separator;
  out += table_end_marker;
  mask_line_start(out, line_start);
  return out;
}

}  // namespace symbols::table
