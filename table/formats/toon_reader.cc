#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/ascii.h"
#include "lsp/unicode.h"
#include "table/formats/cell_reader.h"
#include "table/formats/parse_number.h"
#include "table/formats/toon_format.h"
#include "table/formats/toon_string.h"

namespace symbols::table {
namespace {

constexpr std::string_view array_name = "symbols";
constexpr std::string_view truncated_member = "truncated:";
constexpr const char* header_advice =
    "the rows start with a line such as \"symbols[2]{name,kind,range,selection,parent}:\"";

// Fields whose values are numbers, in quotes or without.
constexpr bool takes_numbers(Field field) {
  return field == Field::kind || field == Field::depth || field == Field::children || field == Field::lines ||
         field == Field::tags;
}

// Reads line by line. Functions that return false have set error_.
class ToonReader final : private CellReader {
 public:
  explicit ToonReader(std::string_view text) : CellReader("the TOON", text, field_name) {}

  Result<SymbolRows> read() {
    if (!next_content() || !read_header() || !read_rows() || !read_end()) return std::move(error_);
    if (!builder_) return SymbolRows{};
    return std::move(*builder_).take();
  }

 private:
  bool take_line() {
    if (rest_.empty()) return false;
    next_line();
    if (line_.ends_with('\r')) line_.remove_suffix(1);  // also at the end of the text
    return true;
  }
  bool is_comment() const { return trim(line_, " ").starts_with('#'); }
  // Moves to the next line that is neither empty nor a comment.
  bool next_content() {
    do {
      if (!take_line()) return fail_at_end();
    } while (trim(line_, " ").empty() || is_comment());
    return true;
  }

  bool fail_at_end() {
    if (line_number_ == 0) {
      line_number_ = 1;
      return fail(0, "expected the header", header_advice);
    }
    if (!builder_) return fail(line_.size(), "expected the header, found the end of the text", header_advice);
    return fail_count(line_.size());
  }
  bool fail_count(std::size_t offset) {
    return fail(offset,
                fmt::format("expected {} rows, as the header says, found {}", count_, builder_->size()));
  }

  // `symbols[N]{…}:`, or `symbols: []` for no rows.
  bool read_header() override {
    if (!line_.starts_with(array_name)) return fail(0, "expected the header", header_advice);
    std::string_view header = line_.substr(array_name.size());
    if (trim(header.substr(header.starts_with(':') ? 1 : 0), " ") == "[]" && header.starts_with(':'))
      return true;
    if (!header.starts_with('[')) return fail_in(header, "expected [ and the number of rows", header_advice);
    header.remove_prefix(1);
    const std::size_t digits = std::min(header.find_first_not_of("0123456789"), header.size());
    const std::optional<std::size_t> count = parse_number<std::size_t>(header.substr(0, digits));
    if (!count) return fail_in(header, "expected the number of rows", header_advice);
    count_ = *count;
    header.remove_prefix(digits);
    if (header.starts_with('\t') || header.starts_with('|')) {
      delimiter_ = header[0];
      header.remove_prefix(1);
    }
    if (!header.starts_with("]{"))
      return fail_in(header, "expected ]{ and the names of the columns", header_advice);
    header.remove_prefix(2);
    const std::size_t end = header.find('}');
    if (end == std::string_view::npos || trim(header.substr(end + 1), " ") != ":") {
      return fail_in(header.substr(std::min(end, header.size())), "expected }: at the end of the header",
                     header_advice);
    }
    return read_columns(header.substr(0, end));
  }

  bool read_columns(std::string_view names) {
    if (!split_cells(names)) return false;
    for (const std::string_view cell : cells_) {
      const bool in_quotes = cell.size() > 1 && cell.starts_with('"');
      const std::string_view name = in_quotes ? cell.substr(1, cell.size() - 2) : cell;
      if (!add_column(cell, name, find_field(name))) return false;
    }
    const std::string missing = missing_fields(fields_, field_name);
    return missing.empty() || fail_in(names.substr(names.size()), "missing column " + missing);
  }

