#include "table/formats/packed_format.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/text.h"
#include "lsp/json/json.h"
#include "table/formats/row_cells.h"
#include "table/symbol_kind.h"

namespace symbols::table {
namespace {

// Bytes of one symbol without its strings, with line numbers of five digits.
constexpr std::size_t expected_packed_size = 60;

// Each string once, in the order of their first use.
class StringTable {
 public:
  // `text` must outlive the table.
  std::size_t index_of(std::string_view text) {
    const auto [found, added] = indices_.try_emplace(text, strings_.size());
    if (added) strings_.push_back(text);
    return found->second;
  }
  // The same for a text that does not outlive the call.
  std::size_t index_of_copy(std::string text) { return index_of(copies_.emplace_back(std::move(text))); }

  void append_json(std::string& out) const {
    out += '[';
    for (std::size_t i = 0; i < strings_.size(); ++i) {
      if (i > 0) out += ',';
      lsp::append_json_string(out, strings_[i]);
    }
    out += ']';
  }

 private:
  std::deque<std::string> copies_;  // a deque does not move its elements
  std::unordered_map<std::string_view, std::size_t> indices_;
  std::vector<std::string_view> strings_;
};

void append_range_elements(std::string& out, const lsp::Range& range) {
  for (const std::uint32_t number :
       {range.start.line, range.start.character, range.end.line, range.end.character}) {
    out += ',';
    append_number(out, number);
  }
}

void append_field_names(std::string& out, std::string_view member, const std::vector<Field>& fields) {
  if (fields.empty()) return;
  std::vector<std::string_view> names(fields.size());
  std::ranges::transform(fields, names.begin(), field_name);
  out += fmt::format(R"(,"{}":["{}"])", member, fmt::join(names, R"(",")"));
}

std::vector<Field> further_fields(std::vector<Field> fields) {
  std::erase_if(fields, is_packed_element);
  return fields;
}

class PackedWriter {
 public:
  PackedWriter(const SymbolRows& rows, const View& view)
      : rows_(rows),
        view_(view),
        depths_(row_depths(rows)),
        further_(further_fields(view.fields)),
        cells_(rows, {further_, false}) {
    for (const Field field : packed_row_fields) {
      if (!view.shows(field)) omitted_.push_back(field);
    }
  }

  std::string write(std::string_view notice) {
    symbols_.reserve(rows_.size() * expected_packed_size);
    for (std::size_t row = 0; cells_.next(); ++row) append_symbol(row);

    std::string out = R"({"v":")";
    out += packed_version;
    out += '"';
    append_field_names(out, "fields", further_);
    append_field_names(out, "omitted", omitted_);
    out += R"(,"strings":)";
    strings_.append_json(out);
    out += R"(,"symbols":[)";
    out += symbols_;
    out += ']';
    if (!containers_.empty()) {
      out += R"(,"containers":[)";
      out += containers_;
      out += ']';
    }
    if (!notice.empty()) {
      out += R"(,"truncated":)";
      lsp::append_json_string(out, notice);
    }
    out += '}';
    return out;
  }

 private:
  void append_symbol(std::size_t row) {
    const Row& symbol = rows_.all[row];
    symbols_ += row > 0 ? ",[" : "[";
    if (view_.shows(Field::name)) {
      append_number(symbols_, strings_.index_of(symbol.name));
    } else {
      symbols_ += "-1";
    }
    symbols_ += ',';
    append_kind(view_.shows(Field::kind) ? symbol.kind : 0);
    const lsp::Range range = view_.shows(Field::range) ? symbol.range : lsp::Range{};
    append_range_elements(symbols_, range);
    append_range_elements(symbols_, view_.shows(Field::selection) ? symbol.selection_range
                                                                  : lsp::Range{range.start, range.start});
    const bool shows_parent = view_.shows(Field::parent);
    symbols_ += ',';
    append_number(symbols_, shows_parent && depths_[row] > 0 ? symbol.parent : -1);
    if (shows_parent && depths_[row] == 0) append_container(row, symbol.container_name);
    append_text(view_.shows(Field::hover) ? std::string_view(symbol.hover) : std::string_view{});
    for (const Field field : further_) append_further(field, row);
    symbols_ += ']';
  }

  void append_kind(std::int64_t kind) {
    const std::string name = view_.kind_names ? kind_name(kind) : std::string();
    const bool is_word = !name.empty() && name[0] >= 'A';  // else the number
    if (is_word) {
      lsp::append_json_string(symbols_, name);
    } else {
      append_number(symbols_, kind);
    }
  }

  void append_container(std::size_t row, std::string_view container_name) {
    if (container_name.empty()) return;
    containers_ += containers_.empty() ? "[" : ",[";
    append_number(containers_, row);
    containers_ += ',';
    append_number(containers_, strings_.index_of(container_name));
    containers_ += ']';
  }

  // A comma, and the index of a text or -1.
  void append_text(std::string_view text) {
    symbols_ += ',';
    if (text.empty()) {
      symbols_ += "-1";
    } else {
      append_number(symbols_, strings_.index_of(text));
    }
  }

  void append_further(Field field, std::size_t row) {
    if (field == Field::tags) {
      symbols_ += fmt::format(",[{}]", fmt::join(rows_.all[row].tags, ","));
      return;
    }
    const CellText cell = cells_.cell(field);
    symbols_ += ',';
    if (cell.form == CellText::Form::number) {
      symbols_ += cell.text;
    } else if (cell.text.empty()) {
      symbols_ += "-1";
    } else {
      append_number(symbols_, strings_.index_of_copy(std::string(cell.text)));
    }
  }

  const SymbolRows& rows_;
  const View& view_;
  const std::vector<std::uint32_t> depths_;
  const std::vector<Field> further_;
  RowCells cells_;  // of those
  std::vector<Field> omitted_;
  StringTable strings_;
  std::string symbols_;  // without the brackets around them; likewise
  std::string containers_;
};

}  // namespace

std::string write_packed(const SymbolRows& rows, const View& view, std::string_view notice) {
  return PackedWriter(rows, view).write(notice);
}

}  // namespace symbols::table
