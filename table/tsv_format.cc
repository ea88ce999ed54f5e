#include "table/tsv_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "lsp/unicode.h"
#include "table/columns.h"
#include "table/escape.h"
#include "table/line_start.h"
#include "table/parent_mark.h"

namespace symbols::table {
namespace {

constexpr CellEscape tsv_escape("");  // a tab is escaped anyway

// Reads line by line. Functions that return false have set error_.
class TsvReader {
 public:
  explicit TsvReader(std::string_view text) : rest_(text) {}

  Result<SymbolRows> read() {
    next_line();
    if (!read_header()) return std::move(error_);
    builder_.emplace(fields_);
    while (!rest_.empty()) {
      next_line();
      if (rest_.empty() && line_.starts_with(truncated_start)) break;
      if (!read_row()) return std::move(error_);
    }
    return std::move(*builder_).take();
  }

 private:
  void next_line() {
    const std::size_t newline = rest_.find('\n');
    line_ = rest_.substr(0, newline);
    rest_.remove_prefix(newline == std::string_view::npos ? rest_.size() : newline + 1);
    if (newline != std::string_view::npos && line_.ends_with('\r')) line_.remove_suffix(1);
    ++line_number_;
    cells_.clear();
    for (std::size_t start = 0;;) {
      const std::size_t tab = line_.find('\t', start);
      cells_.push_back(line_.substr(start, tab - start));
      if (tab == std::string_view::npos) break;
      start = tab + 1;
    }
  }

  // Puts the error at `offset` bytes in the line.
  bool fail(std::size_t offset, std::string_view what, std::string advice = {}) {
    error_ = {fmt::format("cannot read the TSV at line {}, column {}: {}", line_number_,
                          lsp::scalar_count(line_.substr(0, offset)) + 1, what),
              std::move(advice)};
    return false;
  }
  bool fail_in(std::string_view cell, std::string_view what, std::string advice = {}) {
    return fail(static_cast<std::size_t>(cell.data() - line_.data()), what, std::move(advice));
  }
  bool fail_in(std::string_view cell, Field field, std::string_view what, std::size_t offset_in_cell = 0) {
    return fail(static_cast<std::size_t>(cell.data() - line_.data()) + offset_in_cell,
                fmt::format("{}: {}", field_name(field), what));
  }

  bool read_header() {
    const std::string advice =
        "TSV starts with a line of field names separated by tabs, such as name kind range selection parent";
    if (line_.empty()) return fail(0, "expected the header", advice);
    for (const std::string_view cell : cells_) {
      const std::optional<Field> field = find_field(cell);
      if (!field) return fail_in(cell, fmt::format("unknown column {}", quoted(cell)), advice);
      if (std::find(fields_.begin(), fields_.end(), *field) != fields_.end()) {
        return fail_in(cell, fmt::format("column {} for the second time", cell));
      }
      fields_.push_back(*field);
    }
    const std::string missing = missing_fields(fields_, field_name);
    return missing.empty() || fail(line_.size(), "missing column " + missing, advice);
  }

  bool read_row() {
    if (cells_.size() != fields_.size()) {
      return fail(line_.size(), fmt::format("expected {} cells, one for each column of the header, found {}",
                                            fields_.size(), cells_.size()));
    }
    builder_->start_row();
    std::string_view nesting;
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      if (!read_cell(fields_[i], cells_[i])) return false;
      if (fields_[i] == builder_->nesting_field()) nesting = cells_[i];
    }
    const RowBuilder::Fault fault = builder_->end_row();
    return !fault || fail_in(nesting, builder_->nesting_field(), *fault);
  }

  bool read_cell(Field field, std::string_view cell) {
    const MarkedParent marked =
        field == Field::parent ? split_escaped_parent_mark(cell) : MarkedParent{cell, {}};
    unescaped_.clear();
    if (const std::optional<EscapeFault> fault = tsv_escape.append_unescaped(unescaped_, marked.name)) {
      return fail_in(cell, field, fault->message, fault->offset);
    }
    if (field == Field::parent) {
      builder_->put_parent(unescaped_, marked.digits);
      return true;
    }
    const RowBuilder::Fault fault = builder_->put(field, unescaped_);
    return !fault || fail_in(cell, field, *fault);
  }

  std::string_view rest_;  // what follows line_
  std::string_view line_;
  std::size_t line_number_ = 0;
  std::vector<std::string_view> cells_;  // of line_, still escaped
  std::vector<Field> fields_;
  std::optional<RowBuilder> builder_;
  std::string unescaped_;
  Error error_;
};

}  // namespace

std::string write_tsv(const SymbolRows& rows, const View& view) {
  std::string out;
  for (const Field field : view.fields) {
    if (!out.empty()) out += '\t';
    out += field_name(field);
  }
  RowCells cells(rows, view);
  while (cells.next()) {
    out += '\n';
    const std::size_t line_start = out.size();
    bool first = true;
    for (const Field field : view.fields) {
      if (!first) out += '\t';
      const CellText cell = cells.cell(field);
      if (cell.form == CellText::Form::text) {
        tsv_escape.append(out, cell.text);
      } else {
        out += cell.text;
      }
      out += cell.mark;
      first = false;
    }
    mask_line_start(out, line_start);
  }
  return out;
}

Result<SymbolRows> read_tsv(std::string_view text) {
  return TsvReader(text).read();
}

}  // namespace symbols::table
