#include "table/formats/tsv_format.h"

#include "table/escape.h"
#include "table/formats/cell_reader.h"

namespace symbols::table {
namespace {

constexpr CellEscape tsv_escape("");  // a tab is escaped anyway

// Reads line by line. Functions that return false have set error_.
class TsvReader final : private CellReader {
 public:
  explicit TsvReader(std::string_view text) : CellReader("the TSV", text, field_name) {}

  using CellReader::read_lines;

 private:
  bool split_cells(std::string_view text) override {
    cells_.clear();
    for (std::size_t start = 0;;) {
      const std::size_t tab = text.find('\t', start);
      cells_.push_back(text.substr(start, tab - start));
      if (tab == std::string_view::npos) return true;
      start = tab + 1;
    }
  }

  bool read_header() override {
    const std::string advice =
        "TSV starts with a line of field names separated by tabs, such as name kind range selection parent";
    if (!split_cells(line_) || !add_columns(find_field, advice)) return false;
    const std::string missing = missing_fields(fields_, field_name);
    return missing.empty() || fail(line_.size(), "missing column " + missing, advice);
  }

  bool read_cell(Field field, std::string_view cell) override { return put_escaped(tsv_escape, field, cell); }
};

}  // namespace

std::string write_tsv(const SymbolRows& rows, const View& view) {
  return write_cells(rows, view, {.title = field_name, .separator = "\t", .escape = tsv_escape});
}

Result<SymbolRows> read_tsv(std::string_view text) {
  return TsvReader(text).read_lines();
}

}  // namespace symbols::table
