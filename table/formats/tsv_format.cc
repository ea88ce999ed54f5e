#include "table/formats/tsv_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "table/escape.h"
#include "table/formats/cell_reader.h"
#include "table/formats/line_start.h"

namespace symbols::table {
namespace {

constexpr CellEscape tsv_escape("");  // a tab is escaped anyway

// Reads line by line. Functions that return false have set error_.
class TsvReader : private CellReader {
 public:
  explicit TsvReader(std::string_view text) : CellReader("the TSV", text, field_name) {}

  Result<SymbolRows> read() {
    split_next_line();
    if (!read_header()) return std::move(error_);
    builder_.emplace(fields_);
    while (!rest_.empty()) {
      split_next_line();
      if (rest_.empty() && line_.starts_with(truncated_start)) break;
      const auto put = [this](Field field, std::string_view cell) {
        return put_escaped(tsv_escape, field, cell);
      };
      if (!read_cells(put)) return std::move(error_);
    }
    return std::move(*builder_).take();
  }

 private:
  void split_next_line() {
    next_line();
    cells_.clear();
    for (std::size_t start = 0;;) {
      const std::size_t tab = line_.find('\t', start);
      cells_.push_back(line_.substr(start, tab - start));
      if (tab == std::string_view::npos) break;
      start = tab + 1;
    }
  }

  bool read_header() {
    const std::string advice =
        "TSV starts with a line of field names separated by tabs, such as name kind range selection parent";
    if (line_.empty()) return fail(0, "expected the header", advice);
    for (const std::string_view cell : cells_) {
      const std::optional<Field> field = find_field(cell);
      if (!field) return fail_in(cell, fmt::format("unknown column {}", quoted(cell)), advice);
      if (std::find(fields_.begin(), fields_.end(), *field) != fields_.end()) {
        return fail_in(cell, fmt::format("column {} appears twice", cell));
      }
      fields_.push_back(*field);
    }
    const std::string missing = missing_fields(fields_, field_name);
    return missing.empty() || fail(line_.size(), "missing column " + missing, advice);
  }
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
    append_cells(out, cells, view.fields, "\t", tsv_escape);
    mask_line_start(out, line_start);
  }
  return out;
}

Result<SymbolRows> read_tsv(std::string_view text) {
  return TsvReader(text).read();
}

}  // namespace symbols::table
