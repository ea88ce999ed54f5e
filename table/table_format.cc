#include "table/table_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "lsp/unicode.h"
#include "table/append_number.h"
#include "table/parent_path.h"
#include "table/range_text.h"
#include "table/table_words.h"

namespace symbols::table {
namespace {

enum class Column { name, kind, range, selection, parent, hover, end };
constexpr std::size_t column_count = 7;

constexpr std::array<std::string_view, column_count> column_titles{
    "NAME", "KIND", "RANGE", "SELECTION", "PARENT", "HOVER_INFO", "EOL"};
constexpr std::string_view title(Column column) {
  return column_titles[static_cast<std::size_t>(column)];
}

// A size that spares the string its regrowing, where little is escaped.
std::size_t expected_size(const SymbolRows& rows) {
  constexpr std::size_t numbers_and_marks = 60;  // of one row, at five digits a line number
  std::size_t size = table_header_with_hover.size();
  for (const lsp::DocumentSymbol& symbol : rows.tree.symbols) {
    const auto parent = static_cast<std::size_t>(symbol.parent);
    size += symbol.name.size() + symbol.container_name.size() + numbers_and_marks;
    if (parent < rows.tree.symbols.size()) size += rows.tree.symbols[parent].name.size();
  }
  for (const std::string& hover : rows.hovers) size += hover.size();
  return size;
}

// Names are looked up as the reader will see them: two that differ only in invalid bytes are one to it.
bool names_are_valid(const lsp::SymbolTree& tree) {
  return std::all_of(tree.symbols.begin(), tree.symbols.end(), [](const lsp::DocumentSymbol& symbol) {
    return lsp::find_invalid_utf8(symbol.name) == std::string_view::npos &&
           lsp::find_invalid_utf8(symbol.container_name) == std::string_view::npos;
  });
}

SymbolRows with_valid_names(SymbolRows rows) {
  for (lsp::DocumentSymbol& symbol : rows.tree.symbols) {
    symbol.name = lsp::to_valid_utf8(symbol.name);
    symbol.container_name = lsp::to_valid_utf8(symbol.container_name);
  }
  return rows;
}

// `depth` is the symbol's own, from symbol_depths: above 0 it has a parent.
void append_parent(std::string& out, const lsp::SymbolTree& tree, const lsp::DocumentSymbol& symbol,
                   std::size_t depth, const ParentPath& path) {
  if (depth == 0) {
    if (symbol.container_name.empty()) return;
    table_cell_escape.append(out, symbol.container_name);
    if (path.find(symbol.container_name, symbol.range)) out += "\\^";
    return;
  }
  const std::string& name = tree.symbols[static_cast<std::size_t>(symbol.parent)].name;
  table_cell_escape.append(out, name);
  if (name.empty() || path.find(name, symbol.range) != depth - 1) {
    out += "\\^";
    append_number(out, depth - 1);
  }
}

// A PARENT cell without its mark.
struct MarkedParent {
  std::string_view name;                   // still escaped
  std::optional<std::string_view> digits;  // after `\^`; none where there is no mark
};

MarkedParent split_mark(std::string_view cell) {
  const std::size_t last = cell.find_last_not_of("0123456789");
  if (last == std::string_view::npos || last == 0 || cell[last] != '^' || cell[last - 1] != '\\')
    return {cell, {}};
  // Of an even number of backslashes each is escaped by the one before it, and the `^` is the name's own.
  const std::size_t before = cell.find_last_not_of('\\', last - 1);
  const std::size_t backslashes = last - (before == std::string_view::npos ? 0 : before + 1);
  if (backslashes % 2 == 0) return {cell, {}};
  return {cell.substr(0, last - 1), cell.substr(last + 1)};
}

// The whole of `text` as a number without leading zeros.
template <class Integer>
std::optional<Integer> parse_number(std::string_view text) {
  Integer number = 0;
  const auto [after, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || after != text.data() + text.size()) return {};
  const std::string_view digits = text.substr(text.starts_with('-') ? 1 : 0);
  if (digits.starts_with('0') && text != "0") return {};
  return number;
}

// Reads line by line. Functions that return false have set error_.
class TableReader {
 public:
  explicit TableReader(std::string_view text) : rest_(text), path_(rows_.tree.symbols) {}

