#include "table/formats/table_format.h"

#include <fmt/format.h>

#include <optional>

#include "table/formats/cell_reader.h"
#include "table/formats/line_start.h"
#include "table/formats/range_text.h"
#include "table/symbol_kind.h"

namespace symbols::table {
namespace {

// The column EOL, which is no field of a symbol.
constexpr auto end_column = static_cast<Field>(all_fields.size());
constexpr std::string_view end_title = "EOL";

std::string_view title_of(Field field) {
  return field == end_column ? end_title : column_title(field);
}

std::optional<Field> find_title(std::string_view title) {
  return title == end_title ? end_column : find_column(title);
}

// Reads line by line. Functions that return false have set error_.
class TableReader final : private CellReader {
 public:
  explicit TableReader(std::string_view text) : CellReader("the table", text, title_of) {}

  using CellReader::read_lines;

 private:
  // They are still escaped.
  bool split_cells(std::string_view text) override {
    cells_.clear();
    std::size_t start = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '\\') {
        ++i;
      } else if (text[i] == '|') {
        const bool last = i + 1 == text.size();
        if (i == start || text[i - 1] != ' ' || (!last && text[i + 1] != ' ')) {
          return fail(i, "a | without a space on each side",
                      "cells are joined by \" | \", and a | inside a cell is written \\|");
        }
        cells_.push_back(text.substr(start, i - 1 - start));
        start = i + (last ? 1 : 2);
      }
    }
    cells_.push_back(text.substr(start));
    return true;
  }

  bool read_header() override {
    const std::string advice = fmt::format("a table starts with a line such as \"{}\" or \"{}\"",
                                           table_header, table_header_with_hover);
    if (!split_cells(line_) || !add_columns(find_title, advice)) return false;
    std::string missing = missing_fields(fields_, title_of);
    const bool has_hover = holds(fields_, Field::hover);
    if (has_hover != holds(fields_, end_column)) {
      if (!missing.empty()) missing += ", ";
      missing += title_of(has_hover ? end_column : Field::hover);
    }
    return missing.empty() || fail(line_.size(), "missing column " + missing, advice);
  }

  bool read_cell(Field field, std::string_view cell) override {
    if (field != end_column) return put_escaped(table_cell_escape, field, cell);
    return cell == table_end_marker ||
           fail_in_cell(cell, field, fmt::format("expected {}, found {}", table_end_marker, quoted(cell)));
  }
};

}  // namespace

std::string write_table(const SymbolRows& rows, const View& view) {
  const bool has_end = view.shows(Field::hover);
  return write_cells(rows, view,
                     {.title = column_title,
                      .separator = table_separator,
                      .escape = table_cell_escape,
                      .last_title = has_end ? end_title : "",
                      .last_cell = table_end_marker});
}

Result<SymbolRows> read_table(std::string_view text) {
  return TableReader(text).read_lines();
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
