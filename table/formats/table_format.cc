#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "table/formats/format.h"
#include "table/formats/row_cells.h"
#include "table/rows.h"

namespace symbols::table {
namespace {

// Splits a cell that is still escaped. A name that ends like a mark has its backslash escaped.
MarkedParent split_escaped_parent_mark(std::string_view cell) {
  const MarkedParent marked = split_parent_mark(cell);
  if (!marked.digits) return marked;
  // With an even number of backslashes, they escape each other, and the `^` belongs to the name.
  const std::size_t name_end = marked.name.find_last_not_of('\\') + 1;  // npos + 1 is 0
  const std::size_t backslashes = 1 + marked.name.size() - name_end;
  return backslashes % 2 == 0 ? MarkedParent{cell, {}} : marked;
}

// Reads line by line. Functions that return false have set error_.
class TableReader final : private LineReader {
 public:
  explicit TableReader(std::string_view text) : LineReader("the table", text), path_(rows_.all) {}

  Result<SymbolRows> read() && {
    next_line();
    if (!read_header()) return std::move(error_);
    while (next_row()) {
      if (!read_row()) return std::move(error_);
    }
    if (!has(Field::selection) && !rows_.all.empty()) rows_.lacking = {Field::selection};
    return std::move(rows_);
  }

 private:
  using Fault = std::optional<std::string>;  // what is wrong with a cell

  bool has(Field field) const { return holds(fields_, field); }
  Row& row() { return rows_.all.back(); }

  // Sets cells_ to the parts of the line, which are still escaped.
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
    rows_.with_hover = cells_.back() == table_end_title;
    if (rows_.with_hover) cells_.pop_back();
    for (const std::string_view cell : cells_) {
      const std::optional<Field> field = find_column(cell);
      if (!field) return fail_in(cell, fmt::format("unknown column {}", quoted(cell)), advice);
      if (has(*field)) return fail_in(cell, fmt::format("column {} appears twice", cell));
      fields_.push_back(*field);
    }
    std::vector<std::string_view> missing;
    for (const Field field : {Field::name, Field::kind, Field::range}) {
      if (!has(field)) missing.push_back(column_title(field));
    }
    if (!has(Field::parent) && !has(Field::depth)) missing.emplace_back("PARENT or DEPTH");
    if (rows_.with_hover != has(Field::hover))
      missing.push_back(rows_.with_hover ? column_title(Field::hover) : table_end_title);
    return missing.empty() ||
           fail(line_.size(), fmt::format("missing column {}", fmt::join(missing, ", ")), advice);
  }

  bool read_row() {
    if (!split_cells()) return false;
    const std::size_t expected = fields_.size() + (rows_.with_hover ? 1 : 0);
    if (cells_.size() != expected) {
      return fail(line_.size(), fmt::format("expected {} cells, one for each column of the header, found {}",
                                            expected, cells_.size()));
    }
    if (rows_.with_hover && cells_.back() != table_end_marker)
      return fail_expected(cells_.back(), fmt::format("{} in {}", table_end_marker, table_end_title));
    rows_.all.emplace_back();
    const Field nesting = has(Field::parent) ? Field::parent : Field::depth;
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      if (!read(fields_[i], cells_[i])) return false;
    }
    if (!has(Field::selection)) row().selection_range = {row().range.start, row().range.start};
    if (const Fault fault = nesting == Field::parent ? find_parent() : check_level()) {
      const auto at = static_cast<std::size_t>(std::ranges::find(fields_, nesting) - fields_.begin());
      return fail_in(cells_[at], fmt::format("{}: {}", column_title(nesting), *fault));
    }
    row().parent = path_.enter(rows_.size() - 1, depth_);
    return true;
  }

  bool read(Field field, std::string_view cell) {
    const MarkedParent marked =
        field == Field::parent ? split_escaped_parent_mark(cell) : MarkedParent{cell, {}};
    std::string text;
    if (!read_text(table_cell_escape, column_title(field), marked.name, text)) return false;
    if (field == Field::parent) {
      parent_ = std::move(text);
      mark_ = marked.digits;
      return true;
    }
    if (field == Field::depth) depth_ = parse_number<std::uint32_t>(text).value_or(0);
    const Fault fault = read_cell(row(), field, std::move(text));
    return !fault || fail_in(cell, fmt::format("{}: {}", column_title(field), *fault));
  }

