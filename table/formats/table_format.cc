#include "table/formats/table_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "table/formats/cell_reader.h"
#include "table/formats/line_start.h"
#include "table/formats/table_words.h"

namespace symbols::table {
namespace {

constexpr std::string_view end_title = "EOL";

// A size estimate that avoids reallocation if little is escaped.
std::size_t expected_size(const SymbolRows& rows, const View& view) {
  constexpr std::size_t numbers_and_marks = 60;  // of one row, with line numbers of five digits
  const bool shows_parent = view.shows(Field::parent);
  std::size_t size = table_header_with_hover.size();
  for (const lsp::DocumentSymbol& symbol : rows.tree.symbols) {
    const auto parent = static_cast<std::size_t>(symbol.parent);
    size += symbol.name.size() + symbol.container_name.size() + numbers_and_marks;
    if (shows_parent && parent < rows.tree.symbols.size()) size += rows.tree.symbols[parent].name.size();
  }
  if (view.shows(Field::hover)) {
    for (const std::string& hover : rows.hovers) size += hover.size();
  }
  return size;
}

// Reads line by line. Functions that return false have set error_.
class TableReader : private CellReader {
 public:
  explicit TableReader(std::string_view text) : CellReader("the table", text, column_title) {}

  Result<SymbolRows> read() {
    const std::string_view whole = rest_;
    next_line();
    if (!read_header()) return std::move(error_);
    builder_.emplace(fields_);
    // A row has at least `0:0-0`, and a separator between two cells.
    const std::size_t shortest_row = 3 * columns_.size() + 3;
    const auto newlines = static_cast<std::size_t>(std::count(whole.begin(), whole.end(), '\n'));
    builder_->reserve(std::min(newlines, whole.size() / shortest_row) + 1);
    while (!rest_.empty()) {
      next_line();
      if (rest_.empty() && line_.starts_with(truncated_start)) break;
      if (!read_row()) return std::move(error_);
    }
    return std::move(*builder_).take();
  }

 private:
  // The line's cells, still escaped.
  bool split_cells() {
    cells_.clear();
    std::size_t start = 0;
    for (std::size_t i = 0; i < line_.size(); ++i) {
      if (line_[i] == '\\') {
        ++i;
      } else if (line_[i] == '|') {
        const bool last = i + 1 == line_.size();
        if (i == start || line_[i - 1] != ' ' || (!last && line_[i + 1] != ' ')) {
          return fail(i, "a | without a space on each side",
                      "cells are joined by \" | \", and a | inside a cell is written \\|");
        }
        cells_.push_back(line_.substr(start, i - 1 - start));
        start = i + (last ? 1 : 2);
      }
    }
    cells_.push_back(line_.substr(start));
    return true;
  }

  bool read_header() {
    const std::string advice = fmt::format("a table starts with a line such as \"{}\" or \"{}\"",
                                           table_header, table_header_with_hover);
    if (line_.empty()) return fail(0, "expected the header", advice);
    if (!split_cells()) return false;
    for (const std::string_view cell : cells_) {
      const std::optional<Field> field = find_column(cell);
      if (!field && cell != end_title) {
        fail_in(cell, fmt::format("unknown column {}", quoted(cell)));
        error_.advice = advice;
        return false;
      }
      if (std::find(columns_.begin(), columns_.end(), field) != columns_.end()) {
        return fail_in(cell, fmt::format("column {} appears twice", cell));
      }
      columns_.push_back(field);
      if (field) fields_.push_back(*field);
    }
    std::string missing = missing_fields(fields_, column_title);
    const bool has_hover = std::find(columns_.begin(), columns_.end(), Field::hover) != columns_.end();
    const bool has_end = columns_.size() > fields_.size();
    if (has_hover != has_end) {
      if (!missing.empty()) missing += ", ";
      missing += has_hover ? end_title : column_title(Field::hover);
    }
    return missing.empty() || fail(line_.size(), "missing column " + missing, advice);
  }

  bool read_row() {
    if (!split_cells()) return false;
    if (!check_count(columns_.size())) return false;
    builder_->start_row();
    std::string_view nesting;
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      if (!columns_[i]) {
        if (cells_[i] != table_end_marker) {
          return fail_in(cells_[i], fmt::format("{}: expected {}, found {}", end_title, table_end_marker,
                                                quoted(cells_[i])));
        }
        continue;
      }
      if (!put_escaped(table_cell_escape, *columns_[i], cells_[i])) return false;
      if (*columns_[i] == builder_->nesting_field()) nesting = cells_[i];
    }
    return end_row(nesting);
  }

  std::vector<std::optional<Field>> columns_;  // fields_, and none for EOL
};

}  // namespace

std::string write_table(const SymbolRows& rows, const View& view) {
  std::string out;
  out.reserve(expected_size(rows, view));
  for (const Field field : view.fields) {
    if (!out.empty()) out += table_separator;
    out += column_title(field);
  }
  const bool has_end = view.shows(Field::hover);
  if (has_end) {
    out += table_separator;
    out += end_title;
  }
  RowCells cells(rows, view);
  while (cells.next()) {
    out += '\n';
    const std::size_t line_start = out.size();
    append_cells(out, cells, view.fields, table_separator, table_cell_escape);
    if (has_end) {
      out += table_separator;
      out += table_end_marker;
    }
    mask_line_start(out, line_start);
  }
  return out;
}

std::string write_table(const SymbolRows& rows) {
  return write_table(rows, {fields_of(rows.with_hover ? Verbosity::full : Verbosity::standard), false});
}

Result<SymbolRows> read_table(std::string_view text) {
  return TableReader(text).read();
}

}  // namespace symbols::table
