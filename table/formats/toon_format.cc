#include "table/formats/toon_format.h"

#include "base/number.h"
#include "table/formats/row_cells.h"
#include "table/formats/toon_string.h"

namespace symbols::table {
namespace {

// 2^53 has 16 digits: JavaScript represents all whole numbers of up to 15 digits exactly.
constexpr std::size_t most_digits = 15;

void append_cell(std::string& out, const CellText& cell) {
  if (cell.form == CellText::Form::number && cell.text.size() <= most_digits) {
    out += cell.text;
  } else if (cell.form == CellText::Form::number) {
    out += '"';
    out += cell.text;
    out += '"';
  } else {
    append_toon_string(out, cell.text);
  }
}

void append_parent(std::string& out, RowCells& cells) {
  CellText parent = cells.cell(Field::parent);
  if (parent.mark.empty() && split_parent_mark(parent.text).digits) parent = cells.marked_parent();
  if (parent.mark.empty()) {
    append_toon_string(out, parent.text);
  } else {
    append_toon_string(out, std::string(parent.text).append(parent.mark));
  }
}

}  // namespace

std::string write_toon(const SymbolRows& rows, const View& view, std::string_view notice) {
  std::string out = "symbols[";
  append_number(out, rows.tree.symbols.size());
  out += "]{";
  for (const Field field : view.fields) {
    if (out.back() != '{') out += ',';
    out += field_name(field);
  }
  out += "}:";
  RowCells cells(rows, view);
  for (std::size_t row = 0; cells.next(); ++row) {
    char before = ' ';
    out += '\n';
    append_position(out, view, rows, row);
    out += ' ';
    for (const Field field : view.fields) {
      out += before;
      before = ',';
      if (field == Field::parent) {
        append_parent(out, cells);
      } else {
        append_cell(out, cells.cell(field));
      }
    }
  }
  if (!notice.empty()) {
    out += "\ntruncated: ";
    append_toon_string(out, notice);
  }
  return out;
}

}  // namespace symbols::table