  Fault check_level() {
    if (depth_ <= path_.size()) return {};
    return fmt::format("expected at most {}, one more than the depth of the row before, found {}",
                       path_.size(), depth_);
  }

  // Sets the row's depth_ or container_name by parent_ and mark_.
  Fault find_parent() {
    std::optional<std::size_t> parent_depth;
    if (!mark_) {
      if (!parent_.empty()) parent_depth = path_.find(parent_, row().range);
    } else if (!mark_->empty()) {
      parent_depth = parse_number<std::size_t>(*mark_);
      const bool fits = parent_depth && *parent_depth < path_.size() &&
                        rows_.all[path_.row_at(*parent_depth)].name == parent_;
      if (!fits) {
        return fmt::format(
            "expected the depth of a row named {} on the path to the row before, after \\^, found {}",
            table::quoted(parent_), *mark_);
      }
    } else if (parent_.empty()) {
      return "expected a name before \\^, or an empty cell for a row at top level";
    }
    depth_ = parent_depth ? *parent_depth + 1 : 0;
    if (!parent_depth) row().container_name = parent_;
    return {};
  }

  SymbolRows rows_;
  ParentPath path_;
  std::vector<Field> fields_;
  std::vector<std::string_view> cells_;  // views of line_
  // State of the row that is being read.
  std::string parent_;
  std::optional<std::string_view> mark_;  // what follows `\^`; none without a mark
  std::size_t depth_ = 0;
};

// A header with a title of each field and a line for each row, joined by newlines. `has_end`: EOL ends each.
std::string write_cells(const SymbolRows& rows, const View& view, std::string_view (*title)(Field),
                        std::string_view separator, const CellEscape& escape, bool has_end) {
  std::string out;
  for (const Field field : view.fields) {
    if (!out.empty()) out += separator;
    out += title(field);
  }
  if (has_end) out.append(separator).append(table_end_title);
  RowCells cells(rows, view);
  for (std::size_t row = 0; cells.next(); ++row) {
    out += '\n';
    append_position(out, view, rows, row);
    const std::size_t line_start = out.size();
    bool first = true;
    for (const Field field : view.fields) {
      if (!first) out += separator;
      const CellText cell = cells.cell(field);
      if (cell.form == CellText::Form::text) {
        escape.append(out, cell.text);
      } else {
        out += cell.text;
      }
      out += cell.mark;
      first = false;
    }
    if (has_end) out.append(separator).append(table_end_marker);
    mask_line_start(out, line_start);
  }
  return out;
}

}  // namespace

std::string write_table(const SymbolRows& rows, const View& view) {
  return write_cells(rows, view, column_title, table_separator, table_cell_escape, view.shows(Field::hover));
}

std::string write_tsv(const SymbolRows& rows, const View& view) {
  return write_cells(rows, view, field_name, "\t", plain_escape, false);  // a tab is escaped anyway
}

std::string write_hover_row(const HoverRow& row) {
  std::string out = std::string(table_header_with_hover) + '\n';
  const std::size_t line_start = out.size();
  const auto cell = [&out](std::string_view text) {
    table_cell_escape.append(out, text);
    out += table_separator;
  };
  const auto range_text = [](const std::optional<lsp::Range>& range) {
    std::string text;
    if (range) append_range(text, *range);
    return text;
  };
  cell(row.name);
  cell(!row.kind ? "" : row.kind_names ? kind_name(*row.kind) : std::to_string(*row.kind));
  cell(range_text(row.range));
  cell(range_text(row.selection));
  cell(row.parent);
  cell(row.hover);
  out += table_end_marker;
  mask_line_start(out, line_start);
  return out;
}

Result<SymbolRows> read_table(std::string_view text) {
  return TableReader(text).read();
}

}  // namespace symbols::table