  Result<SymbolRows> read() {
    // A row has at least its separators, one digit of a kind, and two times `0:0-0`.
    constexpr std::size_t shortest_row = 22;
    const auto newlines = static_cast<std::size_t>(std::count(rest_.begin(), rest_.end(), '\n'));
    rows_.tree.symbols.reserve(std::min(newlines, rest_.size() / shortest_row) + 1);

    next_line();
    if (!read_header()) return std::move(error_);
    while (!rest_.empty()) {
      next_line();
      if (!read_row()) return std::move(error_);
    }
    return std::move(rows_);
  }

 private:
  void next_line() {
    const std::size_t newline = rest_.find('\n');
    line_ = rest_.substr(0, newline);
    rest_.remove_prefix(newline == std::string_view::npos ? rest_.size() : newline + 1);
    if (newline != std::string_view::npos && line_.ends_with('\r')) line_.remove_suffix(1);
    ++line_number_;
  }

  // Puts the error at `offset` bytes in the line.
  bool fail(std::size_t offset, std::string_view what, std::string advice = {}) {
    error_ = {fmt::format("cannot read the table at line {}, column {}: {}", line_number_,
                          lsp::scalar_count(line_.substr(0, offset)) + 1, what),
              std::move(advice)};
    return false;
  }
  bool fail_in(std::string_view cell, std::string_view what, std::size_t offset_in_cell = 0) {
    return fail(static_cast<std::size_t>(cell.data() - line_.data()) + offset_in_cell, what);
  }

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
          return fail(i, "a | that is not between two blanks",
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
    const std::string advice =
        fmt::format("a table starts with the line \"{}\" or \"{}\"", table_header, table_header_with_hover);
    if (line_.empty()) return fail(0, "expected the header", advice);
    if (!split_cells()) return false;
    std::array<bool, column_count> seen{};
    for (const std::string_view cell : cells_) {
      const auto found = std::find(column_titles.begin(), column_titles.end(), cell);
      if (found == column_titles.end()) {
        fail_in(cell, fmt::format("unknown column {}", quoted(cell)));
        error_.advice = advice;
        return false;
      }
      const auto column = static_cast<std::size_t>(found - column_titles.begin());
      if (seen[column]) return fail_in(cell, fmt::format("column {} for the second time", cell));
      seen[column] = true;
      columns_.push_back(static_cast<Column>(column));
    }
    const auto has = [&](Column column) { return seen[static_cast<std::size_t>(column)]; };
    rows_.with_hover = has(Column::hover) || has(Column::end);
    std::string missing;
    for (std::size_t column = 0; column < column_count; ++column) {
      const bool needed = rows_.with_hover || static_cast<Column>(column) < Column::hover;
      if (seen[column] || !needed) continue;
      missing += missing.empty() ? "missing column " : ", ";
      missing += column_titles[column];
    }
    return missing.empty() || fail(line_.size(), missing, advice);
  }

  bool read_row() {
    if (!split_cells()) return false;
    if (cells_.size() != columns_.size()) {
      return fail(line_.size(), fmt::format("expected {} cells, one for each column of the header, found {}",
                                            columns_.size(), cells_.size()));
    }
    const std::size_t row = rows_.tree.symbols.size();
    lsp::DocumentSymbol& symbol = rows_.tree.symbols.emplace_back();
    std::string_view parent;
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      if (columns_[i] == Column::parent) {
        parent = cells_[i];  // is looked up with the row's range, which may come later
      } else if (!read_cell(columns_[i], cells_[i], symbol)) {
        return false;
      }
    }
    if (!read_parent(parent, symbol)) return false;
    path_.enter(row, depth_);
    return true;
  }

  bool read_cell(Column column, std::string_view cell, lsp::DocumentSymbol& symbol) {
    switch (column) {
      case Column::name:
        return read_text(column, cell, symbol.name);
      case Column::kind:
        return read_kind(cell, symbol.kind);
      case Column::range:
        return read_range(column, cell, symbol.range);
      case Column::selection:
        return read_range(column, cell, symbol.selection_range);
      case Column::hover:
        return read_text(column, cell, rows_.hovers.emplace_back());
      case Column::end:
        return cell == table_end_marker ||
               fail_in(cell, fmt::format("{}: expected {}, found {}", title(column), table_end_marker,
                                         quoted(cell)));
      case Column::parent:
        break;
    }
    return true;
  }