  // The parts of `text`, a view of line_, between delimiters, without surrounding spaces.
  bool split_cells(std::string_view text) override {
    cells_.clear();
    std::size_t start = 0;
    for (;;) {
      std::size_t i = std::min(text.find_first_not_of(' ', start), text.size());
      if (i < text.size() && text[i] == '"') {
        const std::size_t length = skip_toon_string(text.substr(i));
        if (length == std::string_view::npos)
          return fail_in(text.substr(i), "a string without its closing quote");
        i = std::min(text.find_first_not_of(' ', i + length), text.size());
        if (i < text.size() && text[i] != delimiter_) {
          return fail_in(text.substr(i), "text after a string's closing quote",
                         "a quote inside a string is written \\\"");
        }
      }
      const std::size_t end = std::min(text.find(delimiter_, i), text.size());
      cells_.push_back(trim(text.substr(start, end - start), " "));
      if (end == text.size()) return true;
      start = end + 1;
    }
  }

  bool read_rows() {
    if (fields_.empty()) return true;  // `symbols: []`
    builder_.emplace(fields_);
    // A row is a line, whatever number the header gives.
    const auto newlines = static_cast<std::size_t>(std::count(rest_.begin(), rest_.end(), '\n'));
    builder_->reserve(std::min(count_, newlines + 1));
    while (builder_->size() < count_) {
      if (!take_line()) return fail_at_end();
      if (!is_comment() && !read_row()) return false;
    }
    return true;
  }

  bool read_row() {
    const std::string_view row = trim(line_, " ");
    if (row.empty()) return fail(0, "an empty line among the rows");
    if (!line_.starts_with(' ')) return fail_count(0);
    return split_cells(row) && read_cells();
  }

  bool read_cell(Field field, std::string_view cell) override {
    unescaped_.clear();
    if (cell.starts_with('"')) {
      if (const std::optional<EscapeFault> fault = append_unquoted(unescaped_, cell)) {
        return fail_in_cell(cell, field, fault->message, fault->offset);
      }
    } else if (is_toon_literal(cell) && !takes_numbers(field)) {
      return fail_in_cell(cell, field,
                          fmt::format("expected a string, found {}, which needs quotes to be one", cell));
    } else {
      unescaped_ = lsp::to_valid_utf8(cell);
    }
    if (field != Field::parent) return put(field, cell, unescaped_);
    const MarkedParent marked = split_parent_mark(unescaped_);
    builder_->put(field, marked.name);
    if (marked.digits) builder_->put_parent_mark(*marked.digits);
    return true;
  }

  // Only the member `truncated` may follow.
  bool read_end() {
    bool truncated = false;
    while (take_line()) {
      if (trim(line_, " ").empty() || is_comment()) continue;
      if (truncated || !line_.starts_with(truncated_member)) {
        return fail(0, builder_ && line_.starts_with(' ')
                           ? fmt::format("expected {} rows, as the header says, found more", count_)
                           : "expected the end of the text");
      }
      truncated = true;
      if (!split_value(line_.substr(truncated_member.size()))) return false;
    }
    return true;
  }
  bool split_value(std::string_view text) {
    const std::string_view value = trim(text, " ");
    if (!value.starts_with('"')) return true;
    unescaped_.clear();
    const std::size_t length = skip_toon_string(value);
    if (length != value.size()) return fail_in(value, "a string without its closing quote at the line's end");
    if (const std::optional<EscapeFault> fault = append_unquoted(unescaped_, value)) {
      return fail_in(value.substr(fault->offset), fault->message);
    }
    return true;
  }

  std::size_t count_ = 0;
  char delimiter_ = ',';
};

}  // namespace

Result<SymbolRows> read_toon(std::string_view text) {
  return ToonReader(text).read();
}

}  // namespace symbols::table
