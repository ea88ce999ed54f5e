#include "table/formats/tsv_format.h"

#include <utility>

#include "table/escape.h"
#include "table/formats/cell_reader.h"

namespace symbols::table {
namespace {

constexpr CellEscape tsv_escape("");  // a tab is escaped anyway

// Reads line by line. Functions that return false have set error_.
class TsvReader : private CellReader {
 public:
  explicit TsvReader(std::string_view text) : CellReader("the TSV", text, field_name) {}

  Result<SymbolRows> read() {
    next_line();
    if (!read_header()) return std::move(error_);
    builder_.emplace(fields_);
    while (next_row()) {
      split_cells();
      const auto put = [this](Field field, std::string_view cell) {
        return put_escaped(tsv_escape, field, cell);
      };
      if (!read_cells(put)) return std::move(error_);
    }
    return std::move(*builder_).take();
  }

 private:
  void split_cells() {
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
    split_cells();
    if (!add_columns(find_field, advice)) return false;
    const std::string missing = missing_fields(fields_, field_name);
    return missing.empty() || fail(line_.size(), "missing column " + missing, advice);
  }
};

}  // namespace

std::string write_tsv(const SymbolRows& rows, const View& view) {
  return write_cells(rows, view, {.title = field_name, .separator = "\t", .escape = tsv_escape});
}

Result<SymbolRows> read_tsv(std::string_view text) {
  return TsvReader(text).read();
}

}  // namespace symbols::table