  bool read_text(Column column, std::string_view cell, std::string& out) {
    const std::optional<EscapeFault> fault = table_cell_escape.append_unescaped(out, cell);
    return !fault || fail_in(cell, fmt::format("{}: {}", title(column), fault->message), fault->offset);
  }

  bool read_kind(std::string_view cell, std::int64_t& kind) {
    const std::optional<std::int64_t> number = parse_number<std::int64_t>(cell);
    if (!number) {
      return fail_in(cell, fmt::format("{}: expected the number of a symbol kind, as in 12, found {}",
                                       title(Column::kind), quoted(cell)));
    }
    kind = *number;
    return true;
  }

  bool read_range(Column column, std::string_view cell, lsp::Range& range) {
    const Result<lsp::Range> parsed = parse_range(cell);
    if (!parsed) return fail_in(cell, fmt::format("{}: {}", title(column), parsed.error().message));
    range = *parsed;
    return true;
  }

  // Sets the symbol's parent or container_name, and depth_.
  bool read_parent(std::string_view cell, lsp::DocumentSymbol& symbol) {
    depth_ = 0;
    if (cell.empty()) return true;
    const MarkedParent marked = split_mark(cell);
    std::string name;
    if (!read_text(Column::parent, marked.name, name)) return false;

    std::optional<std::size_t> parent_depth;
    if (!marked.digits) {
      parent_depth = path_.find(name, symbol.range);
    } else if (!marked.digits->empty()) {
      parent_depth = parse_number<std::size_t>(*marked.digits);
      const bool fits = parent_depth && *parent_depth < path_.size() &&
                        rows_.tree.symbols[path_.row_at(*parent_depth)].name == name;
      if (!fits) {
        return fail_in(cell,
                       fmt::format("PARENT: expected after \\^ the depth of a row named {} on the path to "
                                   "the row before, found {}",
                                   quoted(name), *marked.digits));
      }
    } else if (name.empty()) {
      return fail_in(cell, "PARENT: expected a name before \\^, or an empty cell for a row at top level");
    }
    if (parent_depth) {
      symbol.parent = static_cast<std::int32_t>(path_.row_at(*parent_depth));
      depth_ = *parent_depth + 1;
    } else {
      symbol.container_name = std::move(name);
    }
    return true;
  }

  std::string_view rest_;  // what follows line_
  std::string_view line_;
  std::size_t line_number_ = 0;
  std::vector<std::string_view> cells_;
  std::vector<Column> columns_;
  std::size_t depth_ = 0;
  SymbolRows rows_;
  ParentPath path_;
  Error error_;
};

}  // namespace

std::string write_table(const SymbolRows& rows) {
  if (!names_are_valid(rows.tree)) return write_table(with_valid_names(rows));
  std::string out;
  out.reserve(expected_size(rows));
  out += rows.with_hover ? table_header_with_hover : table_header;
  const std::vector<std::uint32_t> depths = symbol_depths(rows.tree);
  ParentPath path(rows.tree.symbols);
  for (std::size_t row = 0; row < rows.tree.symbols.size(); ++row) {
    const lsp::DocumentSymbol& symbol = rows.tree.symbols[row];
    out += '\n';
    table_cell_escape.append(out, symbol.name);
    out += table_separator;
    append_number(out, symbol.kind);
    out += table_separator;
    append_range(out, symbol.range);
    out += table_separator;
    append_range(out, symbol.selection_range);
    out += table_separator;
    append_parent(out, rows.tree, symbol, depths[row], path);
    if (rows.with_hover) {
      out += table_separator;
      table_cell_escape.append(out, rows.hover(row));
      out += table_separator;
      out += table_end_marker;
    }
    path.enter(row, depths[row]);
  }
  return out;
}

Result<SymbolRows> read_table(std::string_view text) {
  return TableReader(text).read();
}

}  // namespace symbols::table
